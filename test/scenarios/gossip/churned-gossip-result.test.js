import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultFromText } from '../../scenarios.js'
import { aChurnedGossipResult } from './a-churned-gossip-result.js'

const RESULT = aChurnedGossipResult()

for (const [what, result] of Object.entries({
  'a result of nodes that are replaced': RESULT,
  'one of a run that ended before it published': { ...RESULT, outcome: { ...RESULT.outcome, churn: null } }
}))
  test(`${what} can be read as it was written`, async () =>
    assert.deepEqual(
      await resultFromText(JSON.stringify(result), 'result.json'),
      JSON.parse(JSON.stringify(result))
    ))
