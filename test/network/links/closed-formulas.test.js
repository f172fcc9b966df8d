import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { LinkModel } from '../../../src/network/link-model.js'
import { wireBytesOf } from '../../../src/network/links/direction.js'
import { arrivals, MS } from './connection.js'
import { directionOf } from './direction.js'

/**
 * @typedef {import('../../../src/network/link-model.js').LinkSettings} LinkSettings
 * @typedef {import('./direction.js').Direction} Direction
 */

/** @type {import('../../../src/network/links/direction.js').Layers} */
const LAYERS = { muxer: 'yamux', security: 'noise', tcp: true }

/** @type {LinkSettings} */
const IDEAL = {
  latency: { kind: 'constant', ms: 50 },
  jitter: null,
  lossShare: 0,
  upBytesPerSecond: null,
  downBytesPerSecond: null,
  linkBytesPerSecond: null,
  cuts: [],
  layers: LAYERS,
  tcp: false
}

/** @param {Partial<LinkSettings>} settings @param {number} nodes */
const modelOf = (settings, nodes) =>
  new LinkModel(
    { ...IDEAL, ...settings },
    { nodes, streams: (...name) => makeSubStream(1, 'links', ...name) }
  )

/**
 * drive advances directions that share queues in the order of time.
 *
 * @param {Direction[]} directions
 * @returns {number[]} when the first write of each can be read
 */
function drive(directions) {
  const first = directions.map(() => Number.NaN)
  for (;;) {
    const times = directions.map(({ nextNs }) => nextNs)
    const nowNs = Math.min(...times)
    if (nowNs === Infinity) return first
    const which = times.indexOf(nowNs)
    if (directions[which].advance(nowNs) > 0 && Number.isNaN(first[which])) first[which] = nowNs
  }
}

/** @param {LinkModel} model @param {number} nodes @param {number} bytes @returns {number} when the last of a line has it, ns */
function throughLine(model, nodes, bytes) {
  let nowNs = 0
  for (let node = 1; node < nodes; node += 1) {
    nowNs = arrivals(directionOf(model, node - 1, node), [[nowNs, bytes]])[0]
  }
  return nowNs
}

describe('what a write is on the wire', () => {
  /** @type {[bytes: number, layers: import('../../../src/network/links/direction.js').Layers, wire: number][]} */
  const rows = [
    [1000, LAYERS, 1000 + 12 + 18 + 2 * 52],
    [1187, LAYERS, 1187 + 12 + 18 + 2 * 52],
    [1188, LAYERS, 1188 + 12 + 18 + 5 * 52],
    [1450, LAYERS, 1450 + 12 + 18 + 5 * 52],
    [1451, LAYERS, 1451 + 12 + 18 + 6 * 52],
    [65_507, LAYERS, 65_507 + 12 + 18 + 50 * 52],
    [65_508, LAYERS, 65_508 + 12 + 2 * 18 + 52 * 52],
    [262_133, { ...LAYERS, tcp: false }, 262_133 + 2 * 12 + 6 * 18],
    [1000, { ...LAYERS, security: 'plaintext' }, 1000 + 12 + 3 * 52],
    [1000, { ...LAYERS, muxer: 'mplex' }, 1000 + 3 + 18 + 2 * 52],
    [100, { ...LAYERS, muxer: 'mplex' }, 100 + 2 + 18 + 2 * 52],
    [1_048_577, { muxer: 'mplex', security: null, tcp: false }, 1_048_577 + 4 + 2],
    [1000, { muxer: null, security: null, tcp: false }, 1000]
  ]
  for (const [bytes, layers, wire] of rows) {
    it(`${bytes} bytes, ${JSON.stringify(layers)}: ${wire}`, () =>
      assert.equal(wireBytesOf(bytes, layers), wire))
  }
})

describe('a line of k nodes, published at one end: (k − 1)·(L + W/B)', () => {
  for (const nodes of [2, 3, 10]) {
    for (const ms of [1, 50]) {
      for (const bytesPerSecond of [null, 1e6, 12_500_000]) {
        for (const bytes of [100, 1000, 100_000]) {
          const W = wireBytesOf(bytes, LAYERS)
          const transmissionNs = bytesPerSecond === null ? 0 : Math.round((W * 1e9) / bytesPerSecond)
          const expected = (nodes - 1) * (ms * MS + transmissionNs)
          it(`${nodes} nodes, ${ms} ms, ${bytesPerSecond} B/s, ${bytes} bytes: ${expected} ns`, () => {
            for (const where of ['up', 'down', 'link']) {
              const settings = {
                latency: /** @type {const} */ ({ kind: 'constant', ms }),
                [`${where}BytesPerSecond`]: bytesPerSecond
              }
              assert.equal(throughLine(modelOf(settings, nodes), nodes, bytes), expected, where)
            }
          })
        }
      }
    }
  }

  it('up-links and down-links of the same bandwidth take no longer than one of them: bytes pass as they come', () => {
    const both = { upBytesPerSecond: 1e6, downBytesPerSecond: 1e6, linkBytesPerSecond: 1e6 }
    const W = wireBytesOf(1000, LAYERS)
    assert.equal(throughLine(modelOf(both, 4), 4, 1000), 3 * (50 * MS + W * 1000))
  })

  it('the slowest of them counts', () => {
    const unlike = { upBytesPerSecond: 4e6, downBytesPerSecond: 1e6, linkBytesPerSecond: 2e6 }
    const W = wireBytesOf(1000, LAYERS)
    assert.equal(throughLine(modelOf(unlike, 2), 2, 1000), 50 * MS + W * 1000)
  })
})

describe('a star: the j-th copy that leaves one up-link is there at L + j·W/B', () => {
  for (const bytes of [100, 1000, 50_000]) {
    it(`${bytes} bytes`, () => {
      const model = modelOf({ upBytesPerSecond: 1e6 }, 7)
      const copies = [1, 2, 3, 4, 5, 6].map(node => directionOf(model, 0, node))
      for (const copy of copies) copy.send(bytes, 0)
      const W = wireBytesOf(bytes, LAYERS)
      assert.deepEqual(
        drive(copies),
        [1, 2, 3, 4, 5, 6].map(j => 50 * MS + j * W * 1000)
      )
    })
  }

  it('so it is at the down-link of one node that six send to', () => {
    const model = modelOf({ downBytesPerSecond: 1e6 }, 7)
    const copies = [1, 2, 3, 4, 5, 6].map(node => directionOf(model, node, 0))
    for (const copy of copies) copy.send(1000, 0)
    const W = wireBytesOf(1000, LAYERS)
    assert.deepEqual(
      drive(copies),
      [1, 2, 3, 4, 5, 6].map(j => 50 * MS + j * W * 1000)
    )
  })

  it('what comes first is served first, whatever was sent first', () => {
    const ms = [
      [0, 0, 0],
      [100, 0, 0],
      [10, 0, 0]
    ]
    const model = modelOf({ latency: { kind: 'matrix', ms }, downBytesPerSecond: 1e6 }, 3)
    const [far, near] = [directionOf(model, 1, 0), directionOf(model, 2, 0)]
    far.send(1000, 0)
    near.send(1000, 0)
    const W = wireBytesOf(1000, LAYERS)
    assert.deepEqual(drive([far, near]), [100 * MS + W * 1000, 10 * MS + W * 1000])
  })
})

describe('two flows on one up-link', () => {
  it('take turns in the order of their writes, and each has half of it', () => {
    const model = modelOf({ upBytesPerSecond: 1e6 }, 3)
    const [one, other] = [directionOf(model, 0, 1), directionOf(model, 0, 2)]
    for (let write = 0; write < 100; write += 1) {
      one.send(1000, 0)
      other.send(1000, 0)
    }
    const W = wireBytesOf(1000, LAYERS) * 1000
    assert.deepEqual([one.departures.count(100 * W), other.departures.count(100 * W)], [50, 50])
    assert.deepEqual([one.departures.count(200 * W - 1), other.departures.count(200 * W - 1)], [100, 99])
  })

  it('with TCP a large transfer and small writes share it by segments', () => {
    const model = modelOf({ tcp: true, upBytesPerSecond: 1e6, latency: { kind: 'constant', ms: 5 } }, 3)
    const [large, small] = [directionOf(model, 0, 1), directionOf(model, 0, 2)]
    large.send(1_000_000, 0)
    small.send(1000, 0)
    // behind the ten segments of the initial window, of which three have lengths and a header, not behind a megabyte
    const windowBytes = 2 + 12 + 3 + 3 * 52 + 7 * 1500
    assert.deepEqual(drive([small]), [5 * MS + (windowBytes + wireBytesOf(1000, LAYERS)) * 1000])
  })
})

describe('jitter', () => {
  for (const tcp of [false, true]) {
    it(`keeps the order of a connection, ${tcp ? 'with' : 'without'} TCP`, () => {
      const model = modelOf({ tcp, jitter: { kind: 'share', share: 0.5 } }, 2)
      const writes = Array.from(
        { length: 500 },
        (_, index) => /** @type {[number, number]} */ ([index * MS, 1000])
      )
      const times = arrivals(directionOf(model, 0, 1), writes)
      assert.equal(times.length, 500)
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b)
      )
      assert.ok(times.every((time, index) => time >= index * MS + 25 * MS))
      assert.ok(new Set(times.map((time, index) => time - index * MS)).size > 50, 'latencies vary')
    })
  }
})

describe('a network from its seed', () => {
  const lossy = { tcp: true, lossShare: 0.05, jitter: /** @type {const} */ ({ kind: 'share', share: 0.01 }) }
  const writes = Array.from(
    { length: 300 },
    (_, index) => /** @type {[number, number]} */ ([index * MS, 1000])
  )

  it('is the same again, and the same with a further node', () => {
    const times = [6, 6, 7].map(nodes => arrivals(directionOf(modelOf(lossy, nodes), 2, 5), writes))
    assert.deepEqual(times[0], times[1])
    assert.deepEqual(times[0], times[2])
  })

  it('has losses of their own on each link, direction and connection', () => {
    const model = modelOf(lossy, 6)
    const others = [
      directionOf(model, 2, 5),
      directionOf(model, 5, 2),
      directionOf(model, 2, 4),
      directionOf(model, 2, 5, 1)
    ]
    const times = others.map(direction => arrivals(direction, writes).join())
    assert.equal(new Set(times).size, 4)
  })

  it('cannot lose anything without TCP', () => {
    assert.throws(() => modelOf({ lossShare: 0.01 }, 2), /need tcp: true/)
  })
})
