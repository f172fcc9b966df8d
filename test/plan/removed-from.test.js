import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeRemovedOptions } from '../../src/plan/command-line.js'
import { makePlanOf, SCENARIOS, scenarioNamed } from '../scenarios.js'

/** @param {string} name @param {Record<string, unknown>} [more] - what the plan of an earlier release had */
const goneFrom = (name, more) =>
  describeRemovedOptions(/** @type {any} */ ({ ...makePlanOf(name, {}).plan, ...more }), scenarioNamed(name))

describe('of a stored plan is named what has no effect any more', () => {
  for (const name of SCENARIOS)
    test(`nothing of one of ${name} that is made now`, () => assert.deepEqual(goneFrom(name), []))

  test('nothing that was as it is always now', () => {
    const before = { balance: 'round-robin', maxDiscoverLimit: 1000, linkJitter: null, partitions: [] }
    assert.deepEqual(goneFrom('rendezvous', before), [])
  })

  /** @type {[string, Record<string, unknown>, string][]} */
  const cases = [
    [
      'rendezvous',
      { balance: 'sticky' },
      '--balance sticky was removed: clients are distributed to the servers in turn'
    ],
    [
      'transfer',
      { linkJitter: { kind: 'time', ms: 5 } },
      '--linkJitter {"kind":"time","ms":5} was removed: only gossip has it'
    ],
    ['profile', { profileWorkers: [1] }, '--profileWorkers [1] was removed: all worker processes are sampled']
  ]
  for (const [name, before, line] of cases)
    test(`${JSON.stringify(before)} of ${name}`, () => assert.deepEqual(goneFrom(name, before), [line]))

  test('what another scenario alone can be given now, which a plan that has it keeps', () => {
    assert.deepEqual(goneFrom('gossip', { validationDelayMs: 5 }), [])
  })
})
