import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import {
  hasImpairments,
  listImpairments,
  lookaheadNs,
  makeJitterSampler,
  makeLinkLatencies,
  makeLinkProperties
} from '../../src/network/link-properties.js'

/** @type {any} */
const NOTHING = {
  ...{ linkLatencyMs: 0, linkLatencies: null, linkJitter: null, linkLossShare: null, partitions: [] },
  ...{ linkBandwidthBytesPerSecond: null, upBandwidthBytesPerSecond: null, downBandwidthBytesPerSecond: null }
}
const FREE = { kind: 'constant', ms: 0 }
const DRAWN = { kind: 'uniform', minMs: 1, maxMs: 2 }

/** @type {[Record<string, unknown>, Record<string, unknown>, string[]][]} values of options, what the plan has of them, options named */
const CASES = [
  [{}, {}, []],
  [{ linkLatency: FREE, linkLoss: 0 }, { linkLossShare: 0 }, []],
  [{ linkLatency: { kind: 'constant', ms: 5 } }, { linkLatencyMs: 5 }, ['linkLatency']],
  [{ linkLatency: DRAWN }, { linkLatencies: DRAWN }, ['linkLatency']],
  // a share of no latency
  ...[
    { kind: 'share', share: 0.05 },
    { kind: 'time', ms: 0 }
  ].map(
    linkJitter =>
      /** @type {[Record<string, unknown>, Record<string, unknown>, string[]]} */ ([
        { linkJitter },
        { linkJitter },
        []
      ])
  ),
  [{ linkJitter: { kind: 'time', ms: 5 } }, { linkJitter: { kind: 'time', ms: 5 } }, ['linkJitter']],
  [{ linkLoss: 0.01 }, { linkLossShare: 0.01 }, ['linkLoss']],
  [{ linkBandwidth: 1e6 }, { linkBandwidthBytesPerSecond: 1e6 }, ['linkBandwidth']],
  [{ upBandwidth: 1e6 }, { upBandwidthBytesPerSecond: 1e6 }, ['upBandwidth']],
  [{ downBandwidth: 1e6 }, { downBandwidthBytesPerSecond: 1e6 }, ['downBandwidth']],
  [{ partition: [{}] }, { partitions: [{}] }, ['partition']],
  [{ topology: { kind: 'full' } }, { topology: { kind: 'full' } }, []],
  ...[
    { kind: 'file', links: [] },
    { kind: 'file', hosts: [] }
  ].map(
    topology =>
      /** @type {[Record<string, unknown>, Record<string, unknown>, string[]]} */ ([
        { topology },
        { topology },
        ['topology']
      ])
  )
]

describe('what is asked of links is the same, as options say it and as a plan does', () => {
  for (const [values, inPlan, named] of CASES)
    test(JSON.stringify(values), () => {
      assert.deepEqual(listImpairments(values), named)
      assert.equal(hasImpairments({ ...NOTHING, ...inPlan }), named.length > 0)
    })
})

const MS = 1e6

/** @typedef {import('../../src/network/link-properties.js').LatencySpec} LatencySpec */

test('nothing that a node sends is there before the lookahead, over whatever links', () => {
  const streams = (/** @type {(string | number)[]} */ ...name) => makeSubStream(1, ...name)
  for (const latency of /** @type {LatencySpec[]} */ ([
    { kind: 'uniform', minMs: 40, maxMs: 60 },
    { kind: 'normal', meanMs: 50, sdMs: 10 },
    { kind: 'lognormal', meanMs: 50, sdMs: 20 },
    { kind: 'matrix', ms: [[2, 110], [110, 4]] } // biome-ignore format: a table
  ]))
    for (const spec of /** @type {(import('../../src/network/link-properties.js').JitterSpec | null)[]} */ ([
      null,
      { kind: 'share', share: 0.2 },
      { kind: 'ms', ms: 1 }
    ])) {
      const latencies = makeLinkLatencies(latency, { nodes: 40, streams })
      const leastNs = lookaheadNs({ latency, jitter: spec }, 40)
      assert.ok(leastNs > 0)
      for (let node = 1; node < 40; node++) {
        const latencyNs = latencies(0, node)
        const random = makeSubStream(2, 'jitter', node)
        const ofSegment = spec === null ? () => latencyNs : makeJitterSampler(spec, { latencyNs, random })
        for (let segment = 0; segment < 20; segment++) assert.ok(ofSegment() >= leastNs)
      }
    }
})

test('is that of the shortest link, less its jitter', () => {
  const constant = /** @type {const} */ ({ kind: 'constant', ms: 100 })
  assert.equal(lookaheadNs({ latency: constant, jitter: { kind: 'share', share: 0.01 } }, 9), 99 * MS)
  assert.equal(lookaheadNs({ latency: constant, jitter: { kind: 'share', share: 1 } }, 9), 0)
  assert.equal(lookaheadNs({ latency: { kind: 'constant', ms: 0 }, jitter: null }, 9), 0)
  // no link leads from a node to itself
  assert.equal(lookaheadNs({ latency: { kind: 'matrix', ms: [[0, 7], [9, 0]] }, jitter: null }, 2), 7 * MS) // biome-ignore format: a table
  assert.equal(lookaheadNs({ latency: { kind: 'matrix', ms: [[0, 7], [9, 0]] }, jitter: null }, 3), 0) // biome-ignore format: a table
})

describe('a link and a node have what is said of them, and else what all have', () => {
  const settings = {
    ...{ latency: /** @type {const} */ ({ kind: 'constant', ms: 100 }), lossShare: 0.01, jitter: null },
    ...{ linkBytesPerSecond: null, upBytesPerSecond: 5e6, downBytesPerSecond: null },
    links: [
      { from: 0, to: 1, latencyMs: 20.5, lossShare: 0 },
      { from: 1, to: 0, bytesPerSecond: 1e6 }
    ],
    hosts: [{}, { upBytesPerSecond: 1e6, downBytesPerSecond: 2e6 }]
  }
  const properties = makeLinkProperties(settings, { nodes: 3, streams: () => () => 0.5 })
  const ways = /** @type {[number, number][]} */ ([
    [0, 1],
    [1, 0],
    [1, 2]
  ])

  test('each direction of a link', () => {
    const found = ways.map(way => properties.latencyNs(...way) / MS)
    assert.deepEqual(found, [20.5, 100, 100])
    const all = ways.map(way => properties.lossShare(...way))
    assert.deepEqual(all, [0, 0.01, 0.01])
    const listed = ways.map(way => properties.linkBytesPerSecond(...way))
    assert.deepEqual(listed, [null, 1e6, null])
  })

  test('each node', () => {
    assert.deepEqual([0, 1, 2].map(properties.upBytesPerSecond), [5e6, 1e6, 5e6])
    assert.deepEqual([0, 1, 2].map(properties.downBytesPerSecond), [null, 2e6, null])
  })

  test('the lookahead is that of the shortest link, of which nothing is said too', () => {
    const shortest = (/** @type {number} */ latencyMs) =>
      lookaheadNs({ ...settings, jitter: null, links: [{ from: 0, to: 1, latencyMs }] }, 3) / MS
    assert.deepEqual([shortest(20), shortest(200)], [20, 100])
  })
})
