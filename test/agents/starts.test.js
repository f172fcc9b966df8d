import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StartSpread } from '../../src/agents/fleet.js'

describe('starts that were agreed ahead', () => {
  test('are told by how far apart workers began: the median of 20 of them, and the worst', () => {
    const starts = new StartSpread()
    for (let start = 0; start < 20; start++)
      for (const [worker, lateMs] of [1, 0.5, 1.5].entries())
        starts.began(worker, worker === 2 ? lateMs + start : lateMs)
    assert.deepEqual(starts.summarize(), { count: 20, spreadMs: 10.5, worstMs: 20 })
  })

  test('count while one worker is still behind, and not where only one is there', () => {
    const starts = new StartSpread()
    assert.equal(starts.summarize(), null)
    starts.began(0, 1)
    assert.equal(starts.summarize(), null)
    starts.began(0, 7)
    starts.began(1, 4)
    assert.deepEqual(starts.summarize(), { count: 1, spreadMs: 3, worstMs: 3 })
  })
})
