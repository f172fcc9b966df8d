import './harness.js'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import pino from 'pino'
import { encodeDiscover, encodeFrame, PROTOCOL } from '../../src/protocol/rendezvous.js'
import { readServerOptions } from '../../src/server/options.js'
import { runServer } from '../../src/server/process/run-server.js'
import { MemoryStore } from '../../src/server/store/memory-store.js'
import { until } from '../until.js'
import { Client, makePeer, startService } from './harness.js'

const MIB = 1 << 20
const ASK = encodeFrame(encodeDiscover({}))
const alice = await makePeer()

/** A store whose pages have almost 1 MiB. */
async function fullStore() {
  const store = new MemoryStore()
  for (let i = 0; i < 70; i++) {
    const signedPeerRecord = new Uint8Array(15_000)
    await store.add({
      peerId: alice.id.toMultihash().bytes,
      ns: `ns${i}`,
      signedPeerRecord,
      ttlSeconds: 7200
    })
  }
  return store
}

/** @param {string} host */
const peerAt = host => ({ ...alice, address: `/ip4/${host}/tcp/1` })

/** @param {Awaited<ReturnType<typeof startService>>} server @param {object} peer */
function stuckStream(server, peer) {
  const stream = server.openFake(/** @type {any} */ (peer))
  stream.writableNeedsDrain = true
  stream.arrive(ASK)
  return stream
}

const settled = async () => {
  for (let i = 0; i < 30; i++) await turn()
}

describe('replies that nobody takes', () => {
  /** @type {MemoryStore} */
  let store
  before(async () => {
    store = await fullStore()
  })

  it('are bounded for a connection, and go on when they are taken', async () => {
    const server = await startService({ store })
    const streams = Array.from({ length: 60 }, () => stuckStream(server, alice))
    await settled()
    assert.ok(server.service.waitingBytes <= 3 * MIB, `${server.service.waitingBytes}`)
    assert.ok(server.service.waitingBytes >= MIB)
    await until(async () => {
      for (const stream of streams) if (stream.writeBufferLength > 0) stream.take(MIB)
      await settled()
      return streams.every(({ sentBytes }) => sentBytes > 0)
    })
    await settled()
    for (const stream of streams) stream.take(MIB)
    await settled()
    assert.ok(server.service.waitingBytes < MIB, 'requests at most')
    await server.service.stop()
  })

  it('are bounded for an address, unless its limits are lifted', async () => {
    for (const { unlimitedFrom, most } of [
      { unlimitedFrom: [], most: 9 * MIB },
      { unlimitedFrom: ['/ip4/10.0.0.0/ipcidr/24'], most: 33 * MIB }
    ]) {
      const server = await startService({ store, unlimitedFrom })
      for (let i = 0; i < 50; i++) stuckStream(server, peerAt('10.0.0.1'))
      await settled()
      const { waitingBytes } = server.service
      assert.ok(waitingBytes <= most && waitingBytes > most / 2, `${waitingBytes}`)
      await server.service.stop()
    }
  })

  it('of many addresses are bounded too, and whoever takes theirs is answered', async () => {
    const server = await startService({ store })
    for (let i = 0; i < 100; i++) stuckStream(server, peerAt(`10.0.${i % 20}.1`))
    await sleep(300)
    assert.ok(server.service.waitingBytes <= 34 * MIB, `${server.service.waitingBytes}`)
    const honest = server.openFake(peerAt('10.9.9.9'))
    for (let i = 0; i < 5; i++) {
      honest.arrive(ASK)
      for (let waited = 0; honest.replies().length === i && waited < 2000; waited += 10) await sleep(10)
      assert.equal(honest.replies().length, i + 1)
    }
    await server.service.stop()
    assert.equal(server.service.waitingBytes, 0)
  })

  it('count as several: who read nothing has to wait, and nobody at another address', async () => {
    const server = await startService({ store, maxAddressReplyBytesPerSecond: MIB })
    const [unread, read] = [peerAt('10.0.0.1'), peerAt('10.0.0.2')]
    const stuck = stuckStream(server, unread)
    const taken = stuckStream(server, read)
    await settled()
    taken.take(MIB)
    await settled()
    for (const stream of [stuck, taken]) stream.abort(new Error('gone'))
    const after = [unread, read].map(peer => server.openFake(peer))
    for (const stream of after) stream.arrive(ASK)
    await until(() => after[1].sentBytes > 0)
    await settled()
    assert.equal(after[0].sentBytes, 0)
    server.clock.now += 1000
    await until(() => after[0].sentBytes > 0)
    await server.service.stop()
  })

  it('end their stream, taken byte by byte or not at all', async t => {
    const server = await startService({ store, stallTimeoutMs: 400 })
    const [nothing, drops, steady] = [peerAt('10.0.0.1'), peerAt('10.0.0.2'), peerAt('10.0.0.3')].map(peer =>
      stuckStream(server, peer)
    )
    await settled()
    const taking = setInterval(() => {
      drops.take(1)
      steady.take(100_000)
    }, 10)
    t.after(() => clearInterval(taking))
    await until(() => nothing.status !== 'open' && drops.status !== 'open')
    assert.notEqual(steady.status, 'aborted')
    assert.deepEqual(
      [...new Set(server.seen.refused.map(error => /** @type {any} */ (error).code))],
      ['ERR_REPLY_NOT_TAKEN']
    )
    await server.service.stop()
  })
})

describe('plain libp2p nodes that do not read', () => {
  /** @type {Awaited<ReturnType<typeof runServer>>} */
  let server
  before(async () => {
    server = await serverWith({ stallTimeoutMs: 500 })
  })
  after(() => server.stop())

  /** @param {{ stallTimeoutMs?: number }} limits */
  async function serverWith(limits) {
    const flags = { listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0, unlimitedFrom: '' }
    const options = { ...readServerOptions(flags), ...limits }
    return runServer(options, { store: await fullStore(), log: pino({ level: 'silent' }) })
  }

  /** @param {string} localAddress */
  const nodeAt = localAddress =>
    createLibp2p({
      transports: [tcp({ dialOpts: /** @type {any} */ ({ localAddress }) })],
      connectionEncrypters: [noise()],
      // the smallest windows: larger ones take a whole reply before anybody reads
      streamMuxers: [yamux({ maxOutboundStreams: 300, streamOptions: { maxStreamWindowSize: 262_144 } })],
      connectionMonitor: { enabled: false }
    })

  it('agree on no further stream until they read', async t => {
    const [patient, node] = await Promise.all([serverWith({}), nodeAt('127.0.0.9')])
    t.after(() => Promise.all([patient.stop(), node.stop()]))
    const connection = await node.dial(multiaddr(patient.multiaddrs[0]))
    const open = () => connection.newStream(PROTOCOL)
    const unread = await Promise.all([open(), open()])
    for (const stream of unread) {
      stream.pause()
      stream.send(ASK)
    }
    await until(() => patient.node.services.rendezvous.waitingBytes > MIB)
    const ask = async () => new Client(await open()).ask(ASK.subarray(1))
    const answers = Promise.all(Array.from({ length: 4 }, ask))
    const begun = () => patient.node.getConnections()[0].streams
    await until(() => begun().length === 6)
    await sleep(100)
    assert.equal(begun().filter(({ protocol }) => protocol !== '').length, 2)
    for (const stream of unread) stream.resume()
    assert.ok((await answers).every(answer => answer?.discoverResponse))
  })

  it('cost a few MiB, are reset, and leave nothing', async t => {
    const [hostile, honest] = await Promise.all(['127.0.0.7', '127.0.0.8'].map(nodeAt))
    t.after(() => Promise.all([hostile.stop(), honest.stop()]))
    const connection = await hostile.dial(multiaddr(server.multiaddrs[0]))
    /** @type {import('@libp2p/interface').Stream[]} */
    const streams = []
    while (streams.length < 24) {
      streams.push(await connection.newStream(PROTOCOL, { maxOutboundStreams: 300 }))
    }
    for (const stream of streams) {
      stream.pause()
      stream.send(ASK)
    }
    const { rendezvous } = server.node.services
    let most = 0
    await until(() => {
      most = Math.max(most, rendezvous.waitingBytes)
      return streams.every(({ status }) => status !== 'open')
    })
    assert.ok(most > MIB && most <= 6 * MIB, `${most} bytes waited`)
    const client = new Client(await honest.dialProtocol(multiaddr(server.multiaddrs[0]), PROTOCOL))
    assert.ok((await client.ask(ASK.subarray(1)))?.discoverResponse)
    await Promise.all([hostile.stop(), honest.stop()])
    await until(() => rendezvous.streams === 0)
    assert.equal(rendezvous.waitingBytes, 0)
  })
})
