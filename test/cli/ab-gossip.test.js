import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { describeMissingPackages } from '../../src/libp2p/stacks.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/** @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

const skip = describeMissingPackages('libp2p-2') ?? false

const base = temporaryFolder()

const MADE_UP = aGossipResult({ options: { nodes: 20, topology: 'full' } })

/**
 * A run whose CPU per delivery is half as much again on libp2p-2, and grows a little with the number of the run.
 *
 * @param {GossipPlan} plan
 * @param {string} id
 * @param {number} place
 */
function measured(plan, id, place) {
  const before = plan.stack[0] === 'libp2p-2'
  const { outcome } = MADE_UP
  const cost = { ...outcome.cost, cpuMicrosPerDelivery: 2000 * (before ? 1.5 : 1) * (1 + place / 1000) }
  return { ...MADE_UP, id, plan, outcome: { ...outcome, cost } }
}

/** @param {string[]} argv */
async function ab(argv) {
  /** @type {GossipPlan[]} */
  const plans = []
  const said = await runCommand(['ab', ...argv, '--outputDir', join(base, 'results')], {
    base,
    scenarioOf: () =>
      async function* (plan, { id }) {
        plans.push(plan)
        yield/** @type {any} */ ({ type: 'result', result: measured(plan, id, plans.length) })
      }
  })
  return { ...said, plans }
}

describe('ab gossip', { skip }, () => {
  emptyBeforeEach(base)

  test('compares two stacks on the same plan, and says what changed', async () => {
    const { exitCode, stdout, plans } = await ab([
      ...['gossip', '--stack libp2p-3 ', '--stack libp2p-2 ', '--nodes', '20', '--runs', '9'],
      ...['--failOn', 'cpuPerDelivery > +10%', '--failOn', 'deliveryRatio < -1%']
    ])
    assert.equal(exitCode, 3)
    assert.equal(plans.length, 18)
    assert.deepEqual(
      plans.slice(0, 4).map(({ stack }) => stack[0]),
      ['libp2p-3', 'libp2p-2', 'libp2p-2', 'libp2p-3']
    )
    assert.match(stdout, /^\| Plan \| stack +\| libp2p-3 \| libp2p-2 \|$/m)
    assert.match(stdout, /^\| CPU per delivery, ms +\|.*\| +50(\.\d+)? \|.*\| worse +\|/m)
    assert.match(stdout, /^\| Latency p50, ms .*\| same +\|/m)
    for (const title of [
      'Duplicates per delivery',
      'Bytes per delivery',
      'Memory of all workers',
      'Dissemination p99'
    ])
      assert.match(stdout, new RegExp(`^\\| ${title}, `, 'm'))
    assert.match(stdout, /^\| cpuPerDelivery > \+10% .*\| FAIL +\|/m)
    assert.match(stdout, /^\| deliveryRatio \\?< -1% .*\| PASS +\|/m)
  })

  test('needs a pair more than a comparison of servers', async () => {
    const { stdout } = await ab(['gossip', '--nodes 20', '--nodes 20', '--runs', '8'])
    assert.match(stdout, /Too few runs to tell .*: 8 pairs of the 9 needed/)
  })
})
