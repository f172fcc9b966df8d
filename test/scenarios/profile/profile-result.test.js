import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resultFromText } from '../../scenarios.js'
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

  test('of a release that sampled CPU time only says so in its plan', async () => {
    const { profiled, ...plan } = RESULT.plan
    assert.deepEqual(/** @type {any} */ ((await read({ ...RESULT, plan })).plan).profiled, ['cpu'])
  })
})
