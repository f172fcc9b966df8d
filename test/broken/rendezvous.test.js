import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertPartial, breakInMidMeasure, LONG, THINKING } from '../acceptance/broken-run.js'
import { operation } from '../acceptance/consistent.js'
import { start, THREES, TIMEOUT } from '../acceptance/loadtest.js'
import { assertNeverBegan } from '../acceptance/never-began.js'
import { ON_LINUX, send } from '../acceptance/processes.js'

const TWO_WORKERS = ['--workers', '2']

describe('a run that breaks ends with exit code 1, says why, keeps what was measured, leaves no process', {
  ...ON_LINUX,
  ...THREES
}, () => {
  // which takes longest to be noticed
  test('a worker stops for good', TIMEOUT, async () => {
    const ended = await breakInMidMeasure([...THINKING, ...TWO_WORKERS], async loadtest =>
      send((await loadtest.workers())[0], 'SIGSTOP')
    )
    assertPartial(ended, 'WORKER_HUNG', /worker 0 has not reported for \d+ s/)
  })

  // the server is killed, and the program itself: test/acceptance
  test(
    'a worker is killed: what the other one measured is kept, and all but a second of its own',
    TIMEOUT,
    async () => {
      const ended = await breakInMidMeasure([...THINKING, ...TWO_WORKERS], async loadtest =>
        send((await loadtest.workers())[0], 'SIGKILL')
      )
      assertPartial(ended, 'WORKER_DIED', /worker 0 \(pid \d+\) ended with SIGKILL/)
    }
  )

  // a closed model with a server that is gone: foreign-target.test.js
  test('the server stops for good, open model', TIMEOUT, async () => {
    const args = ['--timeout', '2s', '--rate', '50']
    const ended = await breakInMidMeasure(args, async loadtest => send(await loadtest.server(), 'SIGSTOP'))
    const message = /the server has not answered for \d+\.\d s, while \d+ operations failed/
    assertPartial(ended, 'SERVER_HUNG', message)
    assert.ok(operation(ended.result, 'DISCOVER').outcomes.TIMEOUT > 0)
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
