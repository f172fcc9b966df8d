import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCommand, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'

/**
 * @typedef {import('../../src/scenarios/transfer/plan/transfer-plan.js').FilesOutcome} FilesOutcome
 */

const TWO_WAYS = ['--protocols', 'http,stream']
/** One round, whose line is slow enough that there is time to break something. */
const SLOW = [
  ...[...TWO_WAYS, '--latencies', 'none', '--bandwidths', '200kB', '--no-unlimitedBandwidthCase'],
  ...['--size', '200kB', '--chunkSize', '16KiB', '--repeats', '20', '--timeout', '3s']
]

// one that is killed is told of in perf.test.js, interrupted runs in test/run/interrupted-moves.test.js
test('a run of transfers whose provider is frozen ends with exit code 1, says why, keeps what was measured, leaves no process', {
  ...TIMEOUT,
  ...ON_LINUX
}, async () => {
  const loadtest = startCommand('transfer', SLOW)
  await loadtest.line(/transferring files +[1-9]\d* \/ 40 repeats/)
  send((await loadtest.workers())[0], 'SIGSTOP')
  const { code, result, stdout, stderr } = await loadtest.ended
  assert.equal(code, 1, stderr)
  assert.deepEqual(await loadtest.leftAfter(), [])
  assert.ok(/** @type {any} */ (result.outcome).transfers.length > 0, 'what was measured before is kept')
  assert.doesNotMatch(stderr, /^ +at /m, 'no stack traces')
  assert.equal(result.status, 'partial')
  assert.match(String(result.reason?.code), /^T(RANSFER_T)?IMEOUT$/, result.reason?.message)
  assert.match(String(result.reason?.message), /within --timeout 3s/)
  assert.match(stdout, /^⚠ Partial result: /m)
})
