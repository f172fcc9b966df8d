import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { modelledNetwork } from './modelled-network.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('node:events').EventEmitter} EventEmitter
 * @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('../../src/cli/index.js').RunScenario} RunScenario
 */

const base = temporaryFolder()
/** @type {GossipPlan[]} */
let plans

const inFolder = () =>
  emptyBeforeEach(base, async () => {
    plans = []
  })

const results = () => join(base, 'results')

/** @param {import('./modelled-network.js').ModelledNetwork} network @returns {RunScenario} */
const networkOf = network =>
  async function* (plan, { id }) {
    plans.push(plan)
    yield { type: 'result', result: modelledNetwork(plan, id, network) }
  }

/** @param {string[]} argv @param {(process: EventEmitter) => RunScenario} scenarioOf */
const callWith = (argv, scenarioOf) =>
  runCommand([...argv, ...(argv[0] === 'saturate' ? ['--outputDir', results()] : [])], { base, scenarioOf })

/** @param {string[]} argv @param {RunScenario} [scenario] */
const call = (argv, scenario = networkOf({ capacity: 500 })) => callWith(argv, () => scenario)

/** @param {string} file */
async function kept(file) {
  const [name] = (await readdir(results())).sort()
  const folder = join(results(), name)
  return { folder, name, text: await readFile(join(folder, file), 'utf8') }
}

const document = async () => JSON.parse((await kept('saturate.json')).text)

const SMALL = ['saturate', 'gossip', '--topology', 'ring', '--duration', '3s']
const GRID = [...SMALL, '--rate', '5/s,10/s,20/s', '--nodes', '20,50']
const SIMULATED = ['--network', 'simulated', '--upBandwidth', '100KB/s', '--linkLatency', '50ms']

describe('saturate gossip: the grid', () => {
  inFolder()

  test('runs every number of nodes with every rate, size by size, and says what was sustained', async () => {
    const { exitCode, stdout, stderr } = await call(GRID)
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      plans.map(({ ratePerSecond, nodes, durationMs }) => [ratePerSecond, nodes, durationMs]),
      [20, 50].flatMap(nodes => [5, 10, 20].map(rate => [rate, nodes, 3000]))
    )
    assert.match(stdout, /^\| +20 \| +100 \| +0 \|$/m)
    assert.match(
      stdout,
      /sustained up to 490 deliveries\/s \(r=10 n=50\), and not 980 deliveries\/s \(r=20 n=50\)/
    )
    assert.match(stdout, /this is what this machine carries, not what the network would/)
    const { grid, status, scenario } = await document()
    assert.deepEqual(
      [status, scenario, grid.chosen],
      ['complete', 'gossip', { ratePerSecond: 10, nodes: 50 }]
    )
    const { folder, name } = await kept('saturate.json')
    assert.equal(name, '20261120-0712-saturate-gossip-1')
    assert.equal((await readdir(join(folder, 'runs'))).length, 6)
    const { text } = await kept('report.md')
    assert.match(
      text,
      /node index\.js saturate gossip --rate 5,10,20 --nodes 20,50 --duration 3s --topology ring/
    )
    assert.match(text, /\| achieved >= 99%: 0 % +\| not determined \(load generator 50 %; offered load 0 %\)/)
  })

  test('without options is 4 rates to 20 and to 50 nodes, 30 s each', async () => {
    await call(['saturate', 'gossip'], networkOf({ capacity: 1 }))
    assert.deepEqual(
      plans.map(({ ratePerSecond, nodes, durationMs }) => [ratePerSecond, nodes, durationMs]),
      [20, 50].flatMap(nodes => [5, 10, 20, 40].map(rate => [rate, nodes, 30_000]))
    )
  })

  test('of a simulated network is one of its model, and says so in every view', async () => {
    const { stdout } = await call([...GRID, ...SIMULATED], networkOf({ capacity: 500, utilization: 1 }))
    assert.match(stdout, /^The simulated network sustained /m)
    assert.doesNotMatch(stdout, /this machine carries|busy/)
    assert.match(stdout, /limited by: link \(100 % of its bandwidth; offered load 0 %\)/)
    for (const file of ['report.html', 'report.md'])
      assert.match((await kept(file)).text, /The simulated network sustained /)
  })

  test('a message that takes longer than --inTime is not in time', async () => {
    const slow = networkOf({ capacity: 500, slowMs: 2500 })
    const { stdout } = await call([...GRID, '--inTime', '3s'], slow)
    assert.match(stdout, /The network sustained every load tried, up to 980 deliveries\/s/)
    assert.match((await kept('report.md')).text, / --inTime 3000ms /)
    await rm(results(), { recursive: true })
    // every delivery within 1.25 s, and everyone after 2.5 s
    const deliveries = await call([...GRID, '--inTime', '2s'], slow)
    assert.match(deliveries.stdout, /not 980 deliveries\/s .* \(load generator 50 %; offered load 100 %\)/)
    await rm(results(), { recursive: true })
    const fast = await call([...GRID, '--inTime', '40ms'], slow)
    assert.match(fast.stdout, /The network sustained no load that was tried, from /)
  })

  test('takes the nodes of a topology file', async () => {
    const file = join(base, 'edges.txt')
    await writeFile(file, '0 1\n1 2\n2 3\n')
    const { exitCode, stderr } = await call([
      ...'saturate gossip --topology'.split(' '),
      `file:${file}`,
      ...'--rate 5 --duration 1s'.split(' ')
    ])
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      plans.map(({ nodes }) => nodes),
      [4]
    )
    assert.deepEqual((await document()).grid.nodes, [4])
  })
})

describe('saturate gossip --search', () => {
  inFolder()

  const HOW = ['--search', '--nodes', '11', '--repeats', '2', '--blocks', '0']
  const SEARCH = [...SMALL, ...HOW]

  test('gives what this machine carries as a lower bound, never as a figure of the network', async () => {
    const busy = networkOf({ capacity: 500, utilization: 0.97 })
    const { exitCode, stdout } = await call(SEARCH, busy)
    assert.equal(exitCode, 0)
    assert.match(stdout, /^Sustainable rate: at least \d+\.?\d* messages\/s/m)
    assert.match(stdout, /^⚠ Generator-bound: /m)
    assert.match(stdout, /Generator and nodes share the processes: this is what this machine carries/)
    assert.match(stdout, /limited by: load generator \(97 %; offered load 0 %\)/)
    const { search } = await document()
    const { below, above } = search.found
    assert.ok(below.perSecond <= 50 && above.perSecond > 50, `${below.perSecond}, ${above.perSecond}`)
    assert.deepEqual([below.sustained, below.repeats, above.sustained, above.repeats], [2, 2, 0, 2])
    const tried = plans.length
    assert.equal((await call(['saturate', 'gossip', '--resume', '--strict'], busy)).exitCode, 4)
    assert.equal(plans.length, tried, 'it was complete')
  })

  test('of a simulated network gives a figure of the network; its repeats have other seeds, on the same topology', async () => {
    const topology = ['--topology', 'barabasi-albert:m=2', '--duration', '3s']
    const argv = ['saturate', 'gossip', ...topology, ...HOW, ...SIMULATED, '--strict']
    const { exitCode, stdout } = await call(argv)
    assert.equal(exitCode, 0, stdout)
    assert.match(stdout, /^Sustainable rate of the simulated network: \d+\.?\d* messages\/s, and /m)
    assert.match(stdout, /limited by: link \(100 % of its bandwidth; offered load 0 %\)/)
    const { search } = await document()
    const { perSecond } = search.found.above
    const { point } = search.trials.find((/** @type {any} */ trial) => trial.perSecond === perSecond)
    assert.deepEqual(point.limitedBy.by, ['link'])
    assert.equal(point.model.upBandwidth.average, 1)
    const seeds = search.trials
      .filter((/** @type {any} */ trial) => trial.perSecond === perSecond)
      .map((/** @type {any} */ { purpose, plan }) => [purpose, plan.seed, plan.topology.seed])
    assert.deepEqual(seeds, [
      ['search', 1, 1],
      ['repeat', 2, 1],
      ['repeat', 3, 1]
    ])
  })
})

describe('saturate gossip refuses', () => {
  inFolder()

  test('to go on with what is none of it', async () => {
    await call([...SMALL, '--rate', '5', '--nodes', '10'])
    const { folder } = await kept('saturate.json')
    const { exitCode, stderr } = await call(['saturate', 'rendezvous', '--resume', folder])
    assert.equal(exitCode, 2)
    assert.match(stderr, /is continued by another command: node index\.js saturate gossip --resume /)
  })
})
