import '../harness.js'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { multiaddr } from '@multiformats/multiaddr'
import pino from 'pino'
import {
  encodeDiscover,
  encodeFrame,
  encodeRegister,
  encodeRegisterBody,
  PROTOCOL,
  Status
} from '../../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../../src/protocol/signed-record.js'
import { readServerOptions } from '../../../src/server/options.js'
import { runServer } from '../../../src/server/process/run-server.js'
import { MemoryStore } from '../../../src/server/store/memory-store.js'
import { createClientNode as makeNode } from '../client-node.js'
import { Client, makePeer } from '../harness.js'

const MAIN = fileURLToPath(new URL('../../../src/server/main.js', import.meta.url))
const SMALL = { listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0 }
const log = pino({ level: 'silent' })

/** @param {object} [flags] @param {object} [parts] */
const start = (flags, parts) => runServer(readServerOptions({ ...SMALL, ...flags }), { log, ...parts })

/** @typedef {Awaited<ReturnType<typeof makeNode>>} Node */

/** @param {Node} node @param {string} address */
const open = async (node, address) => new Client(await node.dialProtocol(multiaddr(address), PROTOCOL))

/** @param {string} url @param {RequestInit} [init] */
const getJson = async (url, init) => (await fetch(url, init)).json()

describe('a running server', () => {
  /** @type {Awaited<ReturnType<typeof runServer>>} */
  let server
  /** @type {Node} */
  let node
  /** @type {Awaited<ReturnType<typeof makePeer>>} */
  let peer
  before(async () => {
    server = await start({ control: true })
    peer = await makePeer()
    node = await makeNode(peer.privateKey)
  })
  after(async () => {
    await node.stop()
    await server.stop()
  })

  it('listens to nobody from elsewhere than it was told', async t => {
    const choosy = await start({ onlyFrom: '/ip4/127.0.0.0/ipcidr/8' })
    t.after(() => choosy.stop())
    await node.dial(multiaddr(choosy.multiaddrs[0]))
    const deaf = await start({ onlyFrom: '/ip4/10.0.0.0/ipcidr/8' })
    t.after(() => deaf.stop())
    await assert.rejects(node.dial(multiaddr(deaf.multiaddrs[0])))
    assert.deepEqual(deaf.node.getConnections(), [])
  })

  it('serves clients over TCP, Noise and Yamux', async () => {
    const client = await open(node, server.multiaddrs[0])
    const request = encodeRegister({ ns: 'ns', signedPeerRecord: peer.record })
    assert.equal((await client.ask(request))?.registerResponse?.status, Status.OK)
    const reply = await client.ask(encodeDiscover({ ns: 'ns' }))
    assert.equal(reply?.discoverResponse?.registrations.length, 1)
    await client.stream.close()
  })

  it('sends replies larger than a stream window', async () => {
    for (let i = 0; i < 1000; i += 50) {
      const client = await open(node, server.multiaddrs[0])
      const requests = Array.from({ length: 50 }, (_, j) =>
        encodeRegister({ ns: `wide-${i + j}`.padEnd(250, 'x'), signedPeerRecord: peer.record })
      )
      client.send(...requests)
      for (let j = 0; j < 50; j++) await client.reply()
      await client.stream.close()
    }
    const client = await open(node, server.multiaddrs[0])
    // 4 replies of more than 400 kB each, asked for at once
    client.send(...Array.from({ length: 4 }, () => encodeDiscover({})))
    for (let i = 0; i < 4; i++) {
      assert.ok(((await client.reply())?.discoverResponse?.registrations.length ?? 0) > 990)
    }
    await client.stream.close()
  })

  it('shows its metrics and its health', async () => {
    const metrics = await (await fetch(`${server.http}/metrics`)).text()
    assert.match(metrics, /rendezvous_operations_total\{type="REGISTER",status="OK"\} \d+/)
    assert.match(metrics, /rendezvous_operation_duration_seconds_bucket\{le="[\d.]+",type="DISCOVER"\}/)
    for (const gauge of ['registrations', 'namespaces', 'connections', 'streams']) {
      assert.match(metrics, new RegExp(`^rendezvous_${gauge} \\d+$`, 'm'))
    }
    assert.match(metrics, /process_resident_memory_bytes/)
    assert.equal(await (await fetch(`${server.http}/healthz`)).text(), 'ok\n')
    assert.equal((await fetch(`${server.http}/nothing`)).status, 404)
  })

  it('keeps nothing about peers that connect, and knows its own addresses', async () => {
    assert.deepEqual(await server.node.peerStore.all(), [])
    assert.equal(server.multiaddrs.length, 1)
  })

  it('counts what it refuses', async () => {
    const client = await open(node, server.multiaddrs[0])
    client.stream.send(Uint8Array.of(2, 8, 99))
    assert.equal(await client.reply(), undefined)
    const metrics = await (await fetch(`${server.http}/metrics`)).text()
    assert.match(metrics, /rendezvous_streams_refused_total\{reason="ERR_UNEXPECTED_MESSAGE"\} 1/)
  })

  it('tells a load tester its state and its own durations', async () => {
    const state = await getJson(`${server.http}/control/state`)
    assert.ok(state.registrations >= 1 && state.namespaces >= 1 && state.connections === 1)
    assert.ok(state.cpuMicros > 0 && state.rssBytes > 1e7)
    const { DISCOVER } = await getJson(`${server.http}/control/durations`)
    assert.ok(DISCOVER.count > 0 && DISCOVER.max < 5e6)
    await fetch(`${server.http}/control/durations`, { method: 'DELETE' })
    const reset = await getJson(`${server.http}/control/durations`)
    assert.deepEqual(reset.DISCOVER, { values: [], counts: [], count: 0, sum: 0, max: 0 })
  })

  it('survives noise on both of its ports', async () => {
    const [, , , , port] = server.multiaddrs[0].split('/')
    for (const target of [Number(port), Number(new URL(server.http).port)]) {
      const socket = net.connect(target, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(Buffer.alloc(100_000, 0xff))
      await new Promise(resolve => setTimeout(resolve, 20))
      socket.destroy()
    }
    const client = await open(node, server.multiaddrs[0])
    assert.ok(await client.ask(encodeDiscover({ ns: 'ns' })))
    await client.stream.close()
  })
})

describe('registrations added in bulk', () => {
  it('are the same, byte for byte, as those made over the wire', async t => {
    const clock = { now: 0 }
    const now = () => clock.now
    const bulk = await start({ control: true }, { store: new MemoryStore({ now }) })
    const wire = await start({}, { store: new MemoryStore({ now }) })
    t.after(() => Promise.all([bulk.stop(), wire.stop()]))
    const peers = await Promise.all(Array.from({ length: 10 }, makePeer))
    // 10 peers with 100 registrations each
    const registrations = peers
      .flatMap(({ record }, i) =>
        Array.from({ length: 100 }, (_, j) => ({
          ns: `ns${j % 10}`,
          signedPeerRecord: record,
          ttl: 7200 + i * 100 + j
        }))
      )
      .map((registration, index) => ({ ...registration, ns: `${registration.ns}-${index % 100}` }))
    const body = Buffer.concat(registrations.map(r => encodeFrame(encodeRegisterBody(r))))
    const answer = await getJson(`${bulk.http}/control/registrations`, { method: 'POST', body })
    assert.deepEqual(answer, { added: 1000, replaced: 0, refused: 0 })
    for (const [i, peer] of peers.entries()) {
      const node = await makeNode(peer.privateKey)
      const client = await open(node, wire.multiaddrs[0])
      client.send(...registrations.slice(i * 100, i * 100 + 100).map(encodeRegister))
      for (let j = 0; j < 100; j++) assert.equal((await client.reply())?.registerResponse?.status, Status.OK)
      await node.stop()
    }
    clock.now = 1_234_567
    const node = await makeNode()
    for (const query of [{}, { ns: 'ns3-3' }, { limit: 7 }]) {
      const [a, b] = await Promise.all(
        [bulk, wire].map(async server => (await open(node, server.multiaddrs[0])).ask(encodeDiscover(query)))
      )
      assert.ok(a?.discoverResponse && b?.discoverResponse)
      assert.ok(a.discoverResponse.registrations.length > 0)
      assert.deepEqual(a.discoverResponse.registrations, b.discoverResponse.registrations)
    }
    await node.stop()
  })

  it('are refused when they are none, telling what was wrong', async t => {
    const server = await start({ control: true, maxPeerRegistrations: 1 })
    t.after(() => server.stop())
    const { record, privateKey } = await makePeer()
    const other = await sealPeerRecord({ privateKey, addresses: [], seq: 2 })
    const post = (/** @type {Uint8Array} */ body) =>
      fetch(`${server.http}/control/registrations`, { method: 'POST', body: new Uint8Array(body) })
    const frame = (/** @type {object} */ m) => encodeFrame(encodeRegisterBody(m))
    /** @type {Array<[string, Uint8Array, RegExp]>} */
    const cases = [
      ['noise', Buffer.from([3, 255, 255, 255]), /not the body/],
      ['cut off', frame({ ns: 'ns', signedPeerRecord: record }).subarray(0, 50), /cut off/],
      ['no namespace', frame({ signedPeerRecord: record }), /no namespace/],
      ['no record', frame({ ns: 'ns' }), /record/],
      ['too large', encodeFrame(new Uint8Array(20_000)), /at most 16384/]
    ]
    for (const [name, body, text] of cases) {
      const response = await post(body)
      assert.equal(response.status, 400, name)
      assert.match(await response.text(), text)
    }
    const twice = Buffer.concat([
      frame({ ns: 'a', signedPeerRecord: record }),
      frame({ ns: 'a', signedPeerRecord: other }),
      frame({ ns: 'b', signedPeerRecord: record })
    ])
    assert.deepEqual(await (await post(twice)).json(), { added: 1, replaced: 1, refused: 1 })
  })

  it('are not possible unless control is on', async t => {
    const server = await start()
    t.after(() => server.stop())
    for (const path of ['registrations', 'state', 'durations']) {
      assert.equal((await fetch(`${server.http}/control/${path}`, { method: 'POST', body: 'x' })).status, 404)
      assert.equal((await fetch(`${server.http}/control/${path}`)).status, 404)
    }
  })
})

describe('the identity', () => {
  it('is kept in its file, follows from a seed, or is new', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'identity-'))
    const keyFile = join(folder, 'key')
    const idOf = async (/** @type {object} */ flags) => {
      const server = await start(flags)
      const id = String(server.node.peerId)
      await server.stop()
      return id
    }
    assert.equal(await idOf({ keyFile }), await idOf({ keyFile }))
    assert.equal(await idOf({ keySeed: 1 }), await idOf({ keySeed: 1 }))
    assert.notEqual(await idOf({ keySeed: 1 }), await idOf({ keySeed: 2 }))
    assert.notEqual(await idOf({}), await idOf({}))
    assert.ok((await readFile(keyFile)).length > 32)
    await writeFile(keyFile, 'nonsense')
    await assert.rejects(start({ keyFile }), /contains no libp2p private key/)
    await assert.rejects(start({ keyFile: folder }), /--keyFile .* cannot be read: EISDIR/)
    const nowhere = join(folder, 'missing', 'key')
    await assert.rejects(start({ keyFile: nowhere }), {
      name: 'KeyFileError',
      message: /--keyFile .*key does not exist, and cannot be made: ENOENT/
    })
    await rm(folder, { recursive: true })
  })
})

describe('the process', () => {
  /** @param {...string} args */
  const run = (...args) =>
    spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const args = ['--listen', SMALL.listen, '--http-port', '0']

  // SIGINT: stop-with-input.test.js
  for (const how of /** @type {const} */ (['SIGTERM', 'disconnect'])) {
    it(`says when it is ready, and ends with 0 on ${how}, clients or not`, async () => {
      const child = run(...args)
      const exited = once(child, 'exit')
      const [line] = await once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data')
      const [, address, http] = /^ready (\S+) (\S+)\n$/.exec(String(line)) ?? []
      assert.match(address, /^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/12D3KooW\w+$/)
      assert.equal((await fetch(`${http}/healthz`)).status, 200)
      const node = await makeNode()
      await (await open(node, address)).ask(encodeDiscover({}))
      if (how === 'disconnect') child.disconnect()
      else child.kill(how)
      assert.deepEqual(await exited, [0, null])
      await node.stop()
    })
  }

  it('ends with 2 on bad options, naming each, and with 1 when it cannot start', async () => {
    const bad = run('--http-port', 'x', '--nonsense')
    const [text] = await once(/** @type {import('node:stream').Readable} */ (bad.stderr), 'data')
    assert.match(String(text), /2 problems:\n {2}--httpPort x {2}must be .*\n {2}--nonsense/)
    assert.deepEqual(await once(bad, 'exit'), [2, null])

    const blocker = net.createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = /** @type {net.AddressInfo} */ (blocker.address())
    const stuck = run('--listen', SMALL.listen, '--http-port', String(port))
    const [reason] = await once(/** @type {import('node:stream').Readable} */ (stuck.stderr), 'data')
    assert.match(String(reason), /EADDRINUSE/)
    assert.deepEqual(await once(stuck, 'exit'), [1, null])
    blocker.close()
  })
})
