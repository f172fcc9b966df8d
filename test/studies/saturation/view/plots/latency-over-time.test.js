import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  latencyBySecond,
  latencyMultiples
} from '../../../../../src/studies/saturation/view/plots/latency-over-time.js'

/** @param {number} second @param {[number, number][]} histogram @param {object} [more] */
const entry = (second, histogram, more) => ({ second, type: 'REGISTER', outcome: 'OK', histogram, ...more })
/** @param {import('../../../../../src/studies/saturation/view/plots/latency-over-time.js').Second[]} perSecond @param {number} [secondsPerPoint] */
const timed = (perSecond, secondsPerPoint) => ({
  outcome: { perSecond, ...(secondsPerPoint && { secondsPerPoint }) }
})

describe('times over time', () => {
  test('stand in the middle of what a point is of, without what was never sent', () => {
    const result = timed(
      [entry(0, [[2000, 1]]), entry(0, [[9000, 5]], { outcome: 'DROPPED' }), entry(4, [[3000, 1]])],
      4
    )
    assert.deepEqual(latencyBySecond(result), [
      { at: 2, median: 2, slowest: 2 },
      { at: 6, median: 3, slowest: 3 }
    ])
  })

  test('have no point where nothing took any time', () =>
    assert.deepEqual(latencyBySecond(timed([entry(0, [[0, 3]]), entry(1, [])])), []))

  test('have the median of all that ended in a second, whatever their outcome', () => {
    const result = timed([
      entry(0, [
        [1000, 2],
        [5000, 1]
      ]),
      entry(0, [[4000, 2]], { outcome: 'TIMEOUT' })
    ])
    assert.deepEqual(latencyBySecond(result), [{ at: 0.5, median: 4, slowest: 5 }])
  })
})

describe('small plots of times', () => {
  /** @param {string} id @param {ReturnType<typeof timed>} result */
  const run = (id, result) => ({ id, title: `Trial ${id}`, note: 'not sustained', result })
  const long = timed([0, 1, 2].map(second => entry(second, [[1000 * (second + 1), 1]])))
  const short = timed([entry(0, [[40_000, 1]])])

  test('are one for each run with times, all on the same axes', () => {
    const plots = latencyMultiples([run('a', long), run('b', short), run('c', timed([]))])
    assert.deepEqual(
      plots.map(({ id, title, caption }) => [id, title, caption]),
      [
        ['a', 'Trial a', 'not sustained'],
        ['b', 'Trial b', 'not sustained']
      ]
    )
    const axes = plots.map(({ spec }) => spec.encoding.y.scale.domain)
    assert.deepEqual(axes[0], axes[1])
    assert.ok(axes[0][0] <= 1 && axes[0][1] >= 40)
    assert.match(plots[0].description, /median up to 3\.00 ms\.$/)
  })

  test('are none where no run has any', () => assert.deepEqual(latencyMultiples([run('c', timed([]))]), []))
})
