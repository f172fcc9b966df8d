import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statFields } from '../../src/kit/linux.js'

test('the name of a process may hold spaces and brackets', () => {
  assert.deepEqual(statFields('17 (a (b) c) d) S 4 17 17 0').slice(0, 3), ['S', '4', '17'])
})
