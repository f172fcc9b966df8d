import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compare } from '../../src/index.js'
import { comparisonSample } from '../studies/comparison/comparison-sample.js'

describe('runs of a program', () => {
  test('are compared as the command does', async () => {
    const [base, candidate] = comparisonSample().comparison.sides
    const { base: shown, candidate: against } = await compare(base, candidate, { alternated: true })
    assert.deepEqual([shown.label, against.label], [base.label, candidate.label])
  })

  test('cannot be compared where their scenario has no such figures', async () => {
    const side = { label: 'a', results: [{ scenario: 'unknown' }] }
    await assert.rejects(compare(/** @type {any} */ (side), /** @type {any} */ (side)), {
      name: 'IncomparableError',
      message: 'runs of unknown cannot be compared'
    })
  })
})
