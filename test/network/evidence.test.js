import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Columns } from '../../src/kit/collections.js'
import { METRIC_COUNTERS, makeCountingRegister, makePayload } from '../../src/network/gossipsub.js'
import { PeerNumbers } from '../../src/network/node-host.js'
import { DeliveryRecorder, MeshObserver, OutboundStreamObserver } from '../../src/network/node-observer.js'
import { RUN_NONCE, rowsOf } from './network.js'

/** A clock that is set, and peers a = 0, b = 1, c = 2. */
function surroundings() {
  const time = { ns: 0 }
  const peers = new PeerNumbers()
  peers.add(['a', 'b', 'c'].map((peerId, node) => ({ peerId, node, multiaddr: '' })))
  return { time, peers, now: () => time.ns }
}

class FakeStream extends EventTarget {
  writeBufferLength = 0

  /** @param {{ protocol?: string, direction?: string }} [options] */
  constructor({ protocol = '/meshsub/1.2.0', direction = 'outbound' } = {}) {
    super()
    this.protocol = protocol
    this.direction = direction
  }

  close() {
    this.dispatchEvent(new Event('close'))
  }
}

/** @param {string} peerId @param {FakeStream[]} streams */
const connectionTo = (peerId, ...streams) => ({
  remotePeer: peerId,
  status: 'open',
  streams,
  addEventListener: () => {}
})

/** @param {any[]} connections */
function streamsOver(...connections) {
  const { time, ...components } = surroundings()
  const streams = new OutboundStreamObserver(components)
  streams.watch(0, /** @type {any} */ ({ getConnections: () => connections }))
  streams.look(0)
  return { streams, time }
}

describe('outbound streams', () => {
  it('tell what waits in them, by peer and in all', () => {
    const [toB, toC] = [new FakeStream(), new FakeStream()]
    const inbound = new FakeStream({ direction: 'inbound' })
    const identify = new FakeStream({ protocol: '/ipfs/id/1.0.0' })
    const { streams } = streamsOver(connectionTo('b', toB, inbound), connectionTo('c', identify, toC))
    for (const stream of [toC, inbound, identify]) stream.writeBufferLength = 10
    assert.equal(streams.backlogOf(0), 10)
    assert.equal(streams.backlogBytes, 10)
    assert.deepEqual(streams.backlog(), [{ from: 0, to: 2, bytes: 10 }])
    assert.deepEqual([...streams.peersWithStream(0)], [1, 2])
  })

  it('that end while their connection is open are aborted ones', () => {
    const [toB, toC] = [new FakeStream(), new FakeStream()]
    const toClosing = connectionTo('c', toC)
    const { streams, time } = streamsOver(connectionTo('b', toB), toClosing)
    time.ns = 5
    toB.close()
    toClosing.status = 'closed'
    toC.close()
    assert.equal(streams.abortedCount, 1)
    assert.deepEqual(streams.aborted(), [{ from: 0, to: 1, atNs: 5 }])
    assert.deepEqual([...streams.peersWithStream(0)], [])
    assert.equal(streams.backlogOf(0), 0)
  })

  it('that the run itself closes are no evidence', () => {
    const toB = new FakeStream()
    const { streams } = streamsOver(connectionTo('b', toB))
    streams.stop()
    toB.close()
    assert.equal(streams.abortedCount, 0)
  })

  it('that are opened later are found by the next look, once', () => {
    const connection = connectionTo('b')
    const { streams } = streamsOver(connection)
    const toB = new FakeStream()
    connection.streams.push(toB)
    streams.look(0)
    streams.lookAtAll()
    toB.close()
    assert.equal(streams.abortedCount, 1)
  })
})

class FakeGossipsub extends EventTarget {
  /** @type {Record<string, string[]>} */
  mesh = {}
  /** @type {Record<string, string[]>} */
  subscribers = {}

  getMeshPeers = (/** @type {string} */ topic) => this.mesh[topic] ?? []
  getSubscribers = (/** @type {string} */ topic) => this.subscribers[topic] ?? []

  /** @param {string} type @param {Record<string, string[]>} mesh */
  becomes(type, mesh) {
    this.mesh = mesh
    this.dispatchEvent(new Event(`gossipsub:${type}`))
  }
}

/** @param {number[]} topics */
function watchedMesh(topics) {
  const { time, ...components } = surroundings()
  const mesh = new MeshObserver({ ...components, topics: ['x', 'y'] })
  const gossipsub = new FakeGossipsub()
  time.ns = 1
  mesh.watch(0, /** @type {any} */ (gossipsub), topics)
  return { mesh, gossipsub, time }
}

describe('a mesh', () => {
  it('is told by topic, without what is not of the network', () => {
    const { mesh, gossipsub, time } = watchedMesh([1])
    gossipsub.subscribers = { x: ['b'], y: ['b', 'c', 'stranger'] }
    time.ns = 7
    gossipsub.becomes('graft', { y: ['c'] })
    time.ns = 9
    assert.deepEqual(mesh.state(), {
      atNs: 9,
      lastChangeNs: 7,
      nodes: [{ node: 0, subscribers: [[], [1, 2]], mesh: [[], [2]] }]
    })
    assert.deepEqual(mesh.degrees(), { min: 1, max: 1, sum: 1, count: 1 })
    const found = mesh.withoutStream(() => new Set([1]))
    assert.deepEqual(found, [{ node: 0, peer: 2, topic: 1 }])
    const all = mesh.withoutStream(() => new Set([2]))
    assert.deepEqual(all, [])
  })

  it('is noted while it is empty, also when it empties without an event', () => {
    const { mesh, gossipsub, time } = watchedMesh([0, 1])
    time.ns = 4
    gossipsub.becomes('graft', { x: ['b'] })
    time.ns = 6
    gossipsub.becomes('heartbeat', { y: ['b'] })
    time.ns = 8
    gossipsub.becomes('prune', {})
    mesh.stop()
    gossipsub.becomes('graft', { x: ['b'], y: ['b'] })
    assert.deepEqual(mesh.withoutMesh(), [
      { node: 0, topic: 0, fromNs: 1, toNs: 4 },
      { node: 0, topic: 1, fromNs: 1, toNs: 6 },
      { node: 0, topic: 0, fromNs: 6, toNs: null },
      { node: 0, topic: 1, fromNs: 8, toNs: null }
    ])
  })

  it('that is only looked after has not changed', () => {
    const { mesh, gossipsub, time } = watchedMesh([0])
    time.ns = 3
    gossipsub.becomes('heartbeat', {})
    assert.equal(mesh.lastChangeNs, 0)
  })
})

describe('deliveries', () => {
  it('are noted with who they came from; what is not of the run is counted', () => {
    const { time, ...components } = surroundings()
    const deliveries = new DeliveryRecorder({ ...components, runNonce: RUN_NONCE })
    const gossipsub = new EventTarget()
    deliveries.listenTo(2, /** @type {any} */ (gossipsub))
    const receive = (/** @type {Uint8Array} */ data, propagationSource = 'b') =>
      gossipsub.dispatchEvent(
        new CustomEvent('gossipsub:message', { detail: { propagationSource, msg: { data } } })
      )
    time.ns = 5
    receive(makePayload(RUN_NONCE, 70_000, 20))
    receive(makePayload(RUN_NONCE + 1, 3, 20))
    receive(new Uint8Array(3))
    receive(makePayload(RUN_NONCE, 4, 20), 'stranger')
    assert.deepEqual(rowsOf(deliveries.take()), [{ message: 70_000, node: 2, from: 1, atNs: 5 }])
    assert.equal(deliveries.foreign, 3)
    assert.deepEqual(rowsOf(deliveries.take()), [])
  })
})

describe('columns', () => {
  it('grow, and begin anew when they are taken', () => {
    const table = new Columns({ number: Uint32Array, half: Float64Array })
    for (const rows of [5000, 3]) {
      for (let i = 0; i < rows; i++) {
        const row = table.next()
        table.columns.number[row] = i
        table.columns.half[row] = i / 2
      }
      const taken = table.take()
      assert.equal(taken.number.length, rows)
      assert.deepEqual(rowsOf(taken).at(-1), { number: rows - 1, half: (rows - 1) / 2 })
    }
  })
})

describe('the register of metrics', () => {
  it('counts what is needed of all nodes, with labels or without', () => {
    const { register, counts } = makeCountingRegister()
    for (const [name, counter] of Object.entries(METRIC_COUNTERS)) {
      const before = counts()[counter]
      const plain = /** @type {any} */ (register.gauge(/** @type {any} */ ({ name, help: '' })))
      plain.inc()
      plain.inc(3)
      const labelled = /** @type {any} */ (
        register.gauge(/** @type {any} */ ({ name, help: '', labelNames: ['topic'] }))
      )
      labelled.inc({ topic: 'x' })
      labelled.inc({ topic: 'x' }, 5)
      labelled.set({ topic: 'x' }, 100)
      assert.equal(counts()[counter] - before, 10, name)
    }
  })

  it('takes everything else without counting it', () => {
    const { register, counts } = makeCountingRegister()
    const config = /** @type {any} */ ({ name: 'other', help: '' })
    const gauge = register.gauge(config)
    gauge.inc(5)
    gauge.set(5)
    gauge.addCollect(() => {})
    const histogram = register.histogram(config)
    histogram.startTimer()()
    histogram.observe(1)
    histogram.reset()
    register.avgMinMax(config).set([1])
    assert.ok(Object.values(counts()).every(count => count === 0))
  })
})
