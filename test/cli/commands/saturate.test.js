import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { describeNamespaceProblem } from '../../../src/network/namespaces.js'
import { emptyBeforeEach, temporaryFolder } from '../../temporary-folder.js'
import { failedRun, modelledRun } from '../modelled-server.js'
import { runCommand } from '../run-command.js'

/**
 * @typedef {import('node:events').EventEmitter} EventEmitter
 * @typedef {import('../../../src/scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../../src/cli/index.js').RunScenario} RunScenario
 */

const base = temporaryFolder()
/** @type {Plan[]} */
let plans

const inFolder = () =>
  emptyBeforeEach(base, async () => {
    plans = []
  })

const results = () => join(base, 'results')

/** @param {import('../modelled-server.js').Modelled} server @returns {RunScenario} */
const serverOf = server =>
  async function* (plan, { id }) {
    plans.push(plan)
    yield { type: 'result', result: modelledRun(plan, id, server) }
  }

/** @param {string[]} argv @param {RunScenario} [scenario] */
const call = (argv, scenario = serverOf({ capacity: 500 })) => callWith(argv, () => scenario)

/** @param {string[]} argv @param {(process: EventEmitter) => RunScenario} scenarioOf */
const callWith = (argv, scenarioOf) =>
  runCommand([...argv, ...(argv[0] === 'saturate' ? ['--outputDir', results()] : [])], { base, scenarioOf })

/** @param {string} [file] */
async function kept(file = 'saturate.json') {
  const names = (await readdir(results())).sort()
  const folder = join(results(), names[0])
  return { folder, names, text: await readFile(join(folder, file), 'utf8') }
}

const document = async () => JSON.parse((await kept()).text)

describe('saturate rendezvous: the grid', () => {
  inFolder()

  test('runs every number of connections with every rate, one after the other, and says what was sustained and which cell is chosen', async () => {
    const { exitCode, stdout, stderr } = await call(['saturate', 'rendezvous'])
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      plans.map(({ ratePerSecond, nClients, durationMs }) => [ratePerSecond, nClients, durationMs]),
      [1, 2, 4].flatMap(c =>
        // 1,000 operations make a p99
        [25, 50, 100, 200].map(rate => [rate * c, c, 1000 * Math.max(10, 1000 / (rate * c))])
      )
    )
    assert.equal(plans[0].registerMode, 'refresh')
    assert.match(stdout, /^\| +200 \| +100 \| +100 \| +62\.5 \|$/m)
    assert.match(
      stdout,
      /^\| +4 \| +400 \| +2 \| +4 \| +800 \| server CPU \(100 % of a core; load generator 40 %; offered load \d\d %\) \|$/m
    )
    assert.match(
      stdout,
      /^The server sustained up to 400\/s \(r=200 c=2 and r=100 c=4\), and not 800\/s \(r=200 c=4\), limited by: server CPU \(100 % of a core; /m
    )
    const { grid, status } = await document()
    assert.deepEqual([status, grid.chosen], ['complete', { ratePerSecond: 200, connections: 2 }])
    const { folder, names } = await kept()
    assert.deepEqual(names, ['20261120-0712-saturate-rendezvous-1'])
    assert.equal((await readdir(join(folder, 'runs'))).length, 12)
    const { text } = await kept('report.md')
    assert.match(
      text,
      /node index\.js saturate rendezvous --rates 25,50,100,200 --connections 1,2,4 --duration 10s/
    )
    assert.match(text, /^\| runs\/\S+ +\| +200 \| +2 \| +400 \| +4000 \| +4000 \| .*\| yes +\| yes +\|/m)
    assert.match(text, /^\| runs\/\S+ +\| +200 \| +4 \| +800 \| +8000 \| +5000 \| .*\| no +\| –/m)
  })

  test('has a page with every cell; report makes it again, list knows it', async () => {
    await call(['saturate', 'rendezvous', '--rates', '100,400', '--connections', '1,2', '--duration', '3s'])
    const { folder, text: page } = await kept('report.html')
    for (const said of [/id="grid"/, /id="trials"/, /href="runs\/04-r400-c2\/report\.html"/])
      assert.match(page, said)
    await rm(join(folder, 'report.html'))
    assert.equal((await call(['report', folder])).exitCode, 0)
    assert.equal((await kept('report.html')).text, page, 'the same to the byte')
    const { stdout } = await call(['list', results(), '--json'])
    assert.match(
      stdout,
      /"saturate rendezvous: grid of 4 cells",\s+"status": "complete",\s+[\s\S]*"value": "The server sustained up to/
    )
  })

  test('with independent arrivals expects those that came', async () => {
    const argv = 'saturate rendezvous --rates 25 --connections 1 --arrivals poisson --json'.split(' ')
    const { stdout } = await call(argv, async function* (plan, { id }) {
      const fewer = { ...plan, ratePerSecond: 20 }
      yield { type: 'result', result: { ...modelledRun(fewer, id, { capacity: 500 }), plan } }
    })
    assert.deepEqual(JSON.parse(stdout).grid.chosen, { ratePerSecond: 25, connections: 1 })
  })

  test('a cell that fails is said, and the others are run', async () => {
    const { exitCode, stdout } = await call(
      ['saturate', 'rendezvous', '--rates', '100,200', '--connections', '1,2'],
      async function* (plan, { id }) {
        plans.push(plan)
        const ends = plan.ratePerSecond === 200 && plan.nClients === 1
        yield {
          type: 'result',
          result: ends ? failedRun(plan, id, 'the server is gone') : modelledRun(plan, id, { capacity: 500 })
        }
      }
    )
    assert.equal(exitCode, 1)
    assert.equal(plans.length, 4)
    assert.match(stdout, /^\| +200 \| +– \| +100 \|$/m)
    assert.match(stdout, /^⚠ 1 of 4 runs failed, the first one 02-r200-c1: the server is gone\.$/m)
    assert.equal((await document()).reason.code, 'CELLS_FAILED')
  })

  test('a first run that fails ends it: it is not the load', async () => {
    const { exitCode, stderr } = await call(['saturate', 'rendezvous'], async function* (plan, { id }) {
      plans.push(plan)
      yield { type: 'result', result: failedRun(plan, id, 'no such image') }
    })
    assert.deepEqual([exitCode, plans.length], [1, 1])
    assert.match(stderr, /not complete: 01-r25-c1: no such image/)
  })

  test('Ctrl-C keeps what is complete; --resume goes on with the rest', async () => {
    const { exitCode } = await callWith(
      ['saturate', 'rendezvous', '--rates', '100', '--connections', '1,2,4', '--benchmarkType', 'DISCOVER'],
      process =>
        async function* (plan, { id, signal }) {
          plans.push(plan)
          if (plans.length === 2) process.emit('SIGINT', 'SIGINT')
          if (signal.aborted) yield { type: 'result', result: failedRun(plan, id, 'interrupted') }
          else yield { type: 'result', result: modelledRun(plan, id, { capacity: 500 }) }
        }
    )
    assert.deepEqual([exitCode, plans.length], [130, 2])
    assert.equal((await document()).reason.code, 'INTERRUPTED')
    plans = []
    const again = await call(['saturate', 'rendezvous', '--resume'])
    assert.equal(again.exitCode, 0, again.stderr)
    assert.deepEqual(
      plans.map(({ nClients, benchmarkType }) => [nClients, benchmarkType]),
      [
        [2, 'DISCOVER'],
        [4, 'DISCOVER']
      ]
    )
    const { grid, status, reason } = await document()
    assert.deepEqual([status, reason, grid.cells.length], ['complete', null, 3])
  })
})

describe('saturate rendezvous --search', () => {
  /** @type {Awaited<ReturnType<typeof call>>} */
  let ended
  before(async () => {
    await rm(results(), { recursive: true, force: true })
    plans = []
    ended = await call(['saturate', 'rendezvous', '--search'])
  })

  test('gives the highest sustainable rate with its interval, and what was used up', async () => {
    const { exitCode, stdout, stderr } = ended
    assert.equal(exitCode, 0, stderr)
    const { search } = await document()
    const { below, above, closed, generatorBound } = search.found
    assert.deepEqual([closed, generatorBound], [true, false])
    for (const { sustained, point } of search.trials)
      if (!sustained) assert.deepEqual(point.limitedBy.by, ['server CPU'])
    assert.ok(below.perSecond <= 515 && above.perSecond > 500, `${below.perSecond}, ${above.perSecond}`)
    assert.ok(above.perSecond - below.perSecond <= 0.05 * above.perSecond)
    const [nine] = search.found.estimate.rates
    assert.ok(
      nine.low < nine.perSecond && nine.perSecond < nine.high && nine.high < 600,
      JSON.stringify(nine)
    )
    assert.equal(search.trials.filter((/** @type {any} */ { purpose }) => purpose === 'block').length, 40)
    assert.match(
      stdout,
      /^Sustainable rate: \d+\/s in 9 of 10 trials \(95 % interval \d+ to \d+, 8 blocks of trials\), limited by: server CPU \(100 % of a core; load generator 40 %; /m
    )
    assert.match(stdout, /^\| Sustained, operations\/s \|.*\| In 5 of 10 trials \|/m)
  })

  test('goes on where it was broken off, in the midst of its blocks, and tries nothing twice', async () => {
    const whole = plans.map(({ ratePerSecond }) => ratePerSecond)
    const { folder, text } = await kept()
    const { found } = JSON.parse(text).search
    // a block and the end of the one before
    const LAST = 7
    const broken = JSON.parse(text)
    broken.search.trials.length -= LAST
    broken.search.found = null
    await writeFile(join(folder, 'saturate.json'), JSON.stringify({ ...broken, status: 'running' }))
    plans = []
    const again = await call(['saturate', 'rendezvous', '--resume'])
    assert.equal(again.exitCode, 0, again.stderr)
    assert.deepEqual(
      plans.map(({ ratePerSecond }) => ratePerSecond),
      whole.slice(-LAST)
    )
    assert.deepEqual((await document()).search.found, found)
  })
})

describe('a search of saturate rendezvous', () => {
  inFolder()

  test('gives a lower bound, never a figure of the server, where the load generator was the bottleneck', async () => {
    const argv = ['saturate', 'rendezvous', '--search', '--repeats', '1', '--blocks', '0']
    const { exitCode, stdout } = await call(argv, serverOf({ capacity: 500, utilization: 0.97 }))
    assert.equal(exitCode, 0)
    assert.match(stdout, /^Sustainable rate: at least \d+\/s/m)
    assert.match(stdout, /limited by: load generator \(97 %; server CPU 60 %; /)
    assert.match(stdout, /^⚠ Generator-bound: the figure is a lower bound/m)
    const tried = plans.length
    assert.equal((await call(['saturate', 'rendezvous', '--resume', '--strict'])).exitCode, 4)
    assert.equal(plans.length, tried, 'it was complete')
  })
})

describe('the objective of saturate', () => {
  inFolder()

  test('is the one of --slo, in the answer, the document and the command to repeat it', async () => {
    const grid = ['saturate', 'rendezvous', '--rates', '100,400', '--connections', '1', '--duration', '3s']
    const { exitCode, stdout } = await call(
      [...grid, '--slo', 'REGISTER.p50 < 2.5ms; errorRate <= 1%', '--slo', 'achieved >= 90%'],
      async function* (plan, { id }) {
        const p50Ms = plan.ratePerSecond === 400 ? 3 : 2
        yield { type: 'result', result: modelledRun(plan, id, { capacity: 500, p50Ms }) }
      }
    )
    assert.equal(exitCode, 0)
    const words = 'REGISTER.p50 < 2.5ms, errorRate <= 1%, achieved >= 90%'
    assert.ok(
      stdout.includes(`The server sustained up to 100/s (r=100 c=1), and not 400/s (r=400 c=1)`) &&
        stdout.includes(`Objective: ${words}.`),
      stdout
    )
    assert.deepEqual((await document()).objective, words.split(', '))
    const { text } = await kept('report.md')
    assert.match(text, / --slo "REGISTER\.p50 < 2\.5ms" --slo "errorRate <= 1%" --slo "achieved >= 90%"/)
    assert.match(text, /\| REGISTER\.p50 < 2\.5ms: 3 ms +\|/)
  })

  test('that no load meets makes the exit code 3', async () => {
    const few = ['saturate', 'rendezvous', '--rates', '200', '--connections', '1']
    assert.equal((await call([...few, '--slo', 'p50 < 1ms'])).exitCode, 3)
    const search = ['saturate', 'rendezvous', '--search', '--blocks', '0', '--slo', 'p50 < 1ms']
    assert.equal((await call(search)).exitCode, 3)
    assert.equal((await document()).grid.chosen, null)
  })

  test('of an earlier version is not known: a study that was broken off is not gone on with', async () => {
    await call(['saturate', 'rendezvous', '--rates', '100', '--connections', '1,2'])
    const { folder, text } = await kept()
    const { objective: _, ...old } = JSON.parse(text)
    old.grid.cells[1] = { ...old.grid.cells[1], status: 'pending', point: null }
    await writeFile(join(folder, 'saturate.json'), JSON.stringify({ ...old, status: 'partial' }))
    const { exitCode, stderr } = await call(['saturate', 'rendezvous', '--resume'])
    assert.equal(exitCode, 1)
    assert.match(stderr, /judged by the rules of an earlier version: run it again from the beginning/)
  })
})

describe('between network namespaces', { skip: describeNamespaceProblem() ?? false }, () => {
  inFolder()

  test('each cell has its links, and a namespace for each client', async () => {
    const links = ['--network', 'namespaces', '--linkLatency', '10ms', '--linkLoss', '1%']
    const grid = ['--rates', '25', '--connections', '1,3']
    const { exitCode, stderr } = await call(['saturate', 'rendezvous', ...links, ...grid])
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      plans.map(({ nClients, workers }) => `${nClients} in ${workers}`),
      ['1 in 1', '3 in 3']
    )
    for (const { network, linkLatency, linkLossShare } of plans)
      assert.deepEqual(
        [network, linkLatency, linkLossShare],
        ['namespaces', { kind: 'constant', ms: 10 }, 0.01]
      )
  })
})
