import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { computeLogarithm, makeSubStream } from '../../../src/kit/random.js'
import {
  exponentialOf,
  makeJitterSampler,
  makeLatencySampler,
  makeLinkLatencies,
  normalQuantile
} from '../../../src/network/link-properties.js'
import { MS } from './connection.js'

/** @typedef {import('../../../src/network/link-properties.js').LatencySpec} LatencySpec */

const streams = (/** @type {(string | number)[]} */ ...name) => makeSubStream(7, ...name)

/** @param {number} from @param {number} to @param {number} steps */
const range = (from, to, steps) =>
  Array.from({ length: steps + 1 }, (_, i) => from + ((to - from) * i) / steps)

describe('elementary functions', () => {
  it('the exponential is right to twelve digits', () => {
    for (const x of range(-30, 30, 601)) {
      assert.ok(Math.abs(exponentialOf(x) / Math.exp(x) - 1) < 1e-12, `e^${x}`)
    }
  })

  it('the logarithm is right to thirteen digits', () => {
    for (const x of [...range(0.001, 5, 999), 1e-300, 1e-9, 1, 2, 1e9, 1e300]) {
      assert.ok(
        Math.abs(computeLogarithm(x) - Math.log(x)) <= 1e-13 * Math.max(1, Math.abs(Math.log(x))),
        `ln ${x}`
      )
    }
  })

  it('the logarithm of nothing is refused', () => {
    for (const x of [0, -1, Number.NaN, Infinity]) assert.throws(() => computeLogarithm(x), RangeError)
  })

  /** Quantiles of the standard normal distribution, from tables. */
  const quantiles = [
    [0.5, 0],
    [0.75, 0.67449],
    [0.9, 1.28155],
    [0.975, 1.95996],
    [0.99, 2.32635],
    [0.999, 3.09023],
    [0.025, -1.95996],
    [0.001, -3.09023],
    [0, -4],
    [1, 4]
  ]
  for (const [probability, z] of quantiles) {
    it(`the normal quantile of ${probability} is ${z}`, () => {
      assert.ok(Math.abs(normalQuantile(probability) - z) < 2e-4, String(normalQuantile(probability)))
    })
  }
})

describe('latencies of links', () => {
  /** @type {{ spec: import('../../../src/network/link-properties.js').DrawnLatency, mean: number, sd: number }[]} */
  const rows = [
    { spec: { kind: 'constant', ms: 50 }, mean: 50, sd: 0 },
    { spec: { kind: 'uniform', minMs: 40, maxMs: 60 }, mean: 50, sd: 20 / Math.sqrt(12) },
    { spec: { kind: 'normal', meanMs: 50, sdMs: 10 }, mean: 50, sd: 10 },
    { spec: { kind: 'lognormal', meanMs: 50, sdMs: 20 }, mean: 50, sd: 20 }
  ]
  for (const { spec, mean, sd } of rows) {
    it(`${spec.kind}: mean and standard deviation are those asked for, in whole nanoseconds`, () => {
      const random = makeSubStream(1, spec.kind)
      const sample = makeLatencySampler(spec)
      const draws = Array.from({ length: 20_000 }, () => sample(random) / MS)
      const average = draws.reduce((sum, ms) => sum + ms, 0) / draws.length
      const variance = draws.reduce((sum, ms) => sum + (ms - average) ** 2, 0) / draws.length
      assert.ok(draws.every(ms => Number.isInteger(Math.round(ms * MS)) && ms >= 0))
      assert.ok(Math.abs(average - mean) < 0.5, `mean ${average}`)
      assert.ok(Math.abs(Math.sqrt(variance) - sd) < 0.5, `standard deviation ${Math.sqrt(variance)}`)
    })
  }

  it('a normal latency is never negative', () => {
    const sample = makeLatencySampler({ kind: 'normal', meanMs: 1, sdMs: 10 })
    const found = sample(() => 0.01)
    assert.equal(found, 0)
  })

  it('a link has one latency, both ways, and a further node changes none', () => {
    /** @type {LatencySpec} */
    const spec = { kind: 'lognormal', meanMs: 50, sdMs: 20 }
    const [few, many] = [
      makeLinkLatencies(spec, { nodes: 10, streams }),
      makeLinkLatencies(spec, { nodes: 11, streams })
    ]
    assert.equal(few(3, 8), few(3, 8))
    assert.equal(few(3, 8), few(8, 3))
    assert.equal(few(3, 8), many(3, 8))
    assert.notEqual(few(3, 8), few(3, 9))
  })

  it('these draws never change: a seed stands for a network', () => {
    const latency = makeLinkLatencies({ kind: 'lognormal', meanMs: 50, sdMs: 20 }, { nodes: 10, streams })
    assert.deepEqual([latency(0, 1), latency(3, 8)], [48_964_770, 34_882_921])
  })

  it('a matrix with a row for each node is taken as it is, one way like the other or not', () => {
    const latency = makeLinkLatencies(
      {
        kind: 'matrix',
        ms: [
          [0, 10],
          [20, 0]
        ]
      },
      { nodes: 2, streams }
    )
    assert.deepEqual([latency(0, 1), latency(1, 0)], [10 * MS, 20 * MS])
  })

  it('nodes are placed in the regions of a smaller one by weight', () => {
    /** @type {LatencySpec} */
    const spec = {
      kind: 'matrix',
      ms: [
        [1, 100],
        [100, 2]
      ],
      weights: [3, 1]
    }
    const latency = makeLinkLatencies(spec, { nodes: 1000, streams })
    const inner = Array.from({ length: 1000 }, (_, node) => latency(node, node) / MS)
    const first = inner.filter(ms => ms === 1).length
    assert.ok(first > 700 && first < 800, `${first} of 1000 in the first region`)
    assert.equal(inner.filter(ms => ms === 2).length, 1000 - first)
  })
})

describe('jitter', () => {
  it('stays within its share of the latency, and is even', () => {
    const next = makeJitterSampler(
      { kind: 'share', share: 0.1 },
      { latencyNs: 50 * MS, random: makeSubStream(1, 'jitter') }
    )
    const draws = Array.from({ length: 10_000 }, () => next() / MS)
    assert.ok(draws.every(ms => ms >= 45 && ms <= 55))
    assert.ok(Math.abs(draws.reduce((sum, ms) => sum + ms, 0) / draws.length - 50) < 0.1)
  })

  it('given as a time, it never makes a latency negative', () => {
    const next = makeJitterSampler({ kind: 'time', ms: 5 }, { latencyNs: MS, random: () => 0 })
    assert.equal(next(), 0)
  })

  it('of nothing draws nothing', () => {
    const next = makeJitterSampler(
      { kind: 'share', share: 0 },
      { latencyNs: MS, random: () => assert.fail() }
    )
    assert.equal(next(), MS)
  })
})
