import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abuseAnswer } from '../../../../src/scenarios/abuse/view/abuse-answer.js'
import { anAbuseResult } from '../an-abuse-result.js'

test('the first screen of hostile peers has honest times without them and under them, and the stretches', () => {
  const result = /** @type {any} */ (anAbuseResult())
  const { figures, plots } = abuseAnswer(result)
  assert.deepEqual(
    figures.map(([name]) => name),
    ['p50 of honest clients', 'p99 of honest clients', 'Failed', 'Recovered after']
  )
  assert.match(figures[1][1], /^2\.25 → 4\.25 ms$/)
  assert.equal(plots.length, 1)
  const nothing = { ...result, outcome: { ...result.outcome, cases: [] } }
  assert.deepEqual(abuseAnswer(nothing), { figures: [], plots: [] })
})
