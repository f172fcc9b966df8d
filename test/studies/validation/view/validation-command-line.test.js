import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planValidation } from '../../../../src/studies/validation/plan/plan-validation.js'
import { validationCommandLine } from '../../../../src/studies/validation/view/validation-command-line.js'

/** @param {Record<string, unknown>} options @returns {Promise<any>} */
async function documentOf(options) {
  const made = /** @type {any} */ (
    await planValidation(
      { options: { validate: true, ...options }, words: [] },
      /** @type {any} */ ({ now: () => new Date(0) })
    )
  )
  assert.equal(made.problems, undefined, JSON.stringify(made.problems))
  return made.planned.document
}

/** @param {Record<string, unknown>} options */
const lineOf = async options => validationCommandLine(await documentOf(options))

/** What a command line asks for. @param {string} line */
const asked = line =>
  Object.fromEntries(
    [...line.matchAll(/--([\w-]+)[ =]('[^']*'|[^-\s]\S*)/g)].map(([, name, value]) => [
      name,
      value.replaceAll("'", '')
    ])
  )

describe('the command that makes a validation again', () => {
  /** @type {[string, Record<string, unknown>][]} */
  const cases = [
    ['of what is usual', {}],
    ['of another network', { nodes: '20', topology: 'full', messages: '7', rate: '2/s' }],
    ['for a time', { duration: '20s' }],
    ['of nodes in their own time', { publishers: 'every', duration: '5s' }],
    ['of a rate that rises', { arrivals: 'ramp:to=3/s', rate: '1/s', duration: '9s' }],
    [
      'of what a run has by default, which a validation has not',
      { nodes: '100', messages: '100', rate: '10/s' }
    ],
    ['of simulated runs that differ', { validateWith: '--linkLatency 800ms', validateSeeds: '4' }]
  ]
  for (const [what, options] of cases)
    test(`makes the same plans ${what}`, async () => {
      const document = await documentOf(options)
      const line = validationCommandLine(document)
      const { network, ...given } = asked(line)
      const again = await documentOf(given)
      assert.deepEqual(
        again.runs.real.map((/** @type {any} */ { plan }) => plan),
        document.runs.real.map((/** @type {any} */ { plan }) => plan),
        line
      )
      assert.equal(again.simulatedWith, document.simulatedWith)
      assert.deepEqual(again.runs.simulated[0].plan, document.runs.simulated[0].plan)
    })

  test('has rate and messages only where they are in force', async () => {
    const usual = await lineOf({})
    assert.match(usual, /^node index\.js gossip --validate --validateSeeds 10 /)
    assert.match(usual, / --messages 30\b/)
    assert.match(usual, / --rate 1\/s/)
    const rising = await lineOf({ arrivals: 'ramp:to=3/s', rate: '2/s', duration: '9s' })
    assert.doesNotMatch(rising, /--messages/)
    const own = await lineOf({ publishers: 'every', duration: '5s' })
    assert.doesNotMatch(own, /--rate|--messages/)
  })
})
