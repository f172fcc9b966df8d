import './harness.js'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import pino from 'pino'
import { DATA, PING, SYN, WINDOW_UPDATE } from '../../src/libp2p/yamux.js'
import { encodeDiscover, PROTOCOL } from '../../src/protocol/rendezvous.js'
import {
  dialAfterNoise,
  encodeYamuxFrame,
  FLOODS
} from '../../src/scenarios/rendezvous/hostile/hostile-worker.js'
import { readServerOptions } from '../../src/server/options.js'
import { runServer } from '../../src/server/process/run-server.js'
import { until } from '../until.js'
import { Client } from './harness.js'
import { random } from './store/random.js'
import { shortTurns } from './turn-watch.js'

const ASKS = 4
const LONGEST_TURN_MS = 50
const STALL_MS = 400

/** @param {object} [limits] */
const start = limits =>
  runServer(
    {
      ...readServerOptions({ listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0, unlimitedFrom: '' }),
      ...{ stallTimeoutMs: STALL_MS, ...limits }
    },
    { log: pino({ level: 'silent' }) }
  )

/** @typedef {Awaited<ReturnType<typeof start>>} Server */

/** Whether somebody who connects now is served. @param {Server} server @param {string} localAddress */
async function serves(server, localAddress) {
  const node = await createLibp2p({
    transports: [tcp({ dialOpts: /** @type {any} */ ({ localAddress }) })],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionMonitor: { enabled: false }
  })
  const client = new Client(await node.dialProtocol(multiaddr(server.multiaddrs[0]), PROTOCOL))
  const reply = await client.ask(encodeDiscover({}))
  await node.stop()
  return reply?.discoverResponse !== undefined
}

/** @param {Server} server @param {string} localAddress */
async function connectRaw(server, localAddress) {
  const port = Number(/\/tcp\/(\d+)/.exec(server.multiaddrs[0])?.[1])
  const socket = net.connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
  socket.resume()
  await once(socket, 'connect').catch(() => {})
  return socket
}

/** @param {net.Socket[]} sockets */
const stillOpen = sockets => sockets.filter(({ destroyed }) => !destroyed).length

describe('frames without end from one connection', () => {
  it('let others be served in between, and leave nothing', async t => {
    const server = await start()
    t.after(() => server.stop())
    const workerData = { address: server.multiaddrs[0], asks: ASKS }
    const thread = new Worker(new URL('./hostile-thread.js', import.meta.url), { workerData })
    t.after(() => thread.terminate())
    for (const name of Object.keys(FLOODS)) {
      const longest = await shortTurns(t, LONGEST_TURN_MS, async () => {
        thread.postMessage(name)
        assert.deepEqual(await once(thread, 'message'), [ASKS], name)
      })
      assert.ok(Math.min(...longest) <= LONGEST_TURN_MS, `${name}: turns of ${longest} ms`)
    }
    thread.postMessage('')
    await until(() => server.node.getConnections().length === 0)
    const { rendezvous } = server.node.services
    assert.deepEqual([rendezvous.streams, rendezvous.waitingBytes], [0, 0])
  })
})

describe('a connection after its handshake', () => {
  /** @type {Server} */
  let server
  before(async () => {
    // the client is in this process: what it does counts as well
    const maxGroupLoopMsPerSecond = 1000
    server = await start({
      maxAddressConnectionsPerSecond: 1000,
      maxAddressNegotiations: 300,
      maxGroupLoopMsPerSecond
    })
  })
  after(() => server.stop())

  it('is closed when it announces more than a stream can take', async () => {
    const { stream, stop } = await dialAfterNoise(server.multiaddrs[0], '127.0.0.2')
    stream.addEventListener('message', () => {})
    stream.send(encodeYamuxFrame(DATA, SYN, 1, 0xffffffff))
    await until(() => server.node.getConnections().length === 0)
    await stop()
  })

  it('is read no more when its answers are not taken, and then closed', async () => {
    const { stream, stop } = await dialAfterNoise(server.multiaddrs[0], '127.0.0.2')
    stream.pause()
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    for (let sent = 0; server.node.getConnections().length > 0; ) {
      if (
        stream.status === 'open' &&
        sent < 200 * FLOODS.pings.length &&
        stream.writeBufferLength < 1 << 20
      ) {
        stream.send(FLOODS.pings)
        sent += FLOODS.pings.length
      }
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      await sleep(2)
    }
    assert.ok(most < 16 << 20, `${most} bytes`)
    await stop()
  })

  it('holds so many streams without a protocol, and an address so many', async () => {
    const syns = Buffer.concat(
      Array.from({ length: 400 }, (_, i) => encodeYamuxFrame(WINDOW_UPDATE, SYN, 1 + 2 * i, 0))
    )
    const dialled = []
    for (let i = 0; i < 3; i++) dialled.push(await dialAfterNoise(server.multiaddrs[0], '127.0.0.2'))
    const streams = () => server.node.getConnections().map(connection => connection.streams.length)
    for (const { stream } of dialled) {
      stream.addEventListener('message', () => {})
      stream.send(syns)
      // answered behind the others
      stream.send(encodeYamuxFrame(PING, SYN, 0, 1))
    }
    await until(() => streams().reduce((sum, open) => sum + open, 0) >= 300)
    await sleep(50)
    assert.ok(Math.max(...streams()) <= 256, `${streams()}`)
    const total = streams().reduce((sum, open) => sum + open, 0)
    assert.equal(total, 300)
    assert.ok(await serves(server, '127.0.0.3'))
    await Promise.all(dialled.map(({ stop }) => stop()))
    await until(() => server.node.getConnections().length === 0)
  })

  it('may send any frames there can be', async () => {
    const draw = random(11)
    for (let i = 0; i < 8; i++) {
      const { stream, stop } = await dialAfterNoise(server.multiaddrs[0], '127.0.0.2')
      stream.addEventListener('message', () => {})
      for (let frames = 0; frames < 500 && stream.status === 'open'; frames++) {
        const body = Buffer.from(Array.from({ length: draw(50) }, () => draw(256)))
        const type = draw(10) === 0 ? draw(5) : DATA
        stream.send(
          encodeYamuxFrame(type, draw(16), draw(40), type === DATA ? body.length : draw(1 << 20), body)
        )
      }
      await stop()
    }
    await until(() => server.node.getConnections().length === 0)
    assert.equal(server.node.services.rendezvous.streams, 0)
    assert.ok(await serves(server, '127.0.0.3'))
  })
})

describe('connections that finish no handshake', () => {
  it('leave room for others, however many addresses they come from', async t => {
    const server = await start()
    t.after(() => server.stop())
    const hosts = Array.from({ length: 16 }, (_, i) => `127.0.1.${i + 1}`)
    const sockets = (
      await Promise.all(hosts.flatMap(host => Array.from({ length: 12 }, () => connectRaw(server, host))))
    ).flat()
    await until(() => stillOpen(sockets) <= 64)
    await sleep(50)
    assert.ok(stillOpen(sockets) > 40, `${stillOpen(sockets)}`)
    for (let i = 0; i < 5; i++) assert.ok(await serves(server, `127.0.2.${i + 1}`))
    for (const socket of sockets) socket.destroy()
  })

  it('are so many of one address, and not faster than so many a second', async t => {
    const server = await start()
    t.after(() => server.stop())
    /** @type {net.Socket[]} */
    const sockets = []
    for (let second = 0; second < 2; second++) {
      for (let i = 0; i < 20; i++) sockets.push(await connectRaw(server, '127.0.0.2'))
      await until(() => stillOpen(sockets) <= 8)
      if (second === 0) assert.ok(stillOpen(sockets) <= 5)
      await sleep(1000)
    }
    assert.equal(stillOpen(sockets), 8)
    assert.ok(await serves(server, '127.0.0.3'))
    for (const socket of sockets) socket.destroy()
  })

  const HEAD = '\x13/multistream/1.0.0\n'
  /** @type {Record<string, () => Uint8Array>} */
  const junk = {
    noise: () => randomBytes(70_000),
    'lines without end': () => Buffer.from(HEAD + '\x03ls\n'.repeat(16_000)),
    HTTP: () => Buffer.from(`GET / HTTP/1.1\r\nHost: ${'a'.repeat(80)}\r\n\r\n`),
    'a message of Noise that is none': () =>
      Buffer.concat([
        Buffer.from(`${HEAD}\x07/noise\n`),
        Uint8Array.of(0, 32),
        randomBytes(32),
        randomBytes(9000)
      ]),
    'a message of Noise that does not end': () =>
      Buffer.concat([Buffer.from(`${HEAD}\x07/noise\n`), Uint8Array.of(255, 255), randomBytes(60_000)])
  }
  it('may send what they like', async t => {
    // one after the other, so none must wait long
    const server = await start({ maxAddressConnectionsPerSecond: 1000, maxGroupLoopMsPerSecond: 10_000 })
    t.after(() => server.stop())
    for (const [name, bytes] of Object.entries(junk)) {
      const longest = await shortTurns(t, LONGEST_TURN_MS, async () => {
        for (let i = 0; i < 4; i++) {
          const socket = await connectRaw(server, '127.0.0.2')
          t.after(() => socket.destroy())
          socket.write(bytes())
          await until(() => socket.destroyed, { everyMs: 2 })
        }
      })
      assert.ok(Math.min(...longest) <= LONGEST_TURN_MS, `${name}: turns of ${longest} ms`)
    }
    assert.ok(await serves(server, '127.0.0.3'))
    await until(() => server.node.getConnections().length === 0)
  })
})

describe('an address whose limits are lifted', () => {
  it('meets none of them: 200 connections at once', async () => {
    const lifted = await runServer(readServerOptions({ listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0 }), {
      log: pino({ level: 'silent' })
    })
    const sockets = await Promise.all(Array.from({ length: 200 }, () => connectRaw(lifted, '127.0.0.1')))
    await sleep(100)
    assert.equal(stillOpen(sockets), 200)
    assert.ok(await serves(lifted, '127.0.0.1'))
    for (const socket of sockets) socket.destroy()
    await lifted.stop()
  })
})
