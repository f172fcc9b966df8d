import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { decodedHistogram, encodedHistogram } from '../../src/measure/encoded-histogram.js'
import { Histogram } from '../../src/measure/histogram.js'
import { aGossipResult } from '../scenarios/gossip/view/a-gossip-result.js'
import { resultFromText } from '../scenarios.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('../../src/cli/surroundings.js').RunScenario} RunScenario
 * @typedef {import('../../src/scenarios/gossip/gossip-types.js').GossipOutcome} GossipOutcome
 */

/** @type {string} */
let base

/** For the tests of a group: outside of one, hooks run around those of all files of the process. */
const inFolder = () => {
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'loadtest-validate-'))
  })
  afterEach(() => rm(base, { recursive: true }))
}

const results = () => join(base, 'results')

/** A network whose links take 20 times what the made-up ones do, with processes that have time. */
const made = aGossipResult({ options: { nodes: '10', messages: '20', linkLatency: '20ms' } })

/** @param {GossipOutcome} outcome @param {(outcome: GossipOutcome) => Partial<GossipOutcome>} change */
const changed = (outcome, change) => ({ ...outcome, ...change(outcome) })

/** Real runs scatter by 1 %. @param {GossipOutcome} outcome @param {number} seed */
const scattered = (outcome, seed) =>
  changed(outcome, ({ cost }) => ({
    cost: {
      ...cost,
      cpuMicrosPerDelivery: 900,
      duplicatesPerDelivery: 3 * (1 + seed / 100),
      bytesPerDelivery: 5000 * (1 + seed / 100)
    },
    // nothing but the links: every delivery takes its hops
    hops: { ...outcome.hops, deliveries: [0, outcome.delivery.delivered] },
    latency: { ...outcome.latency, delivered: { ...outcome.latency.delivered, avg: at(20.2) } },
    delivery: { ...outcome.delivery, ratio: 1 },
    mesh: { ...outcome.mesh, formedAfterMs: 1000 },
    resources: outcome.resources.map(each => ({ ...each, cpu: { averagePercent: 5, maxPercent: 9 } }))
  }))

/** @param {number} ms */
const at = ms => ({ ms, censored: false, doubtful: false })

/** @type {import('../../src/scenarios/gossip/plan/gossip-plan.js').GossipPlan[]} in the order they were run */
let plans = []

/** Deliveries take as much longer as links take longer than 1 ms. @param {GossipOutcome} outcome @param {{ linkLatencyMs: number }} plan */
function slowed({ latency }, { linkLatencyMs }) {
  const [before, after] = [decodedHistogram(latency.histogram), new Histogram()]
  for (let step = 0; step < before.count; step++)
    after.record(before.quantile((step + 0.5) / before.count) * linkLatencyMs)
  return { latency: { ...latency, histogram: encodedHistogram(after) } }
}

/**
 * @param {(outcome: GossipOutcome) => Partial<GossipOutcome>} simulate - what a simulation makes of it
 * @returns {RunScenario}
 */
const scenario = (simulate = () => ({})) =>
  async function* (plan, { id }) {
    plans.push(plan)
    const real = changed(scattered(made.outcome, plan.seed), outcome => slowed(outcome, plan))
    const outcome = plan.network === 'simulated' ? changed(real, simulate) : real
    yield { type: 'start', id, plan, run: {} }
    yield { type: 'result', result: { ...made, id, plan, outcome } }
  }

/** What is planned is seen in the first runs: the one behind so many fails, and ends it. @param {number} most @returns {RunScenario} */
const firstRuns = most =>
  async function* (plan, components) {
    if (plans.length === most) throw new Error('so many are enough')
    yield* scenario()(plan, components)
  }

/** @param {string[]} args @param {RunScenario} [runs] */
function run(args, runs = scenario()) {
  plans = []
  return runCommand(['gossip', ...args, '--outputDir', results()], { base, scenarioOf: () => runs })
}

/** @param {string[]} argv */
const call = argv => runCommand(argv, { base, scenarioOf: () => scenario() })

const folderOf = async () => join(results(), (await readdir(results()))[0])

const documentOf = async () => JSON.parse(await readFile(join(await folderOf(), 'validation.json'), 'utf8'))

describe('gossip --validate', () => {
  /** @type {Awaited<ReturnType<typeof run>>} */
  let ended
  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'loadtest-validate-'))
    ended = await run(['--validate', '--seed', '3'])
  })
  after(() => rm(base, { recursive: true }))

  test('runs 10 seeds real, simulated, and simulated with slower links in turn, keeps them, and passes with exit code 0', async () => {
    const { exitCode, stdout, stderr } = ended
    assert.equal(exitCode, 0, stderr + stdout)
    assert.match(stdout, /Passed: the simulated network agrees with the real one within the margins\./)
    assert.deepEqual(
      plans.map(({ network, seed }) => `${network} ${seed}`),
      Array.from({ length: 10 }, (_, i) => 3 + i).flatMap(seed => [
        `loopback ${seed}`,
        `simulated ${seed}`,
        `simulated ${seed}`
      ])
    )
    const folder = await folderOf()
    assert.match(folder, /20261120-0712-validate-gossip-3$/)
    const document = await documentOf()
    assert.equal(document.verdict.passed, true)
    assert.match(stdout, /Counter-check: a simulation whose links are 10 % slower differs, as it should\./)
    assert.match(stdout, /Counter-check: a connection that loses twice as much differs, as it should\./)
    for (const side of ['real', 'simulated', 'slower'])
      for (const { run: inside } of document.runs[side])
        resultFromText(await readFile(join(folder, inside, 'result.json'), 'utf8'), inside)
    for (const file of ['report.html', 'validation.md']) await access(join(folder, file))
  })

  test('plans 30 nodes on slow links when nothing else is asked for, the same for both', () => {
    const [real, simulated] = plans
    assert.deepEqual([real.nodes, real.linkLatencyMs, real.ratePerSecond, real.messages], [30, 400, 1, 30])
    const { network: _, workers: __, linkJitter: ___, ...rest } = real
    for (const [key, value] of Object.entries(rest))
      assert.deepEqual(/** @type {any} */ (simulated)[key], value, key)
  })

  test('is listed with its answer', async () => {
    const { stdout } = await call(['list', results(), '--json'])
    assert.match(stdout, /validate-gossip-3.*validate: .*30 nodes.*complete.*Passed/s)
  })

  test('has its views made again by report', async () => {
    const folder = await folderOf()
    const before = await readFile(join(folder, 'report.html'), 'utf8')
    await rm(join(folder, 'report.html'))
    const { exitCode, stdout } = await call(['report', folder, '--no-runs'])
    assert.equal(exitCode, 0)
    assert.match(stdout, /validation\.md/)
    assert.equal(await readFile(join(folder, 'report.html'), 'utf8'), before)
  })
})

describe('what gossip --validate plans', () => {
  inFolder()

  test('gives way to what is asked for', async () => {
    await run(
      ['--validate', '--nodes', '12', '--topology', 'ring', '--duration', '20s', '--linkLatency', '50ms'],
      firstRuns(1)
    )
    const [{ nodes, topology, messages, durationMs, linkLatencyMs }] = plans
    assert.deepEqual(
      [nodes, topology.kind, messages, durationMs, linkLatencyMs],
      [12, 'ring', null, 20_000, 50]
    )
  })

  test('takes options from a file, and flags win over it', async () => {
    const file = join(base, 'plan.yaml')
    await writeFile(file, 'nodes: 12\ntopology: ring\nmessages: 50\nseed: 8\n')
    await run(['--validate', '--config', file, '--duration', '10s', '--nodes', '14'], firstRuns(1))
    const [{ nodes, topology, messages, durationMs, linkLatencyMs, seed }] = plans
    assert.deepEqual(
      [nodes, topology.kind, messages, durationMs, linkLatencyMs, seed],
      [14, 'ring', null, 10_000, 400, 8]
    )
  })

  test('gives options to the simulated runs alone', async () => {
    const { stdout } = await run(['--validate', '--validateWith=--linkLatency 800ms -D 8'], firstRuns(2))
    assert.deepEqual(
      plans.map(({ linkLatencyMs, gossipsub }) => [linkLatencyMs, gossipsub.D]),
      [
        [400, undefined],
        [800, 8]
      ]
    )
    assert.match(stdout, /other options, as was asked for: --linkLatency 800ms -D 8/)
  })
})

describe('a validation', () => {
  inFolder()

  test('does not pass a simulation whose deliveries take more hops, with more mesh peers, that sends more copies: exit code 3', async () => {
    const { exitCode, stdout } = await run(
      ['--validate'],
      scenario(({ cost, mesh, hops, delivery }) => ({
        cost: { ...cost, duplicatesPerDelivery: 3.6 },
        mesh: { ...mesh, degrees: { 8: 10 } },
        hops: { ...hops, deliveries: [0, 0, delivery.delivered] }
      }))
    )
    assert.equal(exitCode, 3)
    assert.match(
      stdout,
      /differs from the real one in hops of deliveries, mesh degree and duplicates per delivery\./
    )
  })

  test('does not pass where the machine had too large a part, and says what to do', async () => {
    const { exitCode, stdout } = await run(['--validate', '--linkLatency', '10ms'], scenario())
    assert.equal(exitCode, 3)
    assert.match(stdout, /not all conditions/)
    assert.match(stdout, /raise --linkLatency/)
  })

  test('ends with exit code 1 at a run that fails, and keeps what there is', async () => {
    /** @type {RunScenario} */
    const failing = async function* (plan, components) {
      if (plan.seed === 2) throw new Error('no more ports')
      yield* scenario()(plan, components)
    }
    const { exitCode, stderr, stdout } = await run(['--validate'], failing)
    assert.equal(exitCode, 1)
    assert.match(stderr, /no more ports/)
    assert.match(stdout, /too few runs are complete/)
    const { status, runs, verdict } = await documentOf()
    assert.equal(status, 'partial')
    assert.equal(verdict, null)
    assert.equal(runs.real.filter((/** @type {any} */ each) => each.status === 'complete').length, 1)
  })

  test('ends with exit code 130 at Ctrl-C, and keeps what there is', async () => {
    const argv = ['gossip', '--validate', '--validateSeeds', '3', '--outputDir', results()]
    const { exitCode } = await runCommand(argv, {
      base,
      scenarioOf: process =>
        async function* (plan, components) {
          if (plan.seed === 2) process.emit('SIGINT', 'SIGINT')
          yield* scenario()(plan, components)
        }
    })
    assert.equal(exitCode, 130)
    const { reason, runs } = await documentOf()
    assert.equal(reason.code, 'INTERRUPTED')
    const again = await run(['--validate', '--resume'])
    assert.equal(again.exitCode, 3, `three seeds cannot agree: ${again.stderr}`)
    const whole = await documentOf()
    assert.deepEqual([whole.status, whole.verdict.passed], ['complete', false])
    assert.deepEqual(whole.runs.real[0], runs.real[0], 'what was run is not run again')
    assert.ok(plans.length < 9 && plans.every(({ seed }) => seed > 1))
  })

  test('with --json prints the document and nothing else', async () => {
    const { stdout } = await run(['--validate', '--validateSeeds', '2', '--json'])
    assert.deepEqual(JSON.parse(stdout), await documentOf())
  })
})

/** @type {[string[], RegExp][]} */
const REFUSED = [
  [['--validate', '--linkLatency', '0'], /--linkLatency 0 +must be above 0 with --validate/],
  [['--validate', '--rate', 'auto'], /--rate auto +must be a rate/],
  [['--validate', '--network', 'simulated'], /--network simulated +must be loopback or namespaces/],
  [['--validate', '--only', 'a'], /--only a +needs --cases/],
  [['--validate', '--cases', 'no-list.yaml'], /no-list\.yaml/],
  [['--validate', '--validateSeeds', '1'], /--validateSeeds 1 +must be a whole number from 2/],
  [['--validateSeeds', '5'], /--validateSeeds +needs --validate/],
  [['--resume'], /--resume +needs --validate/],
  [['--validate', '--resume'], /--resume +finds no folder of validate in/],
  [['--validate', '--resume', 'x', '--nodes', '5'], /--resume x +holds no validation\.json that can be read/],
  [['--validate', '--topology', 'rendezvous'], /cannot be rendezvous with --network simulated/],
  [['--validate', '--validateWith=--noSuchThing 3'], /noSuchThing 3 +is no option/],
  [['--validate', 'stray'], /stray +is neither/]
]

describe('a list of cases', () => {
  inFolder()

  const list = () => join(base, 'cases.yaml')
  beforeEach(() =>
    writeFile(
      list(),
      `title: Two
scenario: gossip
defaults: { nodes: 10, messages: 20, linkLatency: 20ms }
rows:
  - name: one
  - name: two
    topology: ring
`
    )
  )
  const casesOf = async () => JSON.parse(await readFile(join(await folderOf(), 'cases.json'), 'utf8')).cases
  const statuses = async () =>
    (await casesOf()).map((/** @type {any} */ { name, status }) => `${name} ${status}`)

  test('is run case by case, each in a folder of its own, and says first how long it takes; goes on after Ctrl-C with what was not run, and leaves for later what is not chosen', async () => {
    const { exitCode, stderr } = await runCommand(
      ['gossip', '--validate', '--cases', list(), '--outputDir', results()],
      {
        base,
        scenarioOf: process =>
          async function* (plan, components) {
            if (plan.seed === 3) process.emit('SIGINT', 'SIGINT')
            yield* scenario()(plan, components)
          }
      }
    )
    assert.equal(exitCode, 130)
    assert.match(stderr, /^2 cases to run, 60 runs, .+ to .+$/m)
    assert.deepEqual(await statuses(), ['one pending', 'two pending'])
    const first = await run(['--validate', '--resume', await folderOf(), '--only', 'one'])
    assert.equal(first.exitCode, 3, 'undecided as long as a case is not run')
    assert.ok(plans.length < 30)
    assert.equal(plans[0].topology.kind, 'barabasi-albert')
    assert.deepEqual(await statuses(), ['one complete', 'two pending'])
    const second = await run(['--validate', '--resume'])
    assert.equal(second.exitCode, 0, second.stderr)
    assert.deepEqual([plans.length, plans[0].topology.kind], [30, 'ring'])
    assert.deepEqual(await statuses(), ['one complete', 'two complete'])
    assert.match(second.stdout, /2 agrees, 0 differs, 0 undecided/)
    for (const name of ['one', 'two']) await access(join(await folderOf(), name, 'validation.md'))
    const { stdout: listed } = await call(['list', results(), '--json'])
    assert.match(listed, /validate-cases.*2 agrees/s)
  })
})

describe('a validation that cannot be run', () => {
  inFolder()

  for (const [args, said] of REFUSED)
    test(`is refused with exit code 2: ${args.join(' ')}`, async () => {
      const { exitCode, stderr } = await run(args)
      assert.equal(exitCode, 2)
      assert.match(stderr, said)
      assert.equal(plans.length, 0)
    })
})
