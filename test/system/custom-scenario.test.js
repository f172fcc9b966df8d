import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { base, call, startCommand, THREES, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'

const SHORT = ['--warmup', '0', '--duration', '2s', '--timeout', '1s']
const LONG = ['--warmup', '0', '--duration', '10m', '--timeout', '1s']

/** Longer than the steps of a scenario may take, on a busy machine too. */
const hangsAfterMs = 120_000

/** Blocks an event loop, and takes no CPU. */
const BLOCK = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

const MEASURE = 'await measure({ A: () => new Promise(resolve => setTimeout(resolve, 2)) })'

/** What is measured until something happens. @param {string} what */
const meanwhile = what => `setTimeout(() => { ${what} }, 1500); ${MEASURE}`

let files = 0

/**
 * A scenario whose `run` does this.
 *
 * @param {string} body
 * @param {string} [before] - when it is imported
 */
async function file(body, before = '') {
  const path = join(base, `odd-${files++}.js`)
  await writeFile(
    path,
    `${before}\nexport default { name: 'odd', operations: ['A'], async run(_, { phase, measure, onEnd }) { ${body} } }`
  )
  return path
}

/** Where there is no body, it measures. @type {readonly (readonly [what: string, body: string, cause: RegExp, before?: string])[]} */
const BEFORE_MEASURING = [
  [
    'ends its process when it is imported',
    '',
    /exit code 0, as process\.exit does, while it was loaded/,
    'process.exit(0)'
  ],
  [
    'is never done with being imported',
    '',
    /was not done within 30 s, while it was loaded/,
    'await new Promise(() => {})'
  ],
  [
    'throws outside of its functions when it is imported',
    '',
    /threw outside of its functions: at once, while it was loaded/,
    "setTimeout(() => { throw new Error('at once') }); await new Promise(() => {})"
  ],
  [
    'ends its process in a phase',
    "await phase('setup', () => process.exit(0))",
    /exit code 0, as process\.exit does, in phase setup/
  ],
  [
    'blocks its event loop in a phase',
    `await phase('setup', () => { ${BLOCK} })`,
    /blocked its event loop for more than 30 s, in phase setup/
  ],
  [
    'never ends a phase',
    "await phase('setup', () => new Promise(() => {}))",
    /was not done within 30 s, in phase setup/
  ],
  ['never ends', 'await new Promise(() => {})', /was not done within 30 s, in run/],
  ['speaks to a process not there', `process.send('ready'); ${MEASURE}`, /process\.send is not a function/]
]

/** @type {typeof BEFORE_MEASURING} */
const MEASURING = [
  ['ends its process', meanwhile('process.exit(0)'), /exit code 0, as process\.exit does, in phase measure/],
  ['blocks its event loop', meanwhile(BLOCK), /blocked its event loop for more than 6 s, in phase measure/],
  [
    'throws outside of its functions',
    meanwhile("throw new Error('out of the blue')"),
    /threw outside of its functions: out of the blue, in phase measure/
  ],
  [
    'leaves a rejection unhandled',
    meanwhile("Promise.reject(new Error('nobody cared'))"),
    /left a rejection unhandled: nobody cared, in phase measure/
  ],
  [
    'is killed',
    meanwhile("process.kill(process.pid, 'SIGKILL')"),
    /ended by SIGKILL, as happens where memory runs out, in phase measure/
  ],
  [
    'closes the channel of its process',
    meanwhile('process.disconnect()'),
    /called process\.disconnect, in phase measure/
  ],
  [
    'ends its process in the teardown',
    `onEnd(() => process.exit(0)); ${MEASURE}`,
    /exit code 0, as process\.exit does, in teardown/
  ],
  [
    'never ends its teardown',
    `onEnd(() => new Promise(() => {})); ${MEASURE}`,
    /was not done within 10 s, in teardown/
  ]
]

describe(
  'a scenario of a user’s own ends with exit code 1, is named with the cause in one line, and leaves no process',
  THREES,
  () => {
    for (const [when, faults] of /** @type {const} */ ([
      ['before it measures', BEFORE_MEASURING],
      ['when it measures, and what was measured is kept', MEASURING]
    ]))
      for (const [what, body, cause, before] of faults)
        test(`${when}: it ${what}`, { ...TIMEOUT, ...ON_LINUX }, async () => {
          const path = await file(body || MEASURE, before)
          const loadtest = startCommand('run', [path, ...SHORT], { hangsAfterMs })
          const { code, stdout, stderr, result } = await loadtest.ended
          assert.equal(code, 1, stderr)
          const lines = `${stdout}\n${stderr}`.split('\n').filter(line => cause.test(line))
          assert.equal(lines.length, 1, `${stdout}\n${stderr}`)
          assert.ok(lines[0].includes(path), lines[0])
          assert.doesNotMatch(stderr, /^ +at /m)
          assert.deepEqual(await loadtest.leftAfter(), [])
          if (faults === BEFORE_MEASURING) return assert.equal(result, null)
          assert.equal(result.status, 'partial')
          const { A } = /** @type {any} */ (result.outcome.operations)
          assert.ok(A.outcomes.OK > 0)
        })
  }
)

test('what a scenario prints, changes and leaves behind spoils nothing', {
  ...TIMEOUT,
  ...ON_LINUX
}, async () => {
  const path = await file(`
    console.log('to standard output')
    process.env.PATH = ''
    process.chdir('/')
    setInterval(() => {}, 10)
    const { spawn } = await import('node:child_process')
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    ${MEASURE}`)
  const loadtest = startCommand('run', [path, ...SHORT, '--json'], { hangsAfterMs })
  const { code, stdout, stderr, result } = await loadtest.ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /to standard output/)
  assert.deepEqual(JSON.parse(stdout), result)
  assert.deepEqual(await loadtest.leftAfter(), [])
})

describe('a run of a user’s own that is ended leaves no process', THREES, () => {
  /** @type {[string, string, RegExp, NodeJS.Signals[]][]} */
  const phases = [
    ['a phase', "await phase('setup', () => new Promise(() => {}))", /in flight/, ['SIGINT']],
    ['the measurement', MEASURE, /^ +measuring/, ['SIGINT', 'SIGTERM']],
    ['a stuck loop', meanwhile(`console.log('blocking'); ${BLOCK}`), /^blocking/, ['SIGINT', 'SIGKILL']]
  ]
  for (const [what, body, seen, signals] of phases)
    for (const signal of signals)
      test(`by ${signal} in ${what}`, { ...TIMEOUT, ...ON_LINUX }, async () => {
        const loadtest = startCommand('run', [await file(body), ...LONG], { hangsAfterMs })
        await loadtest.line(seen)
        await sleep(2000)
        loadtest.signal(signal)
        const { code, stderr, result } = await loadtest.ended
        if (signal !== 'SIGKILL') assert.equal(code, 130, stderr)
        if (signal !== 'SIGKILL') assert.equal(result.reason?.code, 'INTERRUPTED')
        assert.deepEqual(await loadtest.leftAfter(), [])
      })
})

test('a process of a scenario that is killed while it starts is told of', {
  ...TIMEOUT,
  ...ON_LINUX
}, async () => {
  const path = await file(MEASURE, 'await new Promise(() => {})')
  const loadtest = startCommand('run', [path, ...SHORT], { hangsAfterMs })
  send(await loadtest.pid(), 'SIGKILL')
  const { code, stderr } = await loadtest.ended
  assert.equal(code, 1)
  assert.match(stderr, /odd-\d+\.js.* SIGKILL/)
})

test('its help needs no more than its file, and leaves no process', { ...TIMEOUT, ...ON_LINUX }, async () => {
  const path = await file(MEASURE, 'setInterval(() => {}, 1000)')
  const { code, stdout } = await call(['run', path, '--help'])
  assert.equal(code, 0)
  assert.match(stdout, /Run the scenario of/)
})

/** A description of a user's own. @param {string} cells - of its row */
const described = cells =>
  `{ title: 'mine', headline: 'A was done.', tiles: [['A', result.outcome.operations.A.count, 'count']],
    tables: [{ id: 'own', title: 'Own', columns: [['Own', 'text'], ['Times', 'count']], rows: [[${cells}]] }],
    plots: [{ id: 'own-plot', title: 'Own', kind: 'lines', x: 's', y: 'A', series: [{ label: 'A', values: [[0, 1], [1, 2]] }] }],
    warnings: [] }`

let describers = 0

/** A scenario that says this of its result. @param {string} body */
async function describing(body) {
  const path = join(base, `describing-${describers++}.js`)
  await writeFile(
    path,
    `let seen = 0
export default { name: 'describing', operations: ['A'],
  async run(_, { measure }) { ${MEASURE}; seen = 1 },
  describeResult(result) { ${body} } }`
  )
  return path
}

describe('what a scenario of a user’s own says of its result', THREES, () => {
  test('is in the result, made in the process of the scenario, and is no reason to run the scenario again', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const path = await describing(`return ${described('result.status, seen')}`)
    const outputDir = join(base, 'described')
    await mkdir(outputDir)
    const loadtest = startCommand('run', [path, ...SHORT], { hangsAfterMs, outputDir })
    const { code, stderr, result } = await loadtest.ended
    assert.equal(code, 0, stderr)
    const { description, operations } = /** @type {any} */ (result.outcome)
    assert.deepEqual(description.tables[0].rows, [['complete', 1]])
    assert.deepEqual(description.tiles, [['A', operations.A.count, 'count']])
    assert.deepEqual(await loadtest.leftAfter(), [])

    await writeFile(path, 'throw new Error("is run no more")')
    const [id] = await readdir(outputDir)
    const again = await call(['report', join(outputDir, id)])
    assert.equal(again.code, 0, again.stderr)
    const stored = JSON.parse(await readFile(join(outputDir, id, 'result.json'), 'utf8'))
    assert.deepEqual(stored.outcome.description, description)
  })

  /** @type {readonly (readonly [what: string, body: string, why: RegExp])[]} */
  const LEFT_OUT = [
    ['has too few cells', `return ${described('1')}`, /describeResult of \S+: tables\[0\]\.rows: every row/],
    ['is nothing', '', /describeResult of \S+: gave nothing/],
    ['is too large', "return 'x'.repeat(1100000)", /is 1\.1 MB large, and at most 1 MB/],
    ['throws', "throw new Error('cannot say')", /describeResult of \S+ threw: cannot say/],
    ['ends the process', 'process.exit(0)', /exit code 0, as process\.exit does, in describeResult/],
    ['hangs', 'return new Promise(() => {})', /was not done within 30 s, in describeResult/],
    ['blocks its event loop', BLOCK, /blocked its event loop for more than 30 s, in describeResult/]
  ]
  for (const [what, body, why] of LEFT_OUT)
    test(`is left out with a warning where it ${what}: the run is complete`, {
      ...TIMEOUT,
      ...ON_LINUX
    }, async () => {
      const loadtest = startCommand('run', [await describing(body), ...SHORT], { hangsAfterMs })
      const { code, stderr, result } = await loadtest.ended
      assert.equal(code, 0, stderr)
      assert.equal(result.status, 'complete')
      assert.equal(/** @type {any} */ (result.outcome).description, undefined)
      const warnings = result.run.warnings.filter(({ code }) => code === 'NOT_DESCRIBED')
      assert.equal(warnings.length, 1)
      assert.match(String(warnings[0].values.why), why)
      assert.deepEqual(await loadtest.leftAfter(), [])
    })

  test('is made of what was measured until the run was ended', { ...TIMEOUT, ...ON_LINUX }, async () => {
    const path = await describing(`return ${described('result.status, 0')}`)
    const loadtest = startCommand('run', [path, ...LONG], { hangsAfterMs })
    await loadtest.line(/^ +measuring/)
    await sleep(2000)
    loadtest.signal('SIGINT')
    const { code, stderr, result } = await loadtest.ended
    assert.equal(code, 130, stderr)
    assert.deepEqual(/** @type {any} */ (result.outcome).description.tables[0].rows, [['partial', 0]])
    assert.deepEqual(await loadtest.leftAfter(), [])
  })
})
