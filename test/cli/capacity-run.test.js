import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { failedRun, modelledRun } from './modelled-server.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('../../src/plan/plan.js').Plan} Plan
 * @typedef {import('../../src/cli/surroundings.js').RunScenario} RunScenario
 */

/** @type {string} */
let base
/** @type {Plan[]} */
let plans

/** For the tests of a group: outside of one, hooks run around those of all files of the process. */
const inFolder = () => {
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'loadtest-cluster-'))
    plans = []
  })
  afterEach(() => rm(base, { recursive: true }))
}

/** What came of a fault. @param {Plan['faults'][number]} fault @returns {import('../../src/result/types.js').FaultResult} */
const killed = ({ kind, server, atMs, cpus }) => ({
  ...{ kind, server, atMs, cpus, fromMs: atMs, toMs: atMs, registrationsLost: 0, before: null },
  ...{ recoveredThroughputMs: null, recoveredP99Ms: null, operationsLost: {} },
  reconnects: { dials: 0, peakPerSecond: 0 }
})

const results = () => join(base, 'results')

/** @param {import('./modelled-server.js').Modelled} server @returns {RunScenario} */
const serverOf = server =>
  async function* (plan, { id }) {
    plans.push(plan)
    const result = modelledRun(plan, id, server)
    const faults = plan.faults.map(killed)
    yield { type: 'result', result: { ...result, outcome: { ...result.outcome, faults } } }
  }

/** @param {string[]} argv @param {RunScenario} [scenario] */
const call = (argv, scenario = serverOf({ capacity: 400 })) =>
  runCommand([...argv, ...(argv[0] === 'capacity' ? ['--outputDir', results()] : [])], {
    base,
    scenarioOf: () => scenario
  })

/** @param {string} [file] */
async function kept(file = 'cluster.json') {
  const [name] = await readdir(results())
  const folder = join(results(), name)
  return { name, folder, text: await readFile(join(folder, file), 'utf8') }
}

describe('capacity --run', () => {
  inFolder()

  test('runs the estimate of the source: a million registrations, three servers at 30/s each, at 50/s, and with one killed', async () => {
    const { exitCode, stdout, stderr } = await call(['capacity', '--run'])
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      plans.map(({ ratePerSecond, durationMs, faults }) => [ratePerSecond, durationMs, faults.length]),
      [
        [92.6, 60_000, 0],
        [150, 60_000, 0],
        [150, 60_000, 1]
      ]
    )
    for (const {
      servers,
      store,
      failover,
      initialRegistrations,
      connectionPerOperation,
      registerMode
    } of plans)
      assert.deepEqual(
        [servers, store, failover, initialRegistrations, connectionPerOperation, registerMode],
        [3, 'postgres', true, 1_000_000, true, 'refresh']
      )
    const [{ kind, server, atMs }] = plans[2].faults
    assert.deepEqual([kind, server, atMs], ['kill', 2, 20_000])
    assert.match(stderr, /^3 servers that share one PostgreSQL, with 1,000,000 registrations/m)
    assert.match(
      stdout,
      /^- 3 servers that share one PostgreSQL carry 1,000,000 peers with 8 requests a day each/m
    )
    assert.match(stdout, /^\| peak with a server killed \| +150 \| +50\.0 \| yes /m)
    assert.equal((await kept()).name, '20261120-0712-cluster-1')
    assert.equal((await call(['capacity', '--run', '--strict'])).exitCode, 0)
  })

  test('of a network of your own, on a server that none is killed of', async () => {
    const network = [
      '--peers',
      '864000',
      '--requestsPerDay',
      '10',
      '--peakFactor',
      '3',
      '--mix',
      'discover=1'
    ]
    const { exitCode } = await call(['capacity', '--run', ...network, '--servers', '1', '--store', 'memory'])
    assert.equal(exitCode, 0)
    assert.deepEqual(
      plans.map(({ ratePerSecond, failover, mix }) => [ratePerSecond, failover, mix?.discover]),
      [
        [100, false, 1],
        [300, false, 1]
      ]
    )
  })

  test('says what was not carried, and --strict goes by what is extrapolated', async () => {
    const few = ['capacity', '--run', '--registrations', '1000']
    const { exitCode, stdout } = await call(few, serverOf({ capacity: 120 }))
    assert.equal(exitCode, 0)
    assert.match(stdout, /did not carry 1,000,000 peers .* here: peak, peak with a server killed\.$/m)
    assert.equal((await call([...few, '--strict'])).exitCode, 4)
    assert.equal((await call(['capacity', '--run', '--duration', '9s', '--strict'])).exitCode, 4)
  })

  test('searches for what the servers sustain of the rate of Waku, and divides by it', async () => {
    const { exitCode, stdout } = await call([
      'capacity',
      '--run',
      '--preset',
      'waku',
      '--registrations',
      '100000'
    ])
    assert.equal(exitCode, 0)
    const [{ ratePerSecond, durationMs, mix, connectionPerOperation, nClients, initialRegistrations }] = plans
    assert.deepEqual([ratePerSecond, durationMs, nClients], [100, 10_000, 200])
    assert.deepEqual([mix?.register, connectionPerOperation, initialRegistrations], [1, false, 100_000])
    const { search, clusters, stages } = JSON.parse((await kept()).text)
    assert.deepEqual(stages, [])
    assert.equal(clusters, Math.ceil(100_000 / (0.6 * search.found.below.perSecond)))
    assert.match(
      stdout,
      /^- \d+ × 3 servers that share one PostgreSQL for 1,000,000 peers with 8,640 requests a day each/m
    )
  })

  test('searches no farther than one cluster has to go', async () => {
    await call(['capacity', '--run', '--preset', 'waku', '--peers', '1000'])
    const { search, clusters } = JSON.parse((await kept()).text)
    assert.deepEqual([search.mostPerSecond, clusters], [167, 1])
  })

  test('has a page that report makes again, and list knows it', async () => {
    await call(['capacity', '--run', '--peers', '500000'])
    const { folder, text: page } = await kept('report.html')
    for (const said of [/id="latency-killed"/, /href="runs\/peak\/report\.html"/, /Every rate was carried/])
      assert.match(page, said)
    assert.match(
      page,
      /node index\.js capacity --run --preset estimate --peers 500000 .* --servers 3 --store postgres/
    )
    await rm(join(folder, 'report.html'))
    assert.equal((await call(['report', folder, '--no-runs'])).exitCode, 0)
    assert.equal((await kept('report.html')).text, page)
    const { stdout } = await call(['list', results(), '--json'])
    assert.match(
      stdout,
      /"capacity --run: estimate, 500,000 peers",\s+"status": "complete",\s+"came": "3 servers that share/
    )
  })

  test('a first run that fails ends it without an answer; --resume goes on with what is left', async () => {
    const broken = await call(['capacity', '--run'], async function* (plan, { id }) {
      yield { type: 'result', result: failedRun(plan, id, 'no PostgreSQL is installed') }
    })
    assert.equal(broken.exitCode, 1)
    assert.match(broken.stderr, /not complete: mean: no PostgreSQL is installed/)
    assert.match(broken.stdout, /There is no answer for 1,000,000 peers/)
    const half = serverOf({ capacity: 400 })
    let runs = 0
    const broke = await call(['capacity', '--run', '--resume'], async function* (plan, options) {
      if (++runs === 2) yield { type: 'result', result: failedRun(plan, options.id, 'gone') }
      else yield* half(plan, options)
    })
    assert.equal(broke.exitCode, 1)
    assert.match(broke.stderr, /not complete: peak did not come to an end/)
    plans = []
    const { exitCode, stderr } = await call(['capacity', '--run', '--resume'])
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      plans.map(({ ratePerSecond, faults }) => [ratePerSecond, faults.length]),
      [[150, 0]],
      'only what did not come to its end is run again'
    )
  })

  test('says nothing of a server that was to be killed, and was not', async () => {
    const { stdout } = await call(['capacity', '--run'], async function* (plan, { id }) {
      yield { type: 'result', result: modelledRun(plan, id, { capacity: 400 }) }
    })
    assert.match(
      stdout,
      /^- There is no answer for 1,000,000 peers .*: peak with a server killed: not measured\.$/m
    )
  })

  test('has a help of its own, wherever its flag stands', async () => {
    for (const argv of [
      ['--run', '--help'],
      ['--peers', '5', '--run', '--help']
    ]) {
      const { exitCode, stdout } = await call(['capacity', ...argv])
      assert.equal(exitCode, 0)
      assert.match(stdout, /--preset +whose rate it is/)
      assert.match(stdout, /--registrations +registrations that the servers hold/)
      assert.doesNotMatch(stdout, /--failover|--target |--linkLatency|--scale/)
    }
    assert.doesNotMatch((await call(['capacity', '--help'])).stdout, /--preset/)
  })

  /** @type {[string, string[], RegExp][]} */
  const refused = [
    ['a preset that is not known', ['--preset', 'ipfs'], /--preset ipfs +must be estimate or waku/],
    [
      'a store that servers cannot share',
      ['--store', 'memory'],
      /--servers 3 +needs a store that they share/
    ],
    [
      'more registrations than servers are given',
      ['--peers', '20000000'],
      /--peers 20,000,000 +have more registrations than the 10,000,000 .*: use --registrations/
    ],
    [
      'more requests than are tried',
      ['--peers', '1000000000000', '--registrations', '5'],
      /--peers 1,000,000,000,000 +make .* requests per second, above/
    ],
    [
      'two peaks',
      ['--peakFactor', '3', '--peakHourShare', '0.1'],
      /--peakHourShare 0\.1 +cannot be given together/
    ],
    ['a fault', ['--fault', 'at=1s kill'], /--fault .* +has no use here: a load is held/],
    [
      'servers of others',
      ['--target', '/ip4/127.0.0.1/tcp/1'],
      /--target .* +has no use here: its servers are ours/
    ],
    ['an option of the other way', ['--scale', '0.1'], /--scale 0\.1 +is no option/],
    [
      'what --run has not',
      ['--initialRegistrations', '5'],
      /--initialRegistrations 5 +has no use here: use --registrations/
    ]
  ]
  for (const [what, argv, message] of refused)
    test(`refuses ${what}`, async () => {
      const { exitCode, stderr, loaded } = await call(['capacity', '--run', ...argv])
      assert.deepEqual([exitCode, loaded], [2, 0], stderr)
      assert.match(stderr, message)
      assert.match(stderr, /capacity --run --help/)
    })
})
