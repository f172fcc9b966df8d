import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scoreBucketOf } from '../../../../src/network/gossipsub.js'
import { ScoreSeries, scoresByNode } from '../../../../src/scenarios/gossip/outcome.js'

/** @param {number} atS @param {number[]} scores */
function stepOf(atS, scores) {
  const buckets = new Map()
  for (const score of scores) buckets.set(scoreBucketOf(score), (buckets.get(scoreBucketOf(score)) ?? 0) + 1)
  return {
    atNs: atS * 1e9,
    min: Math.min(...scores),
    below: [0, -10, -50, -80].map(limit => scores.filter(score => score < limit).length),
    buckets: Int16Array.from(buckets.keys()),
    counts: Uint32Array.from(buckets.values())
  }
}

const upTo = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i + 1)

describe('scores over time', () => {
  test('are joined over workers, in whatever order they tell', () => {
    const [one, other] = [stepOf(11, upTo(50)), stepOf(11, [...upTo(100).slice(50), -20])]
    const [series, turned] = [new ScoreSeries(10e9), new ScoreSeries(10e9)]
    series.add([one])
    series.add([other])
    turned.add([other, one])
    assert.deepEqual(series.result(), turned.result())
    const [{ p5, p50, p95, ...step }] = series.result()
    assert.deepEqual(step, {
      ...{ atMs: 1000, samples: 101, min: -20 },
      below: { zero: 1 / 101, gossipThreshold: 1 / 101, publishThreshold: 0, graylistThreshold: 0 }
    })
    for (const [found, exact] of [
      [p5, 5],
      [p50, 50],
      [p95, 95]
    ])
      assert.ok(Math.abs(found / exact - 1) < 0.0151, `${found} for ${exact}`)
  })

  test('begin with publishing, and become fewer where there are too many', () => {
    const series = new ScoreSeries(10e9)
    series.add([stepOf(9, [1])])
    assert.deepEqual(series.result(), [])
    for (let atS = 10; atS < 1010; atS++) series.add([stepOf(atS, [1, -1])])
    const steps = series.result()
    assert.equal(steps.length, 250)
    assert.deepEqual([steps[1].atMs, steps[1].samples, steps[1].below.zero], [4000, 8, 0.5])
  })
})

test('scores by node are those of all workers', () => {
  const ends = [
    { scores: { peer: Uint16Array.of(3, 1, 3), score: Float64Array.of(1, 7, 4) } },
    {},
    { scores: { peer: Uint16Array.of(3), score: Float64Array.of(-5) } },
    { scores: { peer: Uint16Array.of(3), score: Float64Array.of(2) } }
  ]
  assert.deepEqual(scoresByNode(ends), [
    { node: 1, peers: 1, median: 7, min: 7 },
    { node: 3, peers: 4, median: 1.5, min: -5 }
  ])
})
