import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatResult } from '../../src/report/result-folder.js'
import { lineSchema } from '../../src/report/schema.js'
import { sampleResult } from '../report/sample-result.js'
import { judgeAll } from '../scenarios.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { modelledRun } from './modelled-server.js'
import { runCommand } from './run-command.js'

/** @typedef {import('../../src/cli/index.js').RunScenario} RunScenario */

const base = temporaryFolder()

/** A run that takes 15 ms at the median, judged as a real one. @param {Parameters<typeof sampleResult>[0]} [parts] @returns {RunScenario} */
const ending = (parts = {}) =>
  async function* (plan, { id }) {
    yield { type: 'start', id, plan, run: {} }
    yield { type: 'phase', name: 'measure', state: 'begin', atMs: 3 }
    const result = sampleResult(parts)
    const { outcome } = result
    const figures = { operations: outcome.operations, server: outcome.server, measuredMs: 1000 }
    yield { type: 'progress', phase: 'measure', done: 5, total: null, unit: 'operations', ratePerSecond: 7 }
    yield { type: 'interval', figures, utilizations: [0.5], thresholds: [] }
    yield { type: 'warning', warning: { code: 'DROPPED', values: { count: 3 } } }
    yield { type: 'partial', result: { ...result, id, plan } }
    const thresholds = judgeAll(plan.thresholds, outcome)
    yield { type: 'result', result: { ...result, plan, id, outcome: { ...outcome, thresholds } } }
  }

/** @param {string[]} argv @param {RunScenario} [scenario] @param {Record<string, string>} [env] */
const run = (argv, scenario = ending(), env = {}) =>
  runCommand([...argv, '--outputDir', join(base, 'results')], { base, scenarioOf: () => scenario, env })

const junit = () => join(base, 'junit.xml')
const xml = () => readFile(junit(), 'utf8')

/** @param {string} text - JUnit XML */
const unmet = text => {
  const [, failures, errors] = /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(text) ?? []
  return Number(failures) + Number(errors)
}

const MET = ['--threshold', 'REGISTER.p50 < 20ms']
const MISSED = ['--threshold', 'REGISTER.p50 < 10ms']
const NOT_SENT = { warnings: [{ code: 'DROPPED', values: { count: 3 } }] }
const LOST = { warnings: [{ code: 'REGISTRATIONS_MISSING', values: { missing: 1, lookedUp: 40 } }] }

/** @param {string} code @returns {Parameters<typeof sampleResult>[0]} */
const ended = code => ({
  result: {
    status: 'partial',
    reason: { code, message: 'it ended' },
    run: {
      ...sampleResult().run,
      phases: [{ name: 'measure', state: 'failed', startMs: 0, durationMs: 9, detail: null }]
    }
  }
})

/** @type {Parameters<typeof sampleResult>[0]} */
const NEVER_BEGAN = {
  result: { status: 'partial', reason: { code: 'NO_ENGINE', message: 'no engine' } }
}

describe('--junit of a run', () => {
  emptyBeforeEach(base)

  /** @type {[string, string[], RunScenario, number, RegExp][]} */
  const CASES = [
    ['no thresholds', [], ending(), 0, /name="completes" time="20.000"><\/testcase>/],
    ['thresholds met', MET, ending(), 0, /name="REGISTER.p50 &lt; 20ms" .*<system-out>/],
    ['one missed', [...MET, ...MISSED], ending(), 3, /<failure message="[\d.]+ ms" type="fail">/],
    ['operations not sent', [], ending(NOT_SENT), 0, /tests="1" failures="0"/],
    [
      'operations not sent, strict',
      ['--strict'],
      ending(NOT_SENT),
      4,
      /measured what was planned .*<failure message="3 operations/
    ],
    ['what was confirmed is lost', [], ending(LOST), 1, /<error message="1 of 40 registrations/],
    ['the server died', MET, ending(ended('SERVER_DIED')), 1, /<error message="it ended" type="error">/],
    [
      'broken off by a threshold',
      MISSED,
      ending(ended('THRESHOLD_FAILED')),
      3,
      /completes" time="\d+.\d{3}"><\/testcase>/
    ]
  ]
  for (const [name, argv, scenario, expected, shown] of CASES)
    test(`${name}: it has a failure where the exit code is not 0`, async () => {
      const { exitCode, stderr } = await run([...argv, '--junit', junit()], scenario)
      assert.equal(exitCode, expected, stderr)
      assert.equal(unmet(await xml()) > 0, expected !== 0, await xml())
      assert.match(await xml(), shown)
    })

  test('that never began has an error, with why', async () => {
    const { exitCode } = await run(['--junit', junit()], ending(NEVER_BEGAN))
    assert.equal(exitCode, 1)
    assert.match(await xml(), /<error message="no engine"/)
  })

  test('that can be written no more makes a run fail that was good', async () => {
    const takingAway = async function* (/** @type {any} */ plan, /** @type {any} */ components) {
      await mkdir(join(base, 'junit.xml'))
      yield* ending()(plan, components)
    }
    const { exitCode, stderr } = await run(['--junit', junit()], takingAway)
    assert.equal(exitCode, 1)
    assert.match(stderr, /^error: /m)
  })
})

describe('in GitHub Actions', () => {
  emptyBeforeEach(base)

  const summary = () => join(base, 'summary.md')
  const actions = () => ({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary() })

  test('a threshold that was missed is an annotation, and stands in the summary with the table', async () => {
    const { exitCode, stdout, stderr } = await run([...MET, ...MISSED, '--json'], ending(), actions())
    assert.equal(exitCode, 3)
    assert.doesNotThrow(() => JSON.parse(stdout), 'the document stands alone')
    assert.equal(stderr.match(/^::/gm)?.length, 1)
    assert.match(
      stderr,
      /^::error title=REGISTER\.p50 < 10ms::[\d.]+ ms \(thresholds, rendezvous \d{8}-\d{4}-rendezvous-1\)$/m
    )
    const text = await readFile(summary(), 'utf8')
    assert.match(text, /❌ 3 checks, 1 failed\./)
    assert.match(text, /\| Type +\|/)
  })

  test('what was met is in the summary alone', async () => {
    const { stderr } = await run(MET, ending(), actions())
    assert.doesNotMatch(stderr, /^::/m)
    assert.match(await readFile(summary(), 'utf8'), /✅ 2 checks, none failed\./)
  })

  test('a run that is held to nothing says nothing, unless it fails', async () => {
    await run([], ending(), actions())
    assert.equal((await readdir(base)).includes('summary.md'), false)
    const { stderr } = await run([], ending(LOST), actions())
    assert.match(stderr, /^::error title=completes::1 of 40 registrations/m)
  })

  test('elsewhere there is none of it', async () => {
    const { stderr } = await run(MISSED, ending(), { GITHUB_STEP_SUMMARY: summary() })
    assert.doesNotMatch(stderr, /^::/m)
    assert.equal((await readdir(base)).includes('summary.md'), false)
  })

  test('a summary that cannot be written is said, and changes no exit code', async () => {
    const env = { ...actions(), GITHUB_STEP_SUMMARY: join(base, 'nowhere', 'summary.md') }
    const { exitCode, stderr } = await run(MET, ending(), env)
    assert.equal(exitCode, 0)
    assert.match(stderr, /^⚠ The summary of the step was not written: /m)
  })
})

describe('--jsonLines', () => {
  emptyBeforeEach(base)

  /** @param {string} text */
  const linesOf = text =>
    text
      .trimEnd()
      .split('\n')
      .map(line => lineSchema.parse(JSON.parse(line)))

  test('has the records of a run while it goes on, each as the schema says', async () => {
    const { exitCode } = await run([...MET, '--jsonLines', join(base, 'run.jsonl')])
    assert.equal(exitCode, 0)
    const lines = linesOf(await readFile(join(base, 'run.jsonl'), 'utf8'))
    assert.equal(lines.map(({ type }) => type).join(' '), 'start phase progress sample warning end')
    const [start, , , sample, warning, end] = /** @type {any[]} */ (lines)
    assert.equal(new Set(lines.map(({ run }) => run)).size, 1)
    assert.equal(start.plan.scenario, 'rendezvous')
    assert.equal(start.units['REGISTER.p50'], 'ms')
    assert.ok(sample.figures['REGISTER.p50'] > 0)
    assert.match(warning.message, /^3 operations were due but never sent/)
    assert.equal(end.figures['REGISTER.p50'], sample.figures['REGISTER.p50'])
    assert.deepEqual([end.status, end.reason, end.thresholds[0].passed], ['complete', null, true])
    assert.ok(Object.keys(end.figures).every(name => name in start.units))
    assert.match(end.folder, /results\/.*-rendezvous-1$/)
  })

  test('- has standard output for itself: all else is on the other one', async () => {
    const { stdout, stderr } = await run(['--jsonLines', '-'])
    assert.equal(linesOf(stdout).at(-1)?.type, 'end')
    assert.match(stderr, /\| Type +\|/)
  })

  test('a run that never began has an end, with why', async () => {
    const { stdout } = await run(['--jsonLines', '-'], ending(NEVER_BEGAN))
    assert.deepEqual(/** @type {any} */ (linesOf(stdout).at(-1)).reason?.code, 'NO_ENGINE')
  })

  test('what is refused takes nothing from an earlier file', async () => {
    await writeFile(join(base, 'run.jsonl'), 'earlier\n')
    const { exitCode } = await run(['--jsonLines', join(base, 'run.jsonl'), '--prometheus', '99999'])
    assert.equal(exitCode, 2)
    assert.equal(await readFile(join(base, 'run.jsonl'), 'utf8'), 'earlier\n')
  })

  test('of runs of a study say which run they are of', async () => {
    const { exitCode, stdout, stderr } = await run(['--runs', '2', '--jsonLines', '-'])
    assert.equal(exitCode, 0, stderr)
    const lines = /** @type {any[]} */ (linesOf(stdout))
    const [begin, end] = [lines[0], lines.at(-1)].map(({ type, state, status }) => [type, state, status])
    assert.deepEqual([begin.join(' '), end.join(' ')], ['study begin running', 'study end complete'])
    const ends = lines.filter(({ type }) => type === 'end')
    assert.equal(new Set(ends.map(({ label }) => label)).size, 2)
    assert.match(stderr, /2 runs of one plan/)
  })
})

describe('--junit of a study', () => {
  emptyBeforeEach(base)

  const OPEN = ['--rate', '100/s', '--duration', '1s']
  /** @type {RunScenario} */
  const modelled = async function* (plan, { id }) {
    const result = modelledRun(plan, id, { capacity: 1000 })
    const thresholds = judgeAll(plan.thresholds, result.outcome)
    yield { type: 'result', result: { ...result, outcome: { ...result.outcome, thresholds } } }
  }

  test('has the rules of ab, thresholds of both plans, and what is undecided as a failure unless that is allowed', async () => {
    const argv = ['ab', '', '', '--runs', '2', ...OPEN, '--failOn', 'p99 > +10%']
    const held = [...argv, '--threshold', 'REGISTER.p50 < 20ms', '--junit', junit()]
    const { exitCode, stderr } = await run(held, modelled, { GITHUB_ACTIONS: 'true' })
    assert.equal(exitCode, 3, stderr)
    assert.match(await xml(), /name="fails if p99 &gt; \+10%" .*<failure .* type="undecided">/)
    assert.match(await xml(), /classname="comparison.B run 2" name="REGISTER.p50 &lt; 20ms"/)
    assert.match(stderr, /^::error title=fails if p99 > \+10%25::undecided: /m)
    const allowed = await run([...held, '--allowUndecided'], modelled)
    assert.equal(allowed.exitCode, 0)
    assert.equal(unmet(await xml()), 0)
    assert.match(await xml(), /<skipped message="undecided: /)
  })

  test('has the thresholds of each run of a plan, and the rules of a baseline', async () => {
    await run(['--runs', '2', ...OPEN], modelled)
    const [baseline] = await readdir(join(base, 'results'))
    const folder = join(base, 'results', baseline)
    const { exitCode } = await run(
      [
        ...['--runs', '2', '--threshold', 'REGISTER.p50 < 1ms', '--baseline', folder, '--junit', junit()],
        ...OPEN
      ],
      modelled
    )
    assert.equal(exitCode, 3)
    assert.match(await xml(), /classname="comparison.run 2" name="REGISTER.p50 &lt; 1ms" .*<failure/)
    assert.match(await xml(), /classname="comparison.baseline" name="fails if p50 &gt; \+5%"/)
  })

  test('has a group for each row of a matrix', async () => {
    await writeFile(join(base, 'load.yaml'), 'title: Load\nvary: { nClients: [1, 2] }\n')
    const { exitCode } = await run(['matrix', join(base, 'load.yaml'), ...MISSED, '--junit', junit()])
    assert.equal(exitCode, 3)
    assert.equal((await xml()).match(/<testsuite name="load\/[^"]*" tests="2" failures="1"/g)?.length, 2)
  })

  test('is refused by loads beyond saturation, which are there to fail', async () => {
    const { exitCode, stderr } = await run(['saturate', 'rendezvous', '--junit', junit()])
    assert.equal(exitCode, 2)
    assert.match(stderr, /--junit \S+ +does not apply here: loads beyond saturation are expected to fail/)
  })
})

describe('the other commands of docs/ci.md', () => {
  emptyBeforeEach(base)

  const text = readFileSync('docs/ci.md', 'utf8')
  const commands = text.match(/^node index\.js .*$/gm) ?? []

  for (const command of commands)
    test(`${command} is taken`, async () => {
      const [typed] = command.split(' | ')
      const [node, index, ...argv] = (typed.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map(word =>
        word.replace(/^['"]|['"]$/g, '').replace(/^(reports\/)?(\w+\.(jsonl|xml))$/, join(base, '$2'))
      )
      assert.deepEqual([node, index], ['node', 'index.js'])
      const { exitCode, stderr } = await run(argv)
      assert.equal(exitCode, 0, stderr)
    })

  test('are some', () => assert.ok(commands.length >= 3))
})

describe('compare', () => {
  emptyBeforeEach(base)

  /** @param {string} name */
  async function kept(name) {
    await mkdir(join(base, name))
    await writeFile(join(base, name, 'result.json'), formatResult({ ...sampleResult(), id: name }))
    return join(base, name)
  }

  test('writes how its rules came out', async () => {
    const folders = [await kept('before'), await kept('after')]
    const { exitCode, stderr } = await runCommand(
      ['compare', ...folders, '--failOn', 'p99 > +10%', '--junit', junit()],
      { base, scenarioOf: () => assert.fail(), env: { GITHUB_ACTIONS: 'true' } }
    )
    assert.equal(exitCode, 3)
    assert.match(await xml(), /classname="compare.rules" name="fails if p99 &gt; \+10%"/)
    assert.match(stderr, /^::error title=fails if p99/m)
  })
})
