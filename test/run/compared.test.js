import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBaselineRules } from '../../src/plan/fail-rules.js'
import { loadAllScenarios } from '../../src/scenarios/index.js'
import { makePlanOf, scenarioNamed } from '../scenarios.js'

/** @typedef {import('../../src/measure/figure.js').Comparable} Comparable */

const scenarios = await loadAllScenarios()

for (const { name, compared } of scenarios)
  test(`runs of ${name} can be held against earlier ones, by figures that it has`, () => {
    assert.ok(compared !== null && compared.figures.length > 0)
    for (const figure of compared.figures) assert.ok(figure?.better, JSON.stringify(compared.figures))
  })

/** @type {[string, Record<string, unknown>, string[]][]} */
const CASES = [
  ['perf', { measures: 'latency' }, ['latency.median > +5%']],
  ['perf', { measures: 'upload,handshakes' }, ['upload.rate < -5%', 'handshakes.median > +5%']],
  [
    'transfer',
    { protocols: 'blocks,http' },
    ['goodput.blocks < -5%', 'goodput.http < -5%', 'firstByte.blocks > +5%', 'firstByte.http > +5%']
  ]
]
for (const [name, options, rules] of CASES)
  test(`of ${name} ${JSON.stringify(options)} nothing is asked that the plan does not measure`, () => {
    const { plan, problems } = makePlanOf(name, options)
    assert.deepEqual(problems, undefined)
    const { compared } = scenarioNamed(name)
    assert.deepEqual(
      makeBaselineRules(/** @type {Comparable} */ (compared), /** @type {object} */ (plan)).map(
        ({ text }) => text
      ),
      rules
    )
  })
