import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_SERIES_STEPS } from '../../../../src/measure/series.js'
import { MeshSeries } from '../../../../src/scenarios/gossip/outcome.js'
import { range } from '../../../measure/samples.js'

/** @param {number} second @param {number[]} degrees */
const interval = (second, degrees) => ({
  atNs: 5e9 + second * 1e9,
  meshDegree: {
    min: Math.min(...degrees),
    max: Math.max(...degrees),
    sum: degrees.reduce((sum, degree) => sum + degree, 0),
    count: degrees.length
  }
})

describe('mesh degree over time', () => {
  it('is over the nodes of all workers', () => {
    const series = new MeshSeries(5e9)
    series.add(0, interval(0.2, [1, 2]))
    series.add(1, interval(0.7, [9, 5, 3]))
    series.add(0, interval(1.2, [4, 4]))
    series.add(1, interval(1.8, [4]))
    assert.deepEqual(series.result(), [
      { atMs: 0, min: 1, avg: 4, max: 9 },
      { atMs: 1000, min: 4, avg: 4, max: 4 }
    ])
  })

  it('keeps what a worker told last while it tells nothing, until it has told its last', () => {
    const series = new MeshSeries(5e9)
    for (const second of [0, 1, 2, 3]) series.add(0, interval(second, [6]))
    series.add(1, interval(0, [2]))
    series.add(1, interval(2, [4]))
    const actual = series.result().flatMap(({ min, avg }) => [min, avg])
    assert.deepEqual(actual, [2, 4, 2, 4, 4, 5, 6, 6])
  })

  it('leaves out workers without subscriptions and is empty without any', () => {
    const series = new MeshSeries(5e9)
    series.add(0, { atNs: 6e9, meshDegree: { min: 0, max: 0, sum: 0, count: 0 } })
    assert.deepEqual(series.result(), [])
  })

  it('halves its resolution when it grows long, and the order of intervals makes no difference', () => {
    const times = range(0, MAX_SERIES_STEPS * 3 - 1)
    const degreeAt = (/** @type {number} */ second) => [second % 10, 6]
    const seriesOf = (/** @type {number[]} */ order) => {
      const series = new MeshSeries(5e9)
      for (const second of order) series.add(second % 2, interval(second, degreeAt(second)))
      return series.result()
    }
    const forwards = seriesOf(times)
    assert.deepEqual([forwards.length, forwards[1].atMs], [(MAX_SERIES_STEPS * 3) / 4, 4000])
    assert.deepEqual([forwards[0].min, forwards[0].max, seriesOf(times.toReversed())], [0, 6, forwards])
  })
})
