import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertSumsAgree, operation } from './consistent.js'
import { start, THREES, TIMEOUT } from './loadtest.js'
import { assertNeverBegan } from './never-began.js'
import { ON_LINUX, send } from './processes.js'

/** @typedef {import('./loadtest.js').Loadtest} Loadtest */

const LONG = [...['--duration', '30s', '--benchmarkType', 'DISCOVER', '--warmup', '50ms']]
/** Clients that think: what breaks is the same, and nothing else is busy. */
const THINKING = ['--thinkTime', '20ms']
const TWO_WORKERS = ['--workers', '2']
const NO_PROBE = ['--probeRate', '0']

/**
 * breakInMidMeasure starts a long run and breaks it once something was measured.
 *
 * @param {string[]} args
 * @param {(loadtest: Loadtest) => Promise<void>} breakIt
 */
async function breakInMidMeasure(args, breakIt) {
  const loadtest = start([...LONG, ...args])
  await loadtest.measured()
  await breakIt(loadtest)
  const ended = await loadtest.ended
  assert.deepEqual(await loadtest.leftAfter(), [])
  return ended
}

/**
 * assertPartial holds a run that was broken off against what it must have left.
 *
 * @param {import('./loadtest.js').Outcome} ended
 * @param {string} code
 * @param {RegExp} message
 */
function assertPartial({ code: exitCode, stdout, stderr, result }, code, message) {
  assert.equal(exitCode, 1, stderr)
  assert.deepEqual([result.status, result.reason?.code], ['partial', code])
  assert.match(String(result.reason?.message), message)
  assert.match(stdout, /^Partial result: /m)
  assert.match(stdout, message)
  assert.ok(operation(result, 'DISCOVER').outcomes.OK > 0, 'what was measured before is kept')
  assertSumsAgree(result)
  assert.doesNotMatch(stderr, /^ +at /m, 'no stack traces')
}

describe('a run that breaks ends with exit code 1, says why, keeps what was measured, leaves no process', {
  ...ON_LINUX,
  ...THREES
}, () => {
  // which takes longest to be noticed
  test('a worker stops for good', TIMEOUT, async () => {
    const ended = await breakInMidMeasure([...THINKING, ...TWO_WORKERS, ...NO_PROBE], async loadtest =>
      send((await loadtest.workers())[0], 'SIGSTOP')
    )
    assertPartial(ended, 'WORKER_HUNG', /worker 0 has told nothing for \d+ s/)
  })

  test('the server is killed', TIMEOUT, async () => {
    const ended = await breakInMidMeasure([...THINKING, ...NO_PROBE], async loadtest =>
      send(await loadtest.server(), 'SIGKILL')
    )
    assertPartial(ended, 'SERVER_DIED', /the server \(pid \d+\) ended with signal SIGKILL/)
  })

  test(
    'a worker is killed: what the other one measured is kept, and all but a second of its own',
    TIMEOUT,
    async () => {
      const ended = await breakInMidMeasure([...THINKING, ...TWO_WORKERS, ...NO_PROBE], async loadtest =>
        send((await loadtest.workers())[0], 'SIGKILL')
      )
      assertPartial(ended, 'WORKER_DIED', /worker 0 \(pid \d+\) ended with SIGKILL/)
    }
  )

  test('the probe is killed', TIMEOUT, async () => {
    const ended = await breakInMidMeasure([...THINKING, '--workers', '1'], async loadtest =>
      send((await loadtest.workers())[1], 'SIGKILL')
    )
    assertPartial(ended, 'WORKER_DIED', /the probe \(pid \d+\) ended with SIGKILL/)
  })

  // a closed model with a server that is gone: foreign-target.test.js
  test('the server stops for good, open model', TIMEOUT, async () => {
    const args = ['--timeout', '2s', ...NO_PROBE, '--rate', '50']
    const ended = await breakInMidMeasure(args, async loadtest => send(await loadtest.server(), 'SIGSTOP'))
    const message = /the server has answered nothing for \d+\.\d s, while \d+ operations failed/
    assertPartial(ended, 'SERVER_HUNG', message)
    assert.ok(operation(ended.result, 'DISCOVER').outcomes.TIMEOUT > 0)
  })
})

describe('when the program itself is killed', ON_LINUX, () => {
  test('workers and server end by themselves, and what was known stays', TIMEOUT, async () => {
    const loadtest = start([...LONG, ...THINKING, ...TWO_WORKERS])
    await loadtest.measuring()
    await loadtest.server()
    const before = await loadtest.leftAfter(0)
    assert.ok(before.length >= 5, 'itself, server, two workers, probe')
    loadtest.signal('SIGKILL')
    const { signal, result } = await loadtest.ended
    assert.equal(signal, 'SIGKILL')
    assert.deepEqual(await loadtest.leftAfter(), [])
    assert.deepEqual([result.status, result.reason?.code], ['partial', 'UNFINISHED'])
  })
})

test('a server that cannot start: one line says why, exit code 1, no folder, no process left', {
  ...TIMEOUT,
  ...ON_LINUX
}, async () => {
  const loadtest = start(LONG, { env: { RENDEZVOUS_KEY_FILE: '/no/such/folder/key' } })
  assertNeverBegan(
    await loadtest.ended,
    'SERVER_NOT_STARTED',
    /^the server \(pid \d+\) ended with exit code 1; its last words: .*\/no\/such\/folder\/key/
  )
  assert.deepEqual(await loadtest.leftAfter(), [])
})
