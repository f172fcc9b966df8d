import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeMissingPackages } from '../../src/libp2p/stacks.js'
import { makePlan, planFlags, validPlanOf } from '../scenarios.js'

const skip = describeMissingPackages('libp2p-2') ?? false

/** @param {import('../../src/plan/plan.js').ScenarioName} scenario @param {Record<string, unknown>} options */
const planned = (scenario, options) => {
  // a list can only stand in a file
  return validPlanOf(scenario, {}, { config: { file: 'plan.yaml', options } })
}

describe('--stack', { skip }, () => {
  /** @type {[string, unknown, string[]][]} */
  const given = [
    ['nothing', undefined, ['libp2p-3']],
    ['one', 'libp2p-2', ['libp2p-2']],
    ['two', 'libp2p-3, libp2p-2', ['libp2p-3', 'libp2p-2']],
    ['a list in YAML', ['libp2p-2', 'libp2p-3'], ['libp2p-2', 'libp2p-3']]
  ]
  for (const [name, stack, expected] of given)
    for (const scenario of /** @type {const} */ (['rendezvous', 'gossip']))
      test(`${name} of ${scenario}`, () => {
        const plan = planned(scenario, stack === undefined ? {} : { stack })
        assert.deepEqual(plan.stack, expected)
        const flag = `--stack ${expected.join(',')}`
        assert.equal(planFlags(plan).includes(flag), stack !== undefined, 'only what is not usual is a flag')
      })
})

test('the server runs on the first stack of the clients unless one is named', { skip }, () => {
  const { plan } = makePlan({ stack: 'libp2p-2' })
  assert.equal(plan?.serverStack, null)
  assert.equal(makePlan({ serverStack: 'libp2p-2' }).plan?.serverStack, 'libp2p-2')
})
