import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { makeSubStream } from '../../src/kit/random.js'
import { LinkModel } from '../../src/network/link-model.js'
import { NO_PROCESSING_COSTS } from '../../src/simulator/network/node.js'
import { SimulatedNetwork } from '../../src/simulator/simulated-network.js'
import { VirtualTime } from '../../src/simulator/virtual-time.js'

/** @typedef {import('@libp2p/interface').Stream} Stream */

const MS = 1e6
const LATENCY_NS = 10 * MS
const ECHO = '/echo/1.0.0'

/** @type {import('../../src/network/link-model.js').LinkSettings} */
const LINKS = {
  latency: { kind: 'constant', ms: LATENCY_NS / MS },
  jitter: null,
  lossShare: 0,
  upBytesPerSecond: null,
  downBytesPerSecond: null,
  linkBytesPerSecond: null,
  cuts: [],
  layers: { muxer: null, security: null, tcp: false },
  tcp: false
}

/**
 * @typedef {object} Options
 * @property {number} [nodes]
 * @property {number | null} [bytesPerSecond] - of each node's up-link
 * @property {number | null} [sendQueue]
 * @property {Partial<import('../../src/network/link-model.js').LinkSettings>} [links]
 * @property {import('../../src/simulator/network/node.js').ProcessingCosts} [costs]
 */

/** @param {Options} [options] */
async function network({
  nodes = 2,
  bytesPerSecond = null,
  sendQueue = null,
  links,
  costs = NO_PROCESSING_COSTS
} = {}) {
  const time = new VirtualTime()
  const model = new LinkModel(
    { ...LINKS, upBytesPerSecond: bytesPerSecond, ...links },
    { nodes, streams: (...name) => makeSubStream(1, ...name) }
  )
  const simulated = new SimulatedNetwork(time, model, { sendQueue })
  for (let number = 0; number < nodes; number++) {
    const privateKey = await generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(number + 1))
    simulated.add({ number, privateKey, gossipsub: {}, processing: costs })
  }
  return { time, simulated }
}

/** Ends the connections of a node at its end alone. @param {SimulatedNetwork} simulated @param {number} node */
function cutAt(simulated, node) {
  for (const endpoint of simulated.endpoints) if (endpoint.local === node) endpoint.cut(new Error('cut'))
}

/** Lets everything happen, each with what it sets off at once. @param {VirtualTime} time */
async function runAll(time) {
  do await new Promise(resolve => setImmediate(resolve))
  while (time.runNext(Number.POSITIVE_INFINITY))
}

/** @template T @param {VirtualTime} time @param {Promise<T>} promise @returns {Promise<T>} */
async function after(time, promise) {
  await runAll(time)
  return promise
}

/** Two nodes, connected, with a stream of node 0 that node 1 has taken. @param {Options} [options] */
async function stream(options) {
  const { time, simulated } = await network(options)
  /** @type {{ theirs: Stream | null }} */
  const end = { theirs: null }
  await simulated.node(1).registrar.handle(ECHO, taken => {
    end.theirs = taken
  })
  const connection = await after(time, simulated.dial(0, 1))
  const ours = await after(time, connection.newStream(['/other/1.0.0', ECHO]))
  return { time, simulated, connection, ours, theirs: /** @type {Stream} */ (end.theirs) }
}

describe('a connection', () => {
  test('stands after three round trips; with a fourth its ends know each other, one after the other', async () => {
    const { time, simulated } = await network()
    const dialling = simulated.dial(0, 1)
    let standsNs = 0
    void dialling.then(() => {
      standsNs = time.nowNs
    })
    const connection = await after(time, dialling)
    assert.deepEqual([standsNs, time.nowNs], [6 * LATENCY_NS, 9 * LATENCY_NS])
    const [a, b] = simulated.nodes
    assert.deepEqual(a.connectionManager.getConnections(b.peerId), [connection])
    const [other] = b.connectionManager.getConnections()
    assert.deepEqual(
      [connection.direction, other.direction, String(connection.remotePeer), String(other.remotePeer)],
      ['outbound', 'inbound', String(b.peerId), String(a.peerId)]
    )
    assert.match(String(connection.remoteAddr), /^\/ip4\/10\.0\.0\.1\/tcp\/\d+\/p2p\/12D3/)
  })

  test('is there once, however often it is asked for', async () => {
    const { time, simulated } = await network()
    const [a, b] = simulated.nodes
    const both = [simulated.dial(0, 1), simulated.dial(1, 0)]
    await runAll(time)
    assert.equal(a.connectionManager.getConnections().length, 1)
    assert.equal(b.connectionManager.getConnections().length, 1)
    const [known] = await Promise.all(both)
    assert.equal(await a.connectionManager.openConnection(b.peerId), known)
  })

  test('is told to who asked for a protocol of the peer, and its end likewise', async () => {
    const { time, simulated } = await network()
    const [a, b] = simulated.nodes
    /** @type {string[]} */
    const told = []
    await b.registrar.handle(ECHO, () => {})
    const id = await a.registrar.register(ECHO, {
      onConnect: peer => void told.push(`+ ${peer.equals(b.peerId)} ${time.nowNs}`),
      onDisconnect: peer => void told.push(`- ${peer.equals(b.peerId)}`)
    })
    await a.registrar.register('/other/1.0.0', { onConnect: () => void told.push('stranger') })
    const connection = await after(time, simulated.dial(0, 1))
    await after(time, connection.close())
    assert.deepEqual(told, [`+ true ${8 * LATENCY_NS}`, '- true'])
    assert.equal(connection.status, 'closed')
    const found = [a, b].flatMap(node => node.connectionManager.getConnections())
    assert.deepEqual(found, [])
    a.registrar.unregister(id)
    assert.deepEqual(a.registrar.getTopologies(ECHO), [])
  })

  test('that is aborted takes its streams with it, at the other end a latency later', async () => {
    const { time, connection, ours, theirs } = await stream()
    const startNs = time.nowNs
    let endedNs = 0
    theirs.addEventListener('close', () => {
      endedNs = time.nowNs - startNs
    })
    connection.abort(new Error('broken'))
    assert.equal(ours.status, 'aborted')
    await runAll(time)
    assert.equal(endedNs, LATENCY_NS)
    assert.notEqual(theirs.status, 'open')
    await assert.rejects(connection.newStream(ECHO), /the connection is aborted/)
  })

  test('that is cut ends where it is noticed: what was on its way comes, and the other end hears nothing', async () => {
    const { time, simulated, ours, theirs } = await stream()
    let came = 0
    theirs.addEventListener('message', () => came++)
    ours.send(Buffer.from('on its way'))
    cutAt(simulated, 0)
    await runAll(time)
    assert.deepEqual([ours.status, theirs.status, came], ['aborted', 'open', 1])
    const locals = simulated.endpoints.map(({ local }) => local)
    assert.deepEqual(locals, [1])
    const again = await after(time, simulated.dial(0, 1))
    assert.equal(again.status, 'open')
  })

  test('that ends takes with it the stream that is just being opened', async () => {
    const { time, connection } = await stream()
    const opening = assert.rejects(connection.newStream(ECHO), /the connection ended first/)
    connection.abort(new Error('broken'))
    await after(time, opening)
  })

  test('of a peer that has two goes unnoticed until both have ended', async () => {
    const { time, simulated, connection } = await stream()
    const [, b] = simulated.nodes
    /** @type {string[]} */
    const told = []
    await b.registrar.register(ECHO, { onDisconnect: () => void told.push('gone') })
    const [old] = b.connectionManager.getConnections()
    // its other end has ended, which node 1 does not know yet
    cutAt(simulated, 0)
    await simulated.node(0).registrar.handle(ECHO, () => {})
    await after(time, simulated.dial(0, 1))
    assert.equal(b.connectionManager.getConnections(connection.remotePeer).length, 0)
    assert.equal(b.connectionManager.getConnections().length, 2)
    old.abort(new Error('noticed'))
    await runAll(time)
    assert.deepEqual([b.connectionManager.getConnections().length, told], [1, []])
    b.connectionManager.getConnections()[0].abort(new Error('broken'))
    await runAll(time)
    assert.deepEqual(told, ['gone'])
  })
})

describe('a node that is taken out', () => {
  test('ends its connections, at its peers a latency later', async () => {
    const { time, simulated, theirs } = await stream()
    const startNs = time.nowNs
    let endedNs = 0
    theirs.addEventListener('close', () => {
      endedNs = time.nowNs - startNs
    })
    simulated.remove(0)
    await runAll(time)
    assert.equal(endedNs, LATENCY_NS)
    assert.deepEqual(simulated.node(1).connectionManager.getConnections(), [])
    assert.equal(simulated.has(0), false)
    assert.throws(() => simulated.node(0), /has no node 0/)
  })

  test('is not reached by a dial that is under way', async () => {
    const { time, simulated } = await network()
    const dialling = assert.rejects(simulated.dial(0, 1), /node 1 was not there when node 0 dialled it/)
    simulated.remove(1)
    await after(time, dialling)
    assert.deepEqual(simulated.endpoints, [])
  })
})

describe('a line that loses and queues', () => {
  test('carries the handshake, too: it takes longer where segments are lost', async () => {
    const { time, simulated } = await network({ links: { tcp: true, lossShare: 0.5 } })
    const connection = await after(time, simulated.dial(0, 1))
    assert.equal(connection.status, 'open')
    assert.ok(time.nowNs > 6 * LATENCY_NS + 200 * MS, `${time.nowNs} ns: a time-out at least`)
  })

  test('refuses RPCs beyond the queue of a stream, and takes more as they leave', async () => {
    const { time, simulated, ours, theirs } = await stream({ bytesPerSecond: 1e6, sendQueue: 2 })
    let came = 0
    theirs.addEventListener('message', ({ data }) => {
      came += data.byteLength
    })
    const startNs = time.nowNs
    const burst = () => {
      for (let i = 0; i < 5; i++) ours.send(new Uint8Array(1000))
    }
    burst()
    assert.equal(simulated.refusedRpcs, 2)
    // one has left: there is room for one more
    time.at(startNs + 1 * MS, 0, burst)
    await runAll(time)
    assert.deepEqual([simulated.refusedRpcs, came], [6, 4000])
  })
})

describe('a stream', () => {
  test('opens with the first protocol that the other end has, after a round trip', async () => {
    const { time, ours, theirs } = await stream()
    assert.equal(time.nowNs, 11 * LATENCY_NS)
    assert.deepEqual(
      [ours.protocol, theirs.protocol, ours.direction, theirs.direction],
      [ECHO, ECHO, 'outbound', 'inbound']
    )
  })

  test('does not open where the other end has none of the protocols', async () => {
    const { time, simulated } = await network()
    const connection = await after(time, simulated.dial(0, 1))
    const opening = assert.rejects(connection.newStream('/none/1.0.0'), { name: 'UnsupportedProtocolError' })
    await after(time, opening)
    assert.deepEqual(connection.streams, [])
  })

  test('brings what is sent in its order, a latency later', async () => {
    const { time, ours, theirs } = await stream()
    const startNs = time.nowNs
    /** @type {[string, number][]} */
    const come = []
    theirs.addEventListener('message', ({ data }) =>
      come.push([Buffer.from(data.subarray()).toString(), time.nowNs - startNs])
    )
    assert.equal(ours.send(Buffer.from('one')), true)
    time.at(startNs + 5, 0, () => void ours.send(Buffer.from('two')))
    await runAll(time)
    assert.deepEqual(come, [
      ['one', LATENCY_NS],
      ['two', LATENCY_NS + 5]
    ])
  })

  test('that is closed is closed at the other end when everything has come', async () => {
    const { time, ours, theirs } = await stream()
    let bytes = 0
    theirs.addEventListener('message', ({ data }) => {
      bytes += data.byteLength
    })
    ours.send(new Uint8Array(5000))
    await after(time, ours.close())
    assert.deepEqual([bytes, theirs.status, theirs.readableEnded], [5000, 'open', true])
    await after(time, theirs.close())
    assert.deepEqual([ours.status, theirs.status], ['closed', 'closed'])
  })

  test('holds on to what a limited up-link cannot take, and drains', async () => {
    const bytesPerSecond = 1e6
    const { time, ours, theirs } = await stream({ bytesPerSecond })
    const startNs = time.nowNs
    let bytes = 0
    theirs.addEventListener('message', ({ data }) => {
      bytes += data.byteLength
    })
    const chunk = new Uint8Array(100_000)
    const sent = Array.from({ length: 5 }, () => ours.send(chunk))
    assert.deepEqual(sent, [true, true, false, false, false])
    assert.equal(ours.writeBufferLength, 200_000)
    let drainedNs = 0
    ours.addEventListener('drain', () => {
      drainedNs ||= time.nowNs - startNs
    })
    await runAll(time)
    // as soon as less than 256 KiB wait: the first write has left
    assert.equal(drainedNs, (100_000 * 1e9) / bytesPerSecond)
    assert.deepEqual([bytes, ours.writeBufferLength], [500_000, 0])
    assert.equal(time.nowNs - startNs, 0.5e9 + LATENCY_NS)
  })
})

describe('a node takes its time for what comes', () => {
  for (const [signatures, costNs] of /** @type {['none' | 'every', number][]} */ ([
    ['none', 1 * MS],
    ['every', 1 * MS]
  ]))
    test(`one RPC after the other, signatures of ${signatures}`, async () => {
      const costs = { rpcNs: costNs, signatureNs: 3 * MS, signatures, seenNs: 0 }
      const { time, ours, theirs } = await stream({ costs })
      const startNs = time.nowNs
      /** @type {number[]} */
      const comeNs = []
      theirs.addEventListener('message', () => comeNs.push(time.nowNs - startNs))
      // lengths of RPCs without content
      for (let i = 0; i < 3; i++) ours.send(Uint8Array.of(0))
      await runAll(time)
      assert.deepEqual(
        comeNs,
        [1, 2, 3].map(n => LATENCY_NS + n * costNs)
      )
    })
})
