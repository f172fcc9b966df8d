import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultFromText } from '../../scenarios.js'
import { aRotateGossipResult } from './a-rotate-gossip-result.js'

const RESULT = aRotateGossipResult()

for (const [what, result] of Object.entries({
  'a result of rotating nodes': RESULT,
  'one of a run that ended before it published': { ...RESULT, outcome: { ...RESULT.outcome, rotation: null } }
}))
  test(`${what} can be read as it was written`, async () =>
    assert.deepEqual(
      await resultFromText(JSON.stringify(result), 'result.json'),
      JSON.parse(JSON.stringify(result))
    ))
