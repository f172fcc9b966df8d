import './run-command.js'
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { identify } from '@libp2p/identify'
import { tcp } from '@libp2p/tcp'
import { createLibp2p } from 'libp2p'
import { customScenario } from '../../src/scenarios/custom/scenario.js'
import { rendezvousServer } from '../../src/server/rendezvous-server.js'
import { runCommand } from './run-command.js'

/** @typedef {import('../../src/scenarios/custom/types.js').CustomModule} CustomModule */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const base = await mkdtemp(join(tmpdir(), 'loadtest-run-'))
const out = join(base, 'results')
after(() => rm(base, { recursive: true, force: true }))

/** @param {string[]} argv */
const call = argv =>
  runCommand(argv, {
    base,
    scenarioOf: () => {
      throw new Error('a built-in scenario was run')
    }
  })

/** @param {string} name @param {string} text */
async function file(name, text) {
  const path = join(base, name)
  await writeFile(path, text)
  return path
}

/** The first block of JavaScript of a document. @param {string} document */
const firstBlock = document => /^```js\n(.*?)^```$/ms.exec(document)?.[1] ?? ''

describe('the scenario that docs/extending.md shows', () => {
  /** @type {string} */
  let path
  /** @type {Awaited<ReturnType<typeof createLibp2p>>} */
  let server
  /** @type {string[]} */
  let asked

  before(async () => {
    // as in a project that has the packages installed
    for (const scope of ['@libp2p', '@multiformats', 'libp2p-loadtest']) {
      await mkdir(join(base, 'node_modules'), { recursive: true })
      await symlink(
        scope === 'libp2p-loadtest' ? ROOT : join(ROOT, 'node_modules', scope),
        join(base, 'node_modules', scope)
      )
    }
    path = await file('my-scenario.js', firstBlock(await readFile(join(ROOT, 'docs/extending.md'), 'utf8')))
    server = await createLibp2p({
      addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
      transports: [tcp()],
      connectionEncrypters: [noise()],
      streamMuxers: [yamux()],
      services: { identify: identify(), rendezvous: rendezvousServer() }
    })
    asked = ['run', path, '--target', String(server.getMultiaddrs()[0]), '--outputDir', out]
  })
  after(() => server?.stop())

  test('is of about 40 lines', async () => {
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').length
    assert.ok(lines >= 20 && lines <= 45, `${lines} lines`)
  })

  test('has its own options in its help, beside those that all have', async () => {
    const { exitCode, stdout } = await call(['run', path, '--help'])
    assert.equal(exitCode, 0)
    assert.match(stdout, /Time identify exchanges with a target/)
    assert.match(stdout, /--target .*who is asked/)
    for (const option of ['duration', 'threshold', 'json', 'prometheus'])
      assert.match(stdout, new RegExp(`--${option} `))
  })

  test('times exchanges with a real node of ours, and keeps what all runs keep', async () => {
    const { exitCode, stdout, stderr } = await call([
      ...asked,
      ...['--duration', '500ms', '--warmup', '0', '--csv', '--threshold', 'IDENTIFY.count >= 1']
    ])
    assert.equal(exitCode, 0, stderr)
    assert.match(stdout, /^\| IDENTIFY +\| +\d+ \| +0 \|/m)
    assert.match(stdout, /✔ IDENTIFY\.count >= 1/)
    const [id] = await readdir(out)
    assert.match(id, /-run-identify-1$/)
    const result = JSON.parse(await readFile(join(out, id, 'result.json'), 'utf8'))
    const { count, outcomes, rt } = result.outcome.operations.IDENTIFY
    assert.deepEqual(outcomes, { OK: count })
    assert.equal(rt.all.count, count)
    assert.ok(rt.all.max.ms < result.outcome.measuredMs)
    assert.deepEqual(
      result.run.phases.map((/** @type {{ name: string, state: string }} */ { name, state }) => [
        name,
        state
      ]),
      ['setup', 'connect', 'measure', 'teardown'].map(name => [name, 'done'])
    )
    assert.match(await readFile(join(out, id, 'report.html'), 'utf8'), /IDENTIFY\.count &gt;= 1/)
    assert.match(await readFile(join(out, id, 'operations.csv'), 'utf8'), /^IDENTIFY,/m)
    assert.match(
      await readFile(join(out, id, 'report.md'), 'utf8'),
      /^node index\.js run \S+my-scenario\.js --target \S+ --warmup 0ms --duration 500ms --threshold 'IDENTIFY\.count >= 1'$/m
    )

    const again = await call(['report', join(out, id)])
    assert.equal(again.exitCode, 0, again.stderr)
    assert.match(again.stdout, /IDENTIFY/)
    const rerun = await call(['rerun', join(out, id), '--outputDir', out])
    assert.equal(rerun.exitCode, 2)
    assert.match(rerun.stderr, /is of a scenario of your own: node index\.js run \S+my-scenario\.js/)
  })

  test('fails a threshold with exit code 3', async () => {
    const short = ['--duration', '100ms', '--warmup', '0', '--quiet', '--threshold', 'IDENTIFY.count < 1']
    const { exitCode, stderr } = await call([...asked, ...short])
    assert.equal(exitCode, 3, stderr)
  })

  test('is not started where its options are not right', async () => {
    const before = await readdir(out)
    const { exitCode, stderr } = await call([
      'run',
      path,
      '--duration',
      '0',
      '--sneeze',
      '--threshold',
      'PING.p99 < 1ms'
    ])
    assert.equal(exitCode, 2)
    assert.match(stderr, /--target +is needed/)
    assert.match(stderr, /--duration 0 +must be a time/)
    assert.match(stderr, /--sneeze +is no option/)
    assert.match(stderr, /PING\.p99 is no metric.*IDENTIFY/)
    assert.deepEqual(await readdir(out), before)
  })

  test('is code, which no agent takes from a bus', async () => {
    const { exitCode, stderr } = await call([...asked, '--bus', 'nats://127.0.0.1:1', '--agents', '1'])
    assert.equal(exitCode, 2)
    assert.match(stderr, /--agents 1 +is no option/)
  })
})

/** @type {[string, string | null, RegExp][]} */
const BAD = [
  ['missing.js', null, /missing\.js +does not exist/],
  ['syntax.js', 'export default {', /cannot be imported: Unexpected end of input/],
  ['throws.js', "throw new Error('not today')", /cannot be imported: not today/],
  ['nothing.js', 'export const name = 1', /must export a scenario by default/],
  ['nameless.js', 'export default { operations: ["A"], run() {} }', /must have a name/],
  ['space.js', 'export default { name: "a b", operations: ["A"], run() {} }', /must have a name/],
  ['empty.js', 'export default { name: "a", operations: [], run() {} }', /must have operations/],
  ['still.js', 'export default { name: "a", operations: ["A"] }', /must have run/],
  [
    'listed.js',
    'export default { name: "a", operations: ["A"], options: {}, run() {} }',
    /options as a function/
  ]
]

describe('a file that is no scenario ends with exit code 2 and says why', () => {
  for (const [name, text, why] of BAD)
    test(name, async () => {
      const path = text === null ? join(base, name) : await file(name, text)
      const { exitCode, stderr, stdout } = await call(['run', path])
      assert.equal(exitCode, 2)
      assert.match(stderr, why)
      assert.ok(stderr.startsWith('1 problem:\n'), stderr)
      assert.equal(stdout, '')
    })

  test('no file at all', async () => {
    const { exitCode, stderr } = await call(['run', '--duration', '1s'])
    assert.equal(exitCode, 2)
    assert.match(stderr, /must name the file of a scenario, as in run \.\/my-scenario\.js/)
  })
})

test('run --help has examples', async () => {
  const { exitCode, stdout } = await call(['run', '--help'])
  assert.equal(exitCode, 0)
  assert.match(stdout, /node index\.js run \.\/my-scenario\.js --help/)
  assert.match(stdout, /docs\/extending\.md/)
})

/**
 * @param {CustomModule['run']} run
 * @param {Record<string, unknown>} [plan]
 * @param {AbortSignal} [signal]
 */
async function resultOf(run, plan = {}, signal) {
  const scenario = customScenario({ name: 'odd', operations: ['A', 'B'], run }, 'odd.js')
  const records = (await scenario.run())(
    /** @type {any} */ ({
      scenario: scenario.name,
      seed: 1,
      durationMs: 60,
      warmupMs: 0,
      timeoutMs: 500,
      inFlight: 1,
      thresholds: [],
      ...plan
    }),
    { id: 'odd', signal }
  )
  /** @type {any} */
  let last
  for await (const record of records) last = record
  assert.equal(last.type, 'result')
  return last.result
}

const rest = (/** @type {number} */ ms) => new Promise(resolve => setTimeout(resolve, ms))

describe('a run of a scenario of a user’s own', () => {
  test('takes operations in turn, and tells successes, errors and timeouts apart', async () => {
    const stop = new AbortController()
    let n = 0
    const { outcome, run } = await resultOf(
      (_, { measure }) =>
        measure({
          A: signal => {
            if (n++ === 5) stop.abort()
            return n % 2 === 1
              ? Promise.reject(new Error('out of luck'))
              : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          },
          B: () => rest(1)
        }),
      { durationMs: 60_000 },
      stop.signal
    )
    const { A, B } = outcome.operations
    assert.deepEqual(A.outcomes, { FAILED: 3, TIMEOUT: 2, INTERRUPTED: 1 })
    assert.equal(A.errors, 6)
    assert.deepEqual(B.outcomes, { OK: 5 })
    assert.ok(run.warnings.some((/** @type {{ code: string }} */ { code }) => code === 'OPERATIONS_FAILED'))
  })

  test('does several at once, and says what went wrong first', async () => {
    let now = 0
    let most = 0
    const { outcome, run, status } = await resultOf(
      (_, { measure }) =>
        measure({
          A: async () => {
            most = Math.max(most, ++now)
            await rest(5)
            now--
          },
          B: () => Promise.reject(new Error('out of luck'))
        }),
      { inFlight: 3 }
    )
    assert.equal(status, 'complete')
    assert.ok(most > 1 && most <= 3, `${most}`)
    assert.equal(run.phases[0].detail, 'B: out of luck')
    assert.equal(outcome.operations.A.errors, 0)
  })

  test('ends what it began, last first, when it is broken off, and keeps what was measured', async () => {
    const stop = new AbortController()
    /** @type {string[]} */
    const ended = []
    let n = 0
    const result = await resultOf(
      async (_, { measure, onEnd }) => {
        onEnd(() => ended.push('first'))
        onEnd(() => ended.push('second'))
        await measure({
          A: () => {
            if (n++ === 3) stop.abort()
            return rest(1)
          }
        })
      },
      { durationMs: 60_000 },
      stop.signal
    )
    assert.deepEqual([result.status, result.reason.code], ['partial', 'INTERRUPTED'])
    assert.deepEqual(ended, ['second', 'first'])
    assert.deepEqual(result.outcome.operations.A.outcomes, { OK: 3, INTERRUPTED: 1 })
  })

  /** @type {[string, CustomModule['run'], RegExp][]} */
  const broken = [
    ['throws', () => Promise.reject(new Error('no luck')), /no luck/],
    ['measures nothing', async () => {}, /never called measure/],
    [
      'measures twice',
      async (_, { measure }) => {
        await measure({ A: () => rest(1) })
        await measure({ B: () => rest(1) })
      },
      /called measure twice/
    ],
    ['measures what it did not name', (_, { measure }) => measure({ C: () => rest(1) }), /C is measured/]
  ]
  for (const [what, run, why] of broken)
    test(`fails when its file ${what}`, async () => {
      const { status, reason } = await resultOf(run)
      assert.equal(status, 'partial')
      assert.match(reason.message, why)
    })
})
