import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Histogram } from '../../../../src/measure/histogram.js'
import {
  HOUR_OF_POINTS,
  MOST_POINTS,
  PointsOverTime
} from '../../../../src/scenarios/rendezvous/measurement.js'

/** @param {number[]} us @param {string} [outcome] */
function ended(us, outcome = 'OK') {
  const histogram = new Histogram()
  for (const value of us) histogram.record(value)
  return { type: 'DISCOVER', outcome, data: histogram.toData() }
}

/** @param {PointsOverTime} points @param {number} seconds */
function fill(points, seconds) {
  for (let second = 0; second < seconds; second++) {
    points.add(second, ended([1000, 2000 + second]))
    if (second % 100 === 0) points.reconnect(second, 1)
  }
  return points
}

/** @param {PointsOverTime} points */
const operations = points =>
  points.entries().map(({ histogram }) => histogram.reduce((sum, [, count]) => sum + count, 0))

describe('points over time', () => {
  /** @type {[string, number, number, number][]} run, its seconds, seconds of a point, points */
  const runs = [
    ['of a second', 1, 1, 1],
    ['of ten minutes', 600, 1, 600],
    ['just longer than that', 601, 2, 301],
    ['of an hour', 3600, 8, 450],
    ['of a day', 86_400, 256, 338]
  ]
  for (const [name, seconds, width, count] of runs)
    it(`of a run ${name} cover ${width} s, and hold every operation`, () => {
      const points = fill(new PointsOverTime(), seconds)
      const told = points.entries()
      assert.deepEqual([points.secondsPerPoint, told.length], [width, count])
      assert.ok(told.every(({ second }, i) => second === i * width))
      assert.equal(
        operations(points).reduce((sum, n) => sum + n, 0),
        2 * seconds
      )
      assert.equal(
        [...points.reconnects.values()].reduce((sum, n) => sum + n, 0),
        Math.ceil(seconds / 100)
      )
      assert.ok([...points.reconnects.keys()].every(second => second % width === 0))
    })

  it('are never more than there is room for, whatever is told', () => {
    const points = new PointsOverTime()
    for (let second = 0; second < 5000; second += 7) {
      points.add(second, ended([900]))
      points.reconnect(second + 6, 1)
      assert.ok(points.entries().length <= MOST_POINTS && points.reconnects.size <= MOST_POINTS)
    }
  })

  it('that hold many different times are joined sooner, and not below a third of their number', () => {
    const points = new PointsOverTime(60)
    const many = ended(Array.from({ length: 2000 }, (_, i) => 1.005 ** i))
    let [least, operationsSoFar] = [Number.POSITIVE_INFINITY, 0]
    for (let second = 0; second < 4000; second++) {
      points.add(second, { ...many, outcome: `E${second % 7}` })
      operationsSoFar += many.data.count
      if (second > 1000) least = Math.min(least, (second + 1) / points.secondsPerPoint)
    }
    assert.ok(least >= 10 && least <= 20, `${least}`)
    assert.ok(points.secondsPerPoint > 4000 / 60, `${points.secondsPerPoint}`)
    assert.equal(
      operations(points).reduce((sum, n) => sum + n, 0),
      operationsSoFar
    )
  })

  it('take what comes late from another worker, in whatever order', () => {
    const points = new PointsOverTime(4)
    for (const [second, us] of [
      [3, 1000],
      [9, 5000],
      [0, 3000],
      [1, 1000],
      [1, 1000]
    ])
      points.add(second, ended([us]))
    assert.deepEqual(points.entries(), [
      {
        second: 0,
        type: 'DISCOVER',
        outcome: 'OK',
        histogram: [
          [1000, 3],
          [2992, 1]
        ]
      },
      { second: 8, type: 'DISCOVER', outcome: 'OK', histogram: [[4992, 1]] }
    ])
  })

  it('part what succeeded from what did not', () => {
    const points = new PointsOverTime()
    points.add(0, ended([1000]))
    points.add(0, ended([9e9], 'TIMEOUT'))
    assert.deepEqual(
      points.entries().map(({ outcome, histogram }) => [outcome, histogram.length]),
      [
        ['OK', 1],
        ['TIMEOUT', 1]
      ]
    )
  })

  it('are of a second for an hour where every second counts', () => {
    const points = fill(new PointsOverTime(HOUR_OF_POINTS), 3600)
    assert.deepEqual([points.secondsPerPoint, points.entries().length], [1, 3600])
  })

  it('are not kept where nobody draws them', () => {
    const points = fill(new PointsOverTime(0), 10)
    assert.deepEqual([points.entries(), points.reconnects.size], [[], 0])
  })
})
