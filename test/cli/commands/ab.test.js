import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { describeNamespaceProblem } from '../../../src/network/namespaces.js'
import { formatResult } from '../../../src/report/result-folder.js'
import { operation, sampleResult, summary, time } from '../../report/sample-result.js'
import { judgeAll } from '../../scenarios.js'
import { emptyBeforeEach, temporaryFolder } from '../../temporary-folder.js'
import { runCommand } from '../run-command.js'

/**
 * @typedef {import('node:events').EventEmitter} EventEmitter
 * @typedef {import('../../../src/scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../../src/report/schema.js').Result} Result
 * @typedef {import('../../../src/cli/index.js').RunScenario} RunScenario
 */

const base = temporaryFolder()

const results = () => join(base, 'results')

/**
 * A run whose p50 grows with what is in flight, and with its number a little, as on a machine that grows warm.
 *
 * @param {Plan} plan
 * @param {string} id
 * @param {number} place - of the run
 * @returns {Result}
 */
function measured(plan, id, place) {
  const p50 = 10 * (1 + plan.inFlight / 10) * (1 + place / 1000)
  const all = summary(5000, { p50: time(p50), p99: time(3 * p50) })
  const REGISTER = operation({ all, serverCpuMicrosPerOperation: 200 * (1 + place / 1000) })
  const figures = sampleResult({ outcome: { operations: { REGISTER } } }).outcome
  return { ...sampleResult({ outcome: figures }), id, plan: { ...plan } }
}

/** @returns {{ plans: Plan[], scenario: RunScenario }} */
function scenarioOf() {
  /** @type {Plan[]} */
  const plans = []
  return {
    plans,
    scenario: async function* (plan, { id }) {
      plans.push(plan)
      yield { type: 'result', result: measured(plan, id, plans.length) }
    }
  }
}

/** @param {string[]} argv @param {RunScenario} [scenario] */
const call = (argv, scenario = scenarioOf().scenario) => callWith(argv, () => scenario)

/** @param {string[]} argv @param {(process: EventEmitter) => RunScenario} made */
const callWith = (argv, made) =>
  runCommand([...argv, ...(argv[0] === 'ab' ? ['--outputDir', results()] : [])], { base, scenarioOf: made })

/** @param {string} path in the only folder of results */
async function kept(path) {
  const [name] = await readdir(results())
  return readFile(join(results(), name, path), 'utf8')
}

const shared = temporaryFolder()

/** @type {Promise<string> | undefined} */
let twice

/** A folder of two plans that are the same, to hold others against: it is made once, and nothing is changed in it. */
const sameTwice = () => (twice ??= makeTwice())

/** @returns {Promise<string>} */
async function makeTwice() {
  const outputDir = join(shared, 'results')
  const { scenario } = scenarioOf()
  await runCommand(['ab', '', '', '--outputDir', outputDir], { base: shared, scenarioOf: () => scenario })
  const [name] = await readdir(outputDir)
  return join(outputDir, name)
}

describe('ab', () => {
  emptyBeforeEach(base)

  test('runs both plans in turn, keeps every run, and says what differs', async () => {
    const { plans, scenario } = scenarioOf()
    const { exitCode, stdout, stderr } = await call(
      ['ab', '--inFlight 2', '--inFlight 6', '--nClients', '3'],
      scenario
    )
    assert.equal(exitCode, 0, stderr)
    assert.equal(plans.map(({ inFlight }) => inFlight).join(''), '2662266226622662')
    assert.deepEqual([...new Set(plans.map(({ nClients }) => nClients))], [3])
    assert.match(stdout, /^\| A +\| --inFlight 2 +\| +8 \| +8 \| 2026-11-20 \|/m)
    assert.match(stdout, /^\| Plan \| inFlight +\| 2 +\| 6 +\|$/m)
    assert.match(
      stdout,
      /^\| p50, ms +\| +12\.1 \| 16\.14 \| +33\.\d+ \|.*\| worse +\| 0\.007813 \| +0\.03125 \|/m
    )
    assert.match(stdout, /^\| Server CPU per operation, µs .*\| same +\|/m)
    assert.match(stdout, /^Compared with A, B has p50 33\.3 % higher and p99 33\.3 % higher/m)
    assert.match(stdout, /\/ {3}report\.html · comparison\.json\n$/)
    const { status, sides } = JSON.parse(await kept('comparison.json'))
    assert.deepEqual([status, sides.length, sides[0].runs.length], ['complete', 2, 8])
    assert.deepEqual(
      sides.map((/** @type {any} */ { runs }) => runs[7]),
      ['a/20261120-0712-ab-1-a08', 'b/20261120-0712-ab-1-b08']
    )
    assert.equal(sides[1].against.metrics.length, 4)
    assert.match(
      await kept('report.md'),
      /^# --inFlight 2 against --inFlight 6\n[\s\S]*\nCompared with A, B has p50 /
    )
    assert.ok(JSON.parse(await kept(`${sides[0].runs[0]}/result.json`)).plan.inFlight === 2)
    assert.match(await kept(`${sides[0].runs[0]}/report.md`), /^# 20261120-0712-ab-1-a01/)
    assert.match(stderr, /✔ +\d+\/16 {2}pair 1 {2}A --inFlight 2/)
  })

  test('fewer than 8 pairs give ratios and no verdict; a rule is UNDECIDED, exit code 3 unless that is allowed', async () => {
    const few = ['ab', '', '--inFlight 6', '--runs', '2', '--fail-on', 'p50 > +1%', '--fail-on', 'p99 > +1%']
    const { exitCode, stdout, stderr } = await call(few)
    assert.equal(exitCode, 3)
    assert.match(stderr, /^2 pairs of runs cannot decide anything: 8 are needed, so every rule/m)
    assert.equal((await call([...few, '--allowUndecided'])).exitCode, 0)
    assert.equal((await call(['ab', '--resume'])).exitCode, 3)
    assert.equal((await call(['ab', '--resume', '--allowUndecided'])).exitCode, 0)
    assert.match(stdout, /^\| A +\| as it is /m)
    assert.match(stdout, /^\| p50 > \+1% .*\| UNDECIDED \| +4\d\.\d+ \| too few runs to tell \|$/m)
  })

  test('--fail-on decides by the interval, with exit code 3, and is there again when compared later', async () => {
    const { exitCode, stdout } = await call(['ab', '', '--inFlight 6', '--failOn', 'p50 > +10%'])
    assert.equal(exitCode, 3)
    assert.match(stdout, /^\| p50 > \+10% .*\| FAIL +\|/m)
    const [name] = await readdir(results())
    const again = await call(['compare', join(results(), name)])
    assert.match(again.stdout, /^\| p50 > \+10% .*\| FAIL +\|/m)
    assert.equal(again.exitCode, 3)
    const other = await call(['compare', join(results(), name), '--fail-on', 'p50 > +90%'])
    assert.equal(other.exitCode, 0)
    assert.match(other.stdout, /^\| p50 > \+90% .*\| PASS +\|/m)
  })

  test('takes plans from files, over which other options win', async () => {
    await writeFile(join(base, 'a.yaml'), 'nClients: 4\nseed: 9\n')
    await writeFile(join(base, 'b.yaml'), 'nClients: 5\nseed: 9\n')
    const { plans, scenario } = scenarioOf()
    const { exitCode } = await call(
      ['ab', join(base, 'a.yaml'), join(base, 'b.yaml'), '--runs', '1', '--n-clients', '2'],
      scenario
    )
    assert.equal(exitCode, 0)
    assert.deepEqual(
      plans.map(({ nClients, seed }) => [nClients, seed]),
      [
        [2, 9],
        [2, 9]
      ]
    )
  })

  test('takes plans between network namespaces whose links differ', {
    skip: describeNamespaceProblem() ?? false
  }, async () => {
    const { plans, scenario } = scenarioOf()
    const links = ['--network', 'namespaces', '--linkLoss', '1%', '--runs', '1']
    const { exitCode, stderr } = await call(
      ['ab', '--linkLatency 10ms', '--linkLatency uniform:20ms-40ms', ...links],
      scenario
    )
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(
      plans.map(({ network, linkLatency, linkLossShare }) => [network, linkLatency?.kind, linkLossShare]),
      [
        ['namespaces', 'constant', 0.01],
        ['namespaces', 'uniform', 0.01]
      ]
    )
  })

  test('--baseline holds the second plan against earlier runs', async () => {
    const baseline = join(await sameTwice(), 'a')
    const same = await call(['ab', '', '', '--baseline', baseline])
    assert.equal(same.exitCode, 0)
    assert.match(
      same.stdout,
      /; PASS against the baseline .*\/a \(8 runs, 2026-11-20, libp2p-loadtest unknown\)\.$/m
    )
    const slower = await call(['ab', '', '--ttl 1h', '--baseline', baseline])
    assert.equal(slower.exitCode, 2)
    assert.match(
      slower.stderr,
      /--baseline .*\/a +is of another plan, the plans differ in ttlSeconds: make one of this plan with node index\.js .*--ttl 3600s.* --runs 8$/m
    )
  })

  test('--baseline that fails: exit code 3, kept in every view, and said again when reported later', async () => {
    const earlier = join(base, 'earlier')
    await cp(await sameTwice(), earlier, { recursive: true })
    const slow = /** @type {RunScenario} */ (
      async function* (plan, { id }) {
        yield { type: 'result', result: measured({ ...plan, inFlight: 9 }, id, 1) }
      }
    )
    const samePlan = /** @type {RunScenario} */ (
      async function* (plan, components) {
        for await (const record of slow(plan, components))
          yield record.type === 'result' ? { ...record, result: { ...record.result, plan } } : record
      }
    )
    const { exitCode, stdout } = await call(['ab', '', '', '--baseline', join(earlier, 'a')], samePlan)
    assert.equal(exitCode, 3)
    assert.match(
      stdout,
      /; FAIL against the baseline .*\/a \(8 runs, 2026-11-20, libp2p-loadtest unknown\)\.$/m
    )
    assert.match(stdout, /^\| p50 > \+5% +\| B +\| baseline \| FAIL +\| +7\d\.\d+ \|/m)
    const [name] = await readdir(results())
    const folder = join(results(), name)
    assert.equal(JSON.parse(await readFile(join(folder, 'comparison.json'), 'utf8')).held.verdict, 'FAIL')
    // the verdict is kept: the baseline itself is not needed any more
    await rm(earlier, { recursive: true })
    for (const view of ['report.html', 'report.md']) await rm(join(folder, view))
    const again = await call(['report', folder, '--no-runs'])
    assert.equal(again.exitCode, 0, again.stderr)
    for (const view of ['report.html', 'report.md'])
      assert.match(await readFile(join(folder, view), 'utf8'), /FAIL against the baseline/)
    assert.equal((await call(['compare', folder])).exitCode, 3)
  })

  test('a baseline of one run decides nothing: refused with the command that makes one', async () => {
    await call(['ab', '', '', '--runs', '1'])
    const [name] = await readdir(results())
    const { exitCode, stderr } = await call(['ab', '', '', '--baseline', join(results(), name, 'a')])
    assert.equal(exitCode, 2)
    assert.match(
      stderr,
      /--baseline .*\/a +contains a single run, which cannot decide: make one with node index\.js .*--runs 8$/m
    )
  })

  test('thresholds hold for every run of both plans: exit code 3 when one fails', async () => {
    const judging = /** @type {RunScenario} */ (
      async function* (plan, { id }) {
        const result = measured(plan, id, 1)
        const figures = { ...result.outcome, server: null }
        const thresholds = judgeAll(plan.thresholds, figures)
        yield { type: 'result', result: { ...result, outcome: { ...result.outcome, thresholds } } }
      }
    )
    const { exitCode, stdout } = await call(
      ['ab', '', '--inFlight 6', '--threshold', 'REGISTER.p50 < 13ms'],
      judging
    )
    assert.equal(exitCode, 3)
    assert.match(stdout, /^\| REGISTER\.p50 \\?< 13ms \| A +\| PASS +\| +8 \| +8 \|$/m)
    assert.match(stdout, /^\| REGISTER\.p50 \\?< 13ms \| B +\| FAIL +\| +0 \| +8 \|$/m)
    assert.match(await kept('report.html'), /REGISTER\.p50 &lt; 13ms/)
    const met = await call(['ab', '', '', '--runs', '1', '--threshold', 'REGISTER.p50 < 13ms'], judging)
    assert.equal(met.exitCode, 0)
  })

  test('a threshold that breaks off a run ends it with exit code 3', async () => {
    const reason = { code: 'THRESHOLD_FAILED', message: 'errorRate < 1% failed' }
    const { exitCode, stderr } = await call(
      ['ab', '', '', '--threshold', 'errorRate < 1%, abortOnFail'],
      async function* (plan, { id }) {
        yield { type: 'result', result: { ...measured(plan, id, 1), status: 'partial', reason } }
      }
    )
    assert.equal(exitCode, 3)
    assert.match(stderr, /not complete: errorRate < 1% failed\n/)
  })

  test('that is interrupted keeps the pairs it has', async () => {
    let count = 0
    const { exitCode, stdout, stderr } = await callWith(
      ['ab', '', '--inFlight 6'],
      process =>
        async function* (plan, { id, signal }) {
          if (++count === 6) setImmediate(() => process.emit('SIGINT', 'SIGINT'))
          if (count === 6)
            await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
          /** @type {Result['status']} */
          const status = count === 6 ? 'partial' : 'complete'
          yield { type: 'result', result: { ...measured(plan, id, count), status } }
        }
    )
    assert.equal(exitCode, 130)
    assert.match(stderr, /stopping; Ctrl-C again ends at once/)
    assert.match(stdout, /^Too few runs to tell .*: 2 pairs of the 8 needed/m)
    const { status, reason, sides } = JSON.parse(await kept('comparison.json'))
    assert.deepEqual([status, reason.code], ['partial', 'INTERRUPTED'])
    const [a, b] = sides.map((/** @type {any} */ { runs }) => runs)
    assert.equal(a.filter((/** @type {any} */ run, /** @type {number} */ i) => run && b[i]).length, 2)
    assert.ok(a[2] && b[2] === null)
    const { plans, scenario } = scenarioOf()
    const refused = await call(['ab', '--resume', '--nClients', '5', '--runs', '9', 'x.yaml'], scenario)
    assert.deepEqual([refused.exitCode, plans.length], [2, 0])
    assert.match(refused.stderr, /plans x\.yaml +cannot be given with --resume: the folder has them/)
    assert.match(
      refused.stderr,
      /--nClients 5 +cannot be given with --resume.*\n.*--runs 9 +cannot be given with/
    )
    const misread = await call(['ab', '--resume', '--dashboard', '99999', '--agents', '2'], scenario)
    assert.deepEqual([misread.exitCode, plans.length], [2, 0])
    assert.match(misread.stderr, /--dashboard 99999 +must be/)
    assert.match(misread.stderr, /--agents 2 +needs --bus/)
    const again = await call(['ab', '--resume'], scenario)
    assert.equal(again.exitCode, 0, again.stderr)
    // of the pair that was broken off both runs are made again: they are to be neighbours in time
    assert.equal(plans.length, 12)
    assert.match(again.stdout, /over 8 pairs of runs|8 pairs of runs/)
    const whole = JSON.parse(await kept('comparison.json'))
    assert.deepEqual([whole.status, whole.sides[1].runs[1], whole.reason], ['complete', b[1], null])
    assert.ok(whole.sides.every((/** @type {any} */ { runs }) => runs.every(Boolean)))
  })

  test('ends with exit code 1 when a run does not come to its end', async () => {
    const reason = { code: 'SERVER_DIED', message: 'the server died' }
    const { exitCode, stderr, stdout } = await call(['ab', '', ''], async function* (plan, { id }) {
      yield { type: 'result', result: { ...measured(plan, id, 1), status: 'partial', reason } }
    })
    assert.deepEqual([exitCode, stdout], [1, ''])
    assert.match(stderr, /not complete: the server died\n/)
    assert.match(stderr, /there is nothing to compare/)
    const { stdout: listed } = await call(['list', results(), '--json'])
    assert.match(
      listed,
      /"ab: as it is against as it is",\s+"status": "partial: SERVER_DIED",[\s\S]*"value": "0 of 8 pairs"/
    )
  })
})

describe('compare', () => {
  emptyBeforeEach(base)

  /** @param {string} name @param {Partial<Result>} [parts] */
  async function keep(name, parts = {}) {
    const folder = join(results(), name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'result.json'), formatResult({ ...sampleResult(), id: name, ...parts }))
    return folder
  }

  test('lays runs side by side, and gives no verdict', async () => {
    const slow = sampleResult({
      options: { nClients: 9 },
      outcome: {
        operations: {
          REGISTER: operation({ all: summary(500, { p50: time(30), p99: time(99, { censored: true }) }) })
        }
      }
    })
    const folders = [
      await keep('one'),
      await keep('two', { plan: slow.plan, outcome: slow.outcome }),
      await keep('three')
    ]
    const { exitCode, stdout } = await call(['compare', ...folders, '--fail-on', 'p50 > +10%'])
    assert.equal(exitCode, 3)
    assert.match(stdout, /^\| Plan \| nClients +\| 4 +\| B +\| 9 +\|$/m)
    assert.match(stdout, /^\| p50, ms +\| B +\| +15 \| +30 \| +100 \| too few runs \|/m)
    assert.match(stdout, /^\| p99, ms +\| B +\| 25\.96 \| +99 \|/m)
    assert.match(stdout, /^\| p50 > \+10% \| B +\| A +\| UNDECIDED \|/m)
  })

  test('of the arms of ab knows that the runs took turns', async () => {
    await call(['ab', '', '--inFlight 6'])
    const [name] = await readdir(results())
    const arms = await call(['compare', join(results(), name, 'a'), join(results(), name, 'b')])
    assert.match(arms.stdout, /\| worse +\|/)
    assert.doesNotMatch(arms.stdout, /did not take turns/)
    const across = await call(['compare', join(results(), name, 'a'), join(await sameTwice(), 'a')])
    assert.match(across.stdout, /The runs of the sides did not take turns/)
  })

  test('leaves runs out that are not complete', async () => {
    await keep('many/one')
    await keep('many/two', { status: 'partial', id: 'two' })
    const { stderr, stdout } = await call(['compare', await keep('one'), join(results(), 'many')])
    assert.match(stderr, /^left out, not complete: two$/m)
    assert.match(stdout, /\| too few runs \|/)
  })
})
