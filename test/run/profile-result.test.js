import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resultFromText } from '../scenarios.js'
import { aProfileResult } from './a-profile-result.js'

const RESULT = aProfileResult()

/** @param {object} result */
const read = result => resultFromText(JSON.stringify(result), 'result.json')

describe('a result of a profile', () => {
  test('can be read as it was written', async () => {
    for (const result of [RESULT, aProfileResult({ allocations: true })])
      assert.deepEqual(await read(result), JSON.parse(JSON.stringify(result)))
  })

  test('is refused without its hot spots', async () =>
    assert.rejects(
      () => read({ ...RESULT, outcome: { ...RESULT.outcome, profile: {} } }),
      /outcome\.profile\.hotSpots/
    ))

  test('of a release in which profiles were a scenario is one of gossip', async () => {
    const { profiled, ...plan } = RESULT.plan
    const former = { ...RESULT, scenario: 'profile', plan: { ...plan, scenario: 'profile' } }
    assert.deepEqual(await read(former), JSON.parse(JSON.stringify(RESULT)))
  })
})
