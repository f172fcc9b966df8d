import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { describeMissingPackages } from '../../src/libp2p/stacks.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { runCommand } from './run-command.js'

/** @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

const skip = describeMissingPackages('libp2p-2') ?? false

/** @type {string} */
let base

/** For the tests of a group: outside of one, hooks run around those of all files of the process. */
const inFolder = () => {
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'loadtest-ab-gossip-'))
  })
  afterEach(() => rm(base, { recursive: true }))
}

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

/** @param {string[]} folders */
const compare = (...folders) =>
  runCommand(['compare', ...folders], { base, scenarioOf: () => assert.fail('nothing is run') })

describe('ab gossip', { skip }, () => {
  inFolder()

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

  test('keeps a page, and can be compared again', async () => {
    await ab(['gossip', '--stack libp2p-3 ', '--stack libp2p-2 ', '--nodes', '20', '--runs', '9'])
    const [name] = await readdir(join(base, 'results'))
    const folder = join(base, 'results', name)
    const page = await readFile(join(folder, 'report.html'), 'utf8')
    for (const said of [
      'Compared with A, B has CPU per delivery 50.0 % higher (9 pairs of runs); stock on both sides.',
      'RPCs per delivery',
      'node index.js ab gossip',
      '--stack libp2p-2'
    ])
      assert.ok(page.includes(said), said)
    const again = await compare(folder)
    assert.equal(again.exitCode, 0)
    assert.match(again.stdout, /^\| CPU per delivery, ms .*\| worse +\|/m)
  })

  test('needs a pair more than a comparison of servers', async () => {
    const { stdout } = await ab(['gossip', '--nodes 20', '--nodes 20', '--runs', '8'])
    assert.match(stdout, /Too few runs to tell .*: 8 pairs of the 9 needed/)
  })
})
