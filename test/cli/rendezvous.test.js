import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sampleResult } from '../report/sample-result.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('node:events').EventEmitter} EventEmitter
 * @typedef {import('../../src/cli/index.js').RunScenario} RunScenario
 * @typedef {import('../../src/report/schema.js').RunRecord} RunRecord
 * @typedef {import('../../src/report/schema.js').Result} Result
 */

const base = temporaryFolder()
const OUTPUT = join(base, 'results')

/** @param {string} name */
const phase = name => {
  const state = /** @type {const} */ ('failed')
  return { name, state, startMs: 0, durationMs: 1, detail: null }
}

/** Of a run that has got as far as its load. @param {string} id @param {Partial<Result>} [parts] */
const resultOf = (id, parts = {}) => {
  const sample = sampleResult()
  return { ...sample, run: { ...sample.run, phases: [phase('measure')] }, id, ...parts }
}

/** @type {RunScenario} */
async function* complete(plan, { id }) {
  yield { type: 'start', id, plan, run: {} }
  yield { type: 'partial', result: resultOf(id, { plan, status: 'partial' }) }
  yield { type: 'result', result: resultOf(id, { plan }) }
}

const DIED = { code: 'SERVER_DIED', message: 'the server (pid 7) ended with signal SIGKILL' }

/** @type {RunScenario} */
async function* serverDies(_plan, { id }) {
  yield { type: 'result', result: resultOf(id, { status: 'partial', reason: DIED }) }
}

/** @type {RunScenario} */
async function* throwsMidway(_plan, { id }) {
  yield { type: 'partial', result: resultOf(id, { status: 'partial' }) }
  throw new Error('lost the thread', { cause: new Error('it was cut') })
}

/** @param {AbortSignal} signal */
const aborted = signal => new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))

/** @type {(process: EventEmitter, name?: string) => RunScenario} */
const interruptedBy = (process, name = 'SIGINT') =>
  async function* (_plan, { id, signal }) {
    yield { type: 'partial', result: resultOf(id, { status: 'partial' }) }
    setImmediate(() => process.emit(name, name))
    await aborted(signal)
    const reason = { code: 'INTERRUPTED', message: signal.reason.message }
    yield { type: 'result', result: resultOf(id, { status: 'partial', reason }) }
  }

/**
 * @param {string[]} argv
 * @param {RunScenario} [scenario]
 */
const run = (argv, scenario = complete) => runWith(argv, () => scenario)

/**
 * @param {string[]} argv
 * @param {(process: EventEmitter) => RunScenario} scenarioOf
 */
const runWith = (argv, scenarioOf) => runCommand([...argv, '--outputDir', OUTPUT], { base, scenarioOf })

/** @param {string} id */
const readResult = async id => JSON.parse(await readFile(join(OUTPUT, id, 'result.json'), 'utf8'))

describe('nothing at all on the command line', () => {
  emptyBeforeEach(base)

  test('is a run of the defaults, into results', async () => {
    const before = process.cwd()
    process.chdir(base)
    try {
      const { exitCode, stdout, stderr } = await runCommand([], { base, scenarioOf: () => complete })
      assert.equal(exitCode, 0, stderr)
      assert.match(stdout, /^\| REGISTER /m)
      assert.equal((await readdir(join(base, 'results'))).length, 1)
    } finally {
      process.chdir(before)
    }
  })
})

describe('the exit code', () => {
  emptyBeforeEach(base)

  test('is 0 after a complete run, whose table is on stdout and whose result is kept', async () => {
    const { exitCode, stdout, listeners } = await run('--nClients=7 --seed 3'.split(' '))
    assert.equal(exitCode, 0)
    assert.match(stdout, /\| REGISTER +\| +7 \|/)
    assert.match(
      stdout,
      /20261120-0712-rendezvous-3\/ {3}report\.html · result\.json\nrepeat: node index\.js rerun .*20261120-0712-rendezvous-3\n$/
    )
    const result = await readResult('20261120-0712-rendezvous-3')
    assert.deepEqual(
      [result.status, result.id, result.plan.nClients],
      ['complete', '20261120-0712-rendezvous-3', 7]
    )
    assert.equal(listeners, 0)
  })

  test('is 1 when the server died, with the reason shown and the partial result kept', async () => {
    const { exitCode, stdout } = await run([], serverDies)
    assert.equal(exitCode, 1)
    assert.match(stdout, /Partial result: the server \(pid 7\) ended with signal SIGKILL/)
    assert.equal((await readResult('20261120-0712-rendezvous-1')).status, 'partial')
  })

  describe('is 1 when the run never began', () => {
    const message = 'the server (pid 7) ended with exit code 1; its last words:\n  no\n  luck'
    /** @type {RunScenario} */
    async function* neverBegins(plan, { id, folder }) {
      const { run } = sampleResult()
      const result = resultOf(id, { status: 'partial', run: { ...run, phases: [phase('setup')] } })
      yield { type: 'start', id, plan, run: {} }
      yield { type: 'partial', result }
      await writeFile(join(String(folder), 'trace'), 'of a node')
      yield { type: 'phase', name: 'setup', state: 'failed', atMs: 1 }
      yield { type: 'result', result: { ...result, reason: { code: 'SERVER_NOT_STARTED', message } } }
    }
    const line = 'the server (pid 7) ended with exit code 1; its last words: no luck (SERVER_NOT_STARTED)\n'

    test('with a line of what was wrong, and neither a folder nor a table', async () => {
      const { exitCode, stdout, stderr } = await run([], neverBegins)
      assert.deepEqual([exitCode, stdout], [1, ''])
      assert.match(stderr, /✖ .* broken off/)
      assert.ok(stderr.endsWith(`\n${line}`), stderr)
      assert.deepEqual(await readdir(OUTPUT), [])
    })

    test('and nothing else with --quiet, nor a row in an --outputFile', async () => {
      const file = join(base, 'table.md')
      const args = ['--quiet', '--outputFile', file]
      const { stdout, stderr } = await run(args, neverBegins)
      assert.deepEqual([stdout, stderr], ['', line])
      await assert.rejects(readFile(file), { code: 'ENOENT' })
    })

    test('and the document on stdout with --json', async () => {
      const { exitCode, stdout, stderr } = await run(['--json'], neverBegins)
      const { status, reason } = JSON.parse(stdout)
      assert.deepEqual([exitCode, status, reason], [1, 'partial', { code: 'SERVER_NOT_STARTED', message }])
      assert.ok(stderr.endsWith(line), stderr)
      assert.deepEqual(await readdir(OUTPUT), [])
    })
  })

  test('is 1 after an error, with a short message and what was known before it', async () => {
    const { exitCode, stdout, stderr } = await run([], throwsMidway)
    assert.equal(exitCode, 1)
    assert.match(stdout, /\| REGISTER/)
    assert.match(stderr, /^error: lost the thread: it was cut\n$/m)
    assert.doesNotMatch(stderr, / at .*\.js:/)
    assert.equal((await readResult('20261120-0712-rendezvous-1')).status, 'partial')
  })

  test('is 1 when the run ends without a result', async () => {
    const { exitCode } = await run([], async function* () {})
    assert.equal(exitCode, 1)
    assert.deepEqual(await readdir(OUTPUT), [])
  })

  test('is 1 when the scenario cannot be loaded', async () => {
    const { exitCode, stderr } = await runWith([], () => {
      throw new Error('broken install')
    })
    assert.deepEqual([exitCode, stderr], [1, 'error: broken install\n'])
  })

  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
    test(`is 130 after ${name}, with the partial result kept`, async () => {
      const scenario = (/** @type {EventEmitter} */ process) => interruptedBy(process, name)
      const { exitCode, stderr, stdout, exits } = await runWith([], scenario)
      assert.deepEqual([exitCode, exits], [130, []])
      assert.match(stderr, /stopping; Ctrl-C again ends at once/)
      assert.match(stdout, new RegExp(`Partial result: interrupted by ${name}`))
      const folder = join(OUTPUT, '20261120-0712-rendezvous-1')
      const names = await readdir(folder)
      assert.ok(names.includes('report.html'))
      assert.equal((await readResult('20261120-0712-rendezvous-1')).reason.code, 'INTERRUPTED')
    })

  /** @param {string} name of a signal that comes twice */
  const twice = name =>
    runWith(
      [],
      process =>
        async function* (_plan, { id }) {
          process.emit(name, name)
          process.emit(name, name)
          yield { type: 'result', result: resultOf(id, { status: 'partial' }) }
        }
    )

  test('is 130 at once after a second Ctrl-C', async () => {
    assert.deepEqual((await twice('SIGINT')).exits, [130])
  })

  test('is 130 with the partial result kept where a terminal that is gone is told twice', async () => {
    const { exits, exitCode } = await twice('SIGHUP')
    assert.deepEqual([exits, exitCode], [[], 130])
  })

  test('is 130 when the interrupted run throws the reason, which is no error to print', async () => {
    const { exitCode, stderr } = await runWith(
      ['--quiet'],
      process =>
        // biome-ignore lint/correctness/useYield: it is interrupted before its first record
        async function* (_plan, { signal }) {
          process.emit('SIGINT', 'SIGINT')
          signal.throwIfAborted()
        }
    )
    assert.deepEqual([exitCode, stderr], [130, ''])
  })
})

describe('a flag', () => {
  emptyBeforeEach(base)

  /** @type {[string, string[], Record<string, unknown>][]} */
  const cases = [
    [
      'is written in camelCase or kebab-case',
      ['--n-clients', '7', '--initialRegistrations=9'],
      { nClients: 7, initialRegistrations: 9 }
    ],
    [
      'without a value is true',
      ['--connectionPerOperation', '--samples'],
      { connectionPerOperation: true, samples: true }
    ],
    ['with false is false', ['--streamPerOperation', 'false'], { streamPerOperation: false }],
    ['with no- is false', ['--no-stream-per-operation'], { streamPerOperation: false }],
    [
      'keeps its text: no number is read into a rate',
      ['--rate', '500/s', '--seed', '007'],
      { ratePerSecond: 500, seed: 7 }
    ],
    ['may follow the name of the command', ['rendezvous', '--nClients', '7'], { nClients: 7 }]
  ]
  for (const [what, argv, expected] of cases)
    test(what, async () => {
      /** @type {any} */
      let seen
      await run(argv, (plan, components) => {
        seen = plan
        return complete(plan, components)
      })
      for (const [key, value] of Object.entries(expected)) assert.equal(seen?.[key], value)
    })
})

describe('--config', () => {
  emptyBeforeEach(base)

  test('takes options from YAML, and from JSON', async () => {
    for (const [name, text] of [
      ['load.yaml', 'nClients: 9\nbenchmark-type: discover\nmix: null\n'],
      ['load.json', '{"nClients": 9, "benchmarkType": "discover"}']
    ]) {
      await writeFile(join(base, name), text)
      const { exitCode, stdout, stderr } = await run(['--config', join(base, name)])
      assert.equal(exitCode, 0, stderr)
      assert.match(stdout, /\| REGISTER +\| +9 \|/)
    }
  })
})

describe('what comes out', () => {
  emptyBeforeEach(base)

  test('--quiet: nothing beside the table', async () => {
    const { stderr } = await run(['--quiet'])
    assert.equal(stderr, '')
  })

  test('--json prints only the document', async () => {
    const { stdout } = await run(['--json'])
    assert.equal(JSON.parse(stdout).status, 'complete')
  })

  test('--outputFile gets a row', async () => {
    await run(['--outputFile', join(base, 'out.md')])
    assert.match(
      await readFile(join(base, 'out.md'), 'utf8'),
      /^\| Type \| Clients \|.*\n.*\n\| REGISTER \| 4 \|/
    )
  })

  test('an output that fails takes nothing from the others, and the exit code is 1', async () => {
    const path = join(base, 'out.md')
    const { exitCode, stdout, stderr } = await run(
      ['--outputFile', path],
      async function* (plan, components) {
        await mkdir(path)
        yield* complete(plan, components)
      }
    )
    assert.equal(exitCode, 1)
    assert.match(stderr, /error: EISDIR/)
    assert.match(stdout, /\| REGISTER/)
    assert.equal((await readResult('20261120-0712-rendezvous-1')).status, 'complete')
  })
})
