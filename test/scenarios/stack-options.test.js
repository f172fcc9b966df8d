import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeMissingPackages } from '../../src/libp2p/stacks.js'
import { makePlan, makePlanOf, planFlags } from '../scenarios.js'

const skip = describeMissingPackages('libp2p-2') ?? false

/** @param {import('../../src/plan/plan.js').ScenarioName} scenario @param {Record<string, unknown>} options */
const planned = (scenario, options) => {
  // a list can only stand in a file
  const { plan, problems } = makePlanOf(scenario, {}, { config: { file: 'plan.yaml', options } })
  assert.equal(problems, undefined)
  return /** @type {any} */ (plan)
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

  /** @type {[string, import('../../src/plan/plan.js').ScenarioName, Record<string, unknown>, RegExp][]} */
  const refused = [
    ['one that does not exist', 'gossip', { stack: 'libp2p-1' }, /^must be libp2p-3 or libp2p-2, or several/],
    ['one twice', 'rendezvous', { stack: 'libp2p-2,libp2p-2' }, /^must be libp2p-3 or libp2p-2/],
    [
      'several of a server',
      'rendezvous',
      { serverStack: 'libp2p-3,libp2p-2' },
      /^must be libp2p-3 or libp2p-2$/
    ],
    [
      'another than the usual one of a simulated network',
      'gossip',
      { stack: 'libp2p-3,libp2p-2', network: 'simulated' },
      /^must be libp2p-3 with --network simulated: /
    ],
    [
      'another than the usual one where nodes talk other than over TCP',
      'gossip',
      { stack: 'libp2p-2', transport: 'websocket' },
      /^must be tcp but on libp2p-3: /
    ],
    [
      'of the server of somebody else',
      'rendezvous',
      {
        serverStack: 'libp2p-2',
        target: '/ip4/127.0.0.1/tcp/8000/p2p/12D3KooWKnDdG3iXw9eTFijk3EWSunZcFi54Zka4wmtqtt6rPxc8'
      },
      /^is of our own server and cannot be given with --target or --targets$/
    ]
  ]
  for (const [name, scenario, options, why] of refused)
    test(`refuses ${name}`, () => {
      const { problems = [] } = makePlanOf(scenario, options)
      assert.equal(problems.length, 1)
      assert.match(problems[0].allowed, why)
    })
})

test('the server runs on the first stack of the clients unless one is named', { skip }, () => {
  const { plan } = makePlan({ stack: 'libp2p-2' })
  assert.equal(plan?.serverStack, null)
  assert.equal(makePlan({ serverStack: 'libp2p-2' }).plan?.serverStack, 'libp2p-2')
})
