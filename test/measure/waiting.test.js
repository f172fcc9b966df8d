import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitingOverTime } from '../../src/measure/steady-state.js'

test('what waits is what was due and has not ended, at the end of each second', () => {
  const ended = [
    { second: 0, count: 100 },
    { second: 2, count: 50 },
    { second: 1, count: 50 },
    { second: 3, count: 100 }
  ]
  assert.deepEqual(waitingOverTime(ended, 300, 3), [0, 50, 100])
})

test('operations that ended early, as they may with independent arrivals, leave nothing that waits', () => {
  assert.deepEqual(waitingOverTime([{ second: 0, count: 120 }], 200, 2), [0, 80])
})
