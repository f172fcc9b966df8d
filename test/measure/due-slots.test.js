import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DueSlots } from '../../src/measure/operations.js'

/** @param {number | null} dueMs @param {number} sentMs @param {number} repliedMs @param {any} [type] */
const timing = (dueMs, sentMs, repliedMs, type = 'DISCOVER') => {
  const [sentNs, repliedNs] = [sentMs, repliedMs].map(ms => BigInt(ms * 1e6))
  return { type, dueNs: dueMs === null ? null : BigInt(dueMs * 1e6), sentNs, repliedNs, overheadNs: 0 }
}

test('requests are counted in the slot in which they were due, wherever they end', () => {
  const slots = new DueSlots(250, 1_000_000_000n)
  slots.add(timing(1100, 1130, 4100), 'OK')
  slots.add(timing(1249, 1249, 1250), 'OK')
  slots.add(timing(null, 1600, 1700), 'TIMEOUT')
  for (const type of ['CONNECT', 'PUBLISH']) slots.add(timing(null, 1600, 1700, type), 'OK')
  const taken = slots.take().map(({ slot, outcome, data }) => [slot, outcome, data.count, data.max])
  assert.deepEqual(taken, [
    [0, 'OK', 2, 3_000_000],
    [2, 'TIMEOUT', 1, 100_000]
  ])
  assert.deepEqual(slots.take(), [])
})
