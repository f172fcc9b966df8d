import '../run-command.js'
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { identify } from '@libp2p/identify'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { scenarioIn } from '../../../scripts/package/examples.js'
import { makeCustomScenario } from '../../../src/scenarios/custom/scenario.js'
import { rendezvousServer } from '../../../src/server/rendezvous-server.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { runCommand } from '../run-command.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const base = temporaryFolder()
const out = join(base, 'results')

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
    path = await file('my-scenario.js', scenarioIn(await readFile(join(ROOT, 'docs/extending.md'), 'utf8')))
    server = await createLibp2p({
      addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
      transports: [tcp()],
      connectionEncrypters: [noise()],
      streamMuxers: [yamux()],
      // libp2p's default refuses a sixth connection of an address in a second
      connectionManager: { inboundConnectionThreshold: Infinity },
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
    const { exitCode, stdout } = await call(['run', path, '--help', 'all'])
    assert.equal(exitCode, 0)
    assert.match(stdout, /Time a join: connect, register, find the others, leave/)
    assert.match(stdout, /--target .*the server/)
    for (const option of ['duration', 'threshold', 'json', 'prometheus'])
      assert.match(stdout, new RegExp(`--${option} `))
  })

  test('times joins at a real server of ours, and keeps what all runs keep', async () => {
    const { exitCode, stdout, stderr } = await call([
      ...asked,
      ...['--duration', '500ms', '--warmup', '0', '--csv', '--threshold', 'JOIN.count >= 1']
    ])
    assert.equal(exitCode, 0, stderr)
    assert.match(stdout, /^\| JOIN +\| +\d+ \| +0 \|/m)
    assert.match(stdout, /✔ JOIN\.count >= 1/)
    const [id] = await readdir(out)
    assert.match(id, /-run-join-1$/)
    const result = JSON.parse(await readFile(join(out, id, 'result.json'), 'utf8'))
    const { count, outcomes, rt } = result.outcome.operations.JOIN
    assert.deepEqual(outcomes, { OK: count })
    assert.equal(rt.all.count, count)
    assert.ok(rt.all.max.ms < result.outcome.measuredMs)
    assert.deepEqual(
      result.run.phases.map((/** @type {{ name: string, state: string }} */ { name, state }) => [
        name,
        state
      ]),
      ['setup', 'measure', 'teardown'].map(name => [name, 'done'])
    )
    assert.match(await readFile(join(out, id, 'report.html'), 'utf8'), /JOIN\.count &gt;= 1/)
    assert.match(await readFile(join(out, id, 'operations.csv'), 'utf8'), /^JOIN,/m)
    assert.match(
      await readFile(join(out, id, 'report.md'), 'utf8'),
      /^node index\.js run \S+my-scenario\.js --target \S+ --warmup 0ms --duration 500ms --threshold 'JOIN\.count >= 1'$/m
    )

    const again = await call(['report', join(out, id)])
    assert.equal(again.exitCode, 0, again.stderr)
    assert.match(again.stdout, /JOIN/)
    const rerun = await call(['rerun', join(out, id), '--outputDir', out])
    assert.equal(rerun.exitCode, 2)
    assert.match(rerun.stderr, /is of a scenario of your own: node index\.js run \S+my-scenario\.js/)
  })

  test('fails a threshold with exit code 3', async () => {
    const short = ['--duration', '100ms', '--warmup', '0', '--quiet', '--threshold', 'JOIN.count < 1']
    const { exitCode, stderr } = await call([...asked, ...short])
    assert.equal(exitCode, 3, stderr)
  })

  test('is not started where its options are not right', async () => {
    const before = await readdir(out)
    const { exitCode, stderr } = await call([
      'run',
      path,
      ...'--duration 0 --sneeze --threshold'.split(' '),
      'PING.p99 < 1ms'
    ])
    assert.equal(exitCode, 2)
    assert.match(stderr, /--target +is needed/)
    assert.match(stderr, /--duration 0 +must be a time/)
    assert.match(stderr, /--sneeze +is not an option/)
    assert.match(stderr, /PING\.p99 is not a metric.*JOIN/)
    assert.deepEqual(await readdir(out), before)
  })

  test('is code, which no agent takes from a bus', async () => {
    const { exitCode, stderr } = await call([...asked, '--bus', 'nats://127.0.0.1:1', '--agents', '1'])
    assert.equal(exitCode, 2)
    assert.match(stderr, /--agents 1 +is not an option/)
  })
})

let odd = 0

/**
 * The result of a run of a scenario in whose file `run` is written so.
 *
 * @param {string} run
 * @param {{ plan?: Record<string, unknown>, onRecord?: (record: any) => void, signal?: AbortSignal }} [how]
 */
async function resultOf(run, { plan = {}, onRecord = () => {}, signal } = {}) {
  const path = await file(
    `odd-${odd++}.js`,
    `import { appendFileSync } from 'node:fs'
    import { setTimeout as rest } from 'node:timers/promises'
    export default { name: 'odd', operations: ['A', 'B'], run: ${run} }`
  )
  const scenario = makeCustomScenario({ name: 'odd', operations: ['A', 'B'] }, path)
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
  for await (const record of records) {
    onRecord(record)
    last = record
  }
  assert.equal(last.type, 'result')
  return last.result
}

/** A run that goes on until figures of its measurement have come. @param {string} run @param {Record<string, unknown>} [plan] */
function broken(run, plan) {
  const stop = new AbortController()
  const onRecord = (/** @type {{ type: string }} */ { type }) => type === 'interval' && stop.abort()
  return resultOf(run, { plan: { durationMs: 60_000, ...plan }, onRecord, signal: stop.signal })
}

describe('a run of a scenario of a user’s own', () => {
  test('takes operations in turn, and tells successes, errors and timeouts apart', async () => {
    const { outcome, run } = await broken(
      `(_, { measure }, n = 0) => measure({
        A: signal => n++ % 2 === 0
          ? Promise.reject(new Error('out of luck'))
          : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        B: () => rest(1)
      })`,
      { timeoutMs: 200 }
    )
    const { A, B } = outcome.operations
    const of = (/** @type {{ outcomes: Record<string, number> }} */ { outcomes }) => ({
      ...{ OK: 0, FAILED: 0, TIMEOUT: 0, INTERRUPTED: 0 },
      ...outcomes
    })
    assert.ok(of(A).FAILED > 0 && of(A).TIMEOUT > 0, JSON.stringify(A.outcomes))
    assert.equal(of(A).OK, 0)
    assert.ok(of(B).OK > 0)
    assert.equal(of(B).FAILED + of(B).TIMEOUT, 0)
    assert.equal(of(A).INTERRUPTED + of(B).INTERRUPTED, 1)
    assert.ok(run.warnings.some((/** @type {{ code: string }} */ { code }) => code === 'OPERATIONS_FAILED'))
  })

  test('does several at once, and says what went wrong first', async () => {
    const { outcome, run, status } = await resultOf(
      `(_, { measure }, now = 0, most = 0) => measure({
        A: async () => {
          most = Math.max(most, ++now)
          await rest(5)
          now--
        },
        B: () => Promise.reject(new Error(most > 3 ? 'too many at once' : now > 1 ? 'out of luck' : 'alone'))
      })`,
      { plan: { inFlight: 3 } }
    )
    assert.equal(status, 'complete')
    assert.match(run.phases[0].detail, /^B: (out of luck|alone)$/)
    assert.equal(outcome.operations.A.errors, 0)
  })

  test('ends what it began, last first, when it is broken off, and keeps what was measured', async () => {
    const ended = join(base, 'ended')
    const result = await broken(`async (_, { measure, onEnd }) => {
      for (const which of ['first', 'second']) onEnd(() => appendFileSync(${JSON.stringify(ended)}, which + ' '))
      await measure({ A: () => rest(1) })
    }`)
    assert.deepEqual([result.status, result.reason.code], ['partial', 'INTERRUPTED'])
    assert.equal(await readFile(ended, 'utf8'), 'second first ')
    const { OK, INTERRUPTED } = result.outcome.operations.A.outcomes
    assert.ok(OK > 0)
    assert.equal(INTERRUPTED, 1)
  })

  /** @type {[string, string, RegExp][]} */
  const wrong = [
    ['throws', "() => Promise.reject(new Error('no luck'))", /odd-\d+\.js: no luck/],
    ['measures nothing', 'async () => {}', /never called measure/],
    [
      'measures twice',
      `async (_, { measure }) => {
        await measure({ A: () => rest(1) })
        await measure({ B: () => rest(1) })
      }`,
      /called measure twice/
    ],
    ['measures what it did not name', '(_, { measure }) => measure({ C: () => rest(1) })', /C is measured/]
  ]
  for (const [what, run, why] of wrong)
    test(`fails when its file ${what}`, async () => {
      const { status, reason } = await resultOf(run)
      assert.equal(status, 'partial')
      assert.match(reason.message, why)
    })
})

test('rules, kinds and describeResult of a user’s own are asked where the scenario runs', async () => {
  const path = await file(
    'own.js',
    `export default {
      name: 'own',
      operations: ['A'],
      options: kinds => ({
        pause: { ...kinds.duration(), default: '1ms', planKey: 'pauseMs', describe: 'between two' },
        even: { allowed: 'must be even', describe: 'a kind of its own', schema: z => z.coerce.number().multipleOf(2) }
      }),
      rules: [{ flag: 'pause', refuse: ({ pause }) => pause > 5000 && 'is too long' }],
      run: ({ pauseMs }, { measure }) => measure({ A: () => new Promise(resolve => setTimeout(resolve, pauseMs)) }),
      describeResult: ({ scenario }) => ({
        ...{ title: 'own', tiles: [], plots: [], warnings: [] },
        tables: [{ id: 'own', title: 'Own', columns: [['Of its own', 'count']], rows: [[4]] }],
        headline: 'pid ' + process.pid + ' has described ' + scenario
      })
    }`
  )
  const refused = await call(['run', path, '--pause', '6s', '--even', '3'])
  assert.equal(refused.exitCode, 2)
  assert.match(refused.stderr, /--pause 6s +is too long/)
  assert.match(refused.stderr, /--even 3 +must be even/)
  const folder = join(base, 'own')
  const rows = join(base, 'own.md')
  const short = ['--duration', '100ms', '--warmup', '0', '--outputDir', folder, '--outputFile', rows]
  for (const _ of [1, 2]) {
    const { exitCode, stderr } = await call(['run', path, '--even', '4', ...short])
    assert.equal(exitCode, 0, stderr)
  }
  const [id] = await readdir(folder)
  const report = await readFile(join(folder, id, 'report.md'), 'utf8')
  const [header, , ...both] = (await readFile(rows, 'utf8')).trim().split('\n')
  assert.match(header, /^\| Of its own \| Thresholds \|/)
  assert.deepEqual(
    both.map(row => row.slice(0, 5)),
    ['| 4 |', '| 4 |']
  )
  const [, pid] = /^pid (\d+) has described run-own$/m.exec(report) ?? []
  assert.notEqual(pid, undefined)
  assert.notEqual(Number(pid), process.pid)
  assert.equal(JSON.parse(await readFile(join(folder, id, 'result.json'), 'utf8')).plan.even, 4)
})
