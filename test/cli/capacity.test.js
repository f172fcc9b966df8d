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
    base = await mkdtemp(join(tmpdir(), 'loadtest-capacity-'))
    plans = []
  })
  afterEach(() => rm(base, { recursive: true }))
}

const results = () => join(base, 'results')

/** @param {import('./modelled-server.js').Modelled} server @returns {RunScenario} */
const serverOf = server =>
  async function* (plan, { id }) {
    plans.push(plan)
    yield { type: 'result', result: modelledRun(plan, id, server) }
  }

/** @param {string[]} argv @param {RunScenario} [scenario] */
const call = (argv, scenario = serverOf({ capacity: 400 })) =>
  runCommand([...argv, ...(argv[0] === 'capacity' ? ['--outputDir', results()] : [])], {
    base,
    scenarioOf: () => scenario
  })

/** @param {string} [file] */
async function kept(file = 'capacity.json') {
  const [name] = await readdir(results())
  const folder = join(results(), name)
  return { name, folder, text: await readFile(join(folder, file), 'utf8') }
}

describe('capacity', () => {
  inFolder()

  test('of the network of the source: real rates, connection per operation, the registrations it holds', async () => {
    const { exitCode, stdout, stderr } = await call(['capacity', '--mix', 'refresh=1,discover=1'])
    assert.equal(exitCode, 0, stderr)
    const [mean, peak, burst] = plans
    assert.deepEqual(
      [mean, peak, burst].map(({ ratePerSecond, durationMs }) => [ratePerSecond, durationMs]),
      [
        [92.6, 60_000],
        [185, 60_000],
        [556, 60_000]
      ]
    )
    const { connectionPerOperation, benchmarkType, registerMode, mix, initialRegistrations } = mean
    assert.deepEqual([connectionPerOperation, benchmarkType, registerMode], [true, 'MIXED', 'refresh'])
    assert.deepEqual(mix, { register: 0.5, discover: 0.5, unregister: 0 })
    assert.equal(initialRegistrations, 666_667)
    // the peak hour was carried, three times that was not: the search begins between them
    assert.deepEqual([plans[3].ratePerSecond, plans[3].durationMs], [370, 10_000])
    assert.ok(
      plans.slice(3).every(({ ratePerSecond }) => Number(ratePerSecond) > 185),
      'what was carried is not searched again'
    )
    assert.match(
      stdout,
      /^- 1 server for 1,000,000 peers with 8 requests a day: ceil\(185\/s in the peak hour ÷ \(0\.6 × \d+\/s\)\)/m
    )
    assert.match(stdout, /^\| the source's estimate \| 1,000,000 \| +8 \| +92 \| .* \| +3 \|$/m)
    assert.match(stdout, /^\| 3 × peak hour +\| +556 \| +33,360 \| +24,000 \|/m)
    assert.equal((await kept()).name, '20261120-0712-capacity-1')
    assert.match(
      (await kept('capacity.md')).text,
      /Registrations held = .* = min\(1,000,000 × 1, 185 × 0\.500 × 7,200 s\) = 666,667/
    )
  })

  test('needs more servers where one carries less, and says "at most" where the generator was the bottleneck', async () => {
    const argv = ['capacity', '--duration', '1s', '--searchDuration', '1s']
    const few = await call(argv, serverOf({ capacity: 100 }))
    assert.match(few.stdout, /^- 4 servers for 1,000,000 peers/m)
    const bound = await call(argv, serverOf({ capacity: 100, utilization: 0.99 }))
    assert.match(bound.stdout, /^- At most 4 servers for .* one server sustains at least \d+\.?\d*\/s\.$/m)
    assert.match(bound.stdout, /held for 1\.0 s only: trial figures/)
    assert.equal((await call([...argv, '--strict'])).exitCode, 4)
    assert.equal((await call(['capacity', '--strict'])).exitCode, 0)
  })

  test('goes by the load of three times the peak hour where the search found no rate between it and the peak', async () => {
    const argv = ['capacity', '--peers', '1000', '--requestsPerDay', '86400', '--repeats', '0']
    const { stdout } = await call(argv, serverOf({ capacity: 2_200, utilization: 0.99 }))
    const { search } = JSON.parse((await kept()).text)
    assert.ok(search.found.below.perSecond >= 2000, 'the peak hour is a lower bound')
    assert.match(stdout, /At most \d servers? /)
    const rates = plans.slice(3).map(({ ratePerSecond }) => ratePerSecond)
    assert.ok(!rates.includes(1000) && !rates.includes(2000), String(rates))
  })

  test('where not even the mean is carried, searches below it', async () => {
    const { exitCode } = await call(['capacity', '--repeats', '0'], serverOf({ capacity: 50 }))
    assert.equal(exitCode, 0)
    const { search } = JSON.parse((await kept()).text)
    assert.ok(search.found.below.perSecond <= 52 && search.found.above.perSecond > 50)
    assert.equal(plans[3].ratePerSecond, 46.3)
  })

  test('says loudly that a server was given fewer registrations', async () => {
    const { stdout, stderr, exitCode } = await call(['capacity', '--scale', '0.1', '--strict'])
    assert.equal(exitCode, 4)
    assert.equal(plans[0].initialRegistrations, 14_815)
    assert.match(stderr, /only 0\.1 of those of the network/)
    assert.match(stdout, /only 10\.0 % of the 148,148 registrations .* are NOT those of this network/)
    assert.match((await kept('report.html')).text, /these are not its figures/)
  })

  test('has a page that report makes again, and list knows it', async () => {
    await call(['capacity', '--peers', '50000', '--peakHourShare', '0.125', '--topics', '2', '--ttl', '1h'])
    const { folder, text: page } = await kept('report.html')
    for (const said of [
      /<h2>Servers<\/h2>/,
      /id="latency-burst"/,
      /id="search-achieved"/,
      /href="runs\/peak\/report\.html"/
    ])
      assert.match(page, said)
    assert.match(
      page,
      /node index\.js capacity --peers 50000 --requestsPerDay 8 .* --topics 2 --ttl 3600s --peakFactor 3 /
    )
    await rm(join(folder, 'report.html'))
    assert.equal((await call(['report', folder, '--no-runs'])).exitCode, 0)
    assert.equal((await kept('report.html')).text, page)
    const { stdout } = await call(['list', results(), '--json'])
    assert.match(
      stdout,
      /"capacity: 50,000 peers",\s+"status": "complete",\s+"came": "1 server for 50,000 peers/
    )
  })

  test('a first run that fails ends it without an answer; --resume goes on', async () => {
    const broken = await call(['capacity'], async function* (plan, { id }) {
      yield { type: 'result', result: failedRun(plan, id, 'no such image') }
    })
    assert.equal(broken.exitCode, 1)
    assert.match(broken.stdout, /No number of servers can be given/)
    const { exitCode, stderr } = await call(['capacity', '--resume'])
    assert.equal(exitCode, 0, stderr)
    assert.equal(plans[0].ratePerSecond, 92.6)
    assert.equal(JSON.parse((await kept()).text).servers, 1)
  })

  /** @type {[string, string[], RegExp][]} */
  const refused = [
    ['no peers', ['--peers', '0'], /--peers 0 +must be a whole number/],
    ['a mix that removes', ['--mix', 'unregister=1'], /--mix unregister=1 +must give shares/],
    [
      'two peaks',
      ['--peakFactor', '3', '--peakHourShare', '0.1'],
      /--peakHourShare 0\.1 +cannot be given together/
    ],
    [
      'more registrations than one server is given',
      ['--peers', '1000000000'],
      /--peers 1,000,000,000 +make 148,148,148 registrations/
    ],
    [
      'what follows from the network',
      ['--initialRegistrations', '5'],
      /--initialRegistrations 5 +has no use here/
    ],
    ['an operation', ['--benchmarkType', 'DISCOVER'], /--benchmarkType DISCOVER +has no use here/],
    ['a bad option of the plan', ['--nNamespaces', '0'], /--nNamespaces 0 +must be/],
    ['a word', ['rendezvous'], /rendezvous +is not the value of an option/]
  ]
  for (const [what, argv, message] of refused)
    test(`refuses ${what}`, async () => {
      const { exitCode, stderr, loaded } = await call(['capacity', ...argv])
      assert.deepEqual([exitCode, loaded], [2, 0], stderr)
      assert.match(stderr, message)
    })
})
