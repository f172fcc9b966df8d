import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialTimes } from '../../../src/network/simulated/dial-times.js'

test('dials take turns: each begins when one of those under way should be through', () => {
  assert.deepEqual(dialTimes(2, [10, 30, 10, 5, 1]), [0, 0, 10, 20, 25])
  assert.deepEqual(dialTimes(40, [10, 30]), [0, 0])
  assert.deepEqual(dialTimes(1, [0, 0, 7, 1]), [0, 0, 0, 7])
})
