import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findScenario } from '../../../../src/scenarios/index.js'
import { planValidation } from '../../../../src/studies/validation/plan/plan-validation.js'
import { VALIDATION_DOCUMENT } from '../../../../src/studies/validation/result/validation-document.js'
import { VALIDATION_STUDY } from '../../../../src/studies/validation/validation-study.js'
import { caseChecks, validationChecks } from '../../../../src/studies/validation/view/validation-checks.js'

/** @typedef {import('../../../../src/studies/validation/result/validation-document.js').ValidationDocument} ValidationDocument */

const KEPT = /** @type {ValidationDocument} */ (
  await VALIDATION_DOCUMENT.read('results/reference/validation')
)
const VERDICT = /** @type {NonNullable<ValidationDocument['verdict']>} */ (KEPT.verdict)

const AGREES = {
  ...VERDICT,
  passed: true,
  conditions: VERDICT.conditions.map(condition => ({ ...condition, met: true })),
  measures: VERDICT.measures.map(measure => ({ ...measure, verdict: /** @type {const} */ ('agrees') })),
  counter: [{ .../** @type {any} */ ({}), what: 'latency', verdict: 'differs' }]
}

/** @param {Partial<typeof VERDICT>} parts */
const failed = parts => validationChecks({ ...AGREES, ...parts }).filter(({ verdict }) => verdict !== 'pass')

describe('what a validation was held to', () => {
  test('is every measure, every condition and each counter-check', () => {
    const checks = validationChecks(AGREES)
    assert.deepEqual(failed({}), [])
    assert.deepEqual(
      [...new Set(checks.map(({ group }) => group))],
      ['measures', 'conditions', 'counter-checks']
    )
    assert.equal(checks.length, AGREES.measures.length + AGREES.conditions.length + 1)
  })

  test('fails by a measure that differs or is undecided, a condition that is not met, and a wrong simulation that is not noticed', () => {
    const [first, ...others] = AGREES.measures
    for (const verdict of /** @type {const} */ (['differs', 'undecided'])) {
      const [check, ...more] = failed({ measures: [{ ...first, verdict }, ...others] })
      assert.deepEqual([check.group, check.verdict, more], ['measures', 'fail', []])
      assert.match(check.found, new RegExp(verdict))
    }
    const [unmet] = failed({ conditions: [{ ...AGREES.conditions[0], met: false }] })
    assert.deepEqual([unmet.group, unmet.found], ['conditions', 'not met'])
    const [blind] = failed({ counter: [{ ...AGREES.counter[0], verdict: 'agrees' }] })
    assert.match(blind.found, /is not noticed/)
  })

  test('of too few runs fails, as its exit code does', () => {
    const [check] = validationChecks(null)
    assert.equal(check.verdict, 'fail')
    assert.equal(VALIDATION_STUDY.verdict({ ...KEPT, verdict: null }, null).notMet, true)
  })

  test('of a list is each of its cases', () => {
    const of = { status: /** @type {const} */ ('complete'), reason: null, runs: 10, seeds: 10, tookMs: 5 }
    const [first, ...others] = AGREES.measures
    const checks = caseChecks([
      { ...of, name: 'a', verdict: AGREES },
      {
        ...of,
        name: 'b',
        verdict: { ...AGREES, passed: false, measures: [{ ...first, verdict: 'differs' }, ...others] }
      },
      { ...of, name: 'c', verdict: null }
    ])
    assert.deepEqual(
      checks.map(({ name, verdict }) => [name, verdict]),
      [
        ['a', 'pass'],
        ['b', 'fail'],
        ['c', 'undecided']
      ]
    )
    assert.match(checks[1].found, /^p50 of latency, in L differs$/)
  })
})

test('files of a validation that cannot be written are refused', async () => {
  const made = await planValidation(
    { options: { validate: true, junit: '/nowhere/v.xml', jsonLines: '/nowhere/v.jsonl' }, words: [] },
    { now: () => new Date(0), findScenario }
  )
  assert.deepEqual(
    made.problems?.map(({ flag }) => flag),
    ['--junit', '--jsonLines']
  )
})
