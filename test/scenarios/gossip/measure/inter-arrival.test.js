import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InterArrival } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'
import { range } from '../../../measure/samples.js'

/** @param {number[]} timesMs @param {number} [window] */
function intervalsOf(timesMs, window) {
  const intervals = new InterArrival(window)
  for (const ms of timesMs) intervals.add(ms * 1e6)
  intervals.close()
  return intervals.result()
}

describe('inter-arrival times', () => {
  for (const [name, times, count, max] of /** @type {[string, number[], number, number | undefined][]} */ ([
    ['of nothing are none', [], 0, undefined],
    ['of one event are none', [5], 0, undefined],
    ['are those between neighbours in time', [10, 3, 30, 4], 3, 20],
    ['of events at once are 0', [3, 3], 1, 0]
  ]))
    it(name, () => {
      const { summary, outOfOrder } = intervalsOf(times)
      assert.equal(summary.count, count)
      assert.equal(summary.max?.ms, max)
      assert.equal(outOfOrder, 0)
    })

  it('are the same for the rows of two workers, one interval of each after the other, in a small window', () => {
    const times = range(0, 9999)
    const interleaved = range(0, 99).flatMap(block => {
      const part = times.slice(block * 100, block * 100 + 100)
      return [...part.filter(time => time % 2 === 1), ...part.filter(time => time % 2 === 0)]
    })
    assert.deepEqual(intervalsOf(interleaved, 150), intervalsOf(times))
  })

  it('of events that come after the window has passed them are counted, not made up', () => {
    const { summary, outOfOrder } = intervalsOf([10, 20, 30, 40, 50, 5, 60], 4)
    assert.deepEqual([outOfOrder, summary.count, summary.max?.ms], [1, 5, 10])
  })
})
