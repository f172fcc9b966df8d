import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brokenOff } from '../acceptance/churned-clients.js'
import { PAIRS, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'

describe('a run with churn that ends early keeps what was measured, says why, and leaves no process', {
  ...ON_LINUX,
  ...PAIRS
}, () => {
  test('it is interrupted', TIMEOUT, async () => {
    const { code, result } = await brokenOff(loadtest => loadtest.signal('SIGINT'))
    assert.deepEqual([code, result.reason?.code], [130, 'INTERRUPTED'])
  })

  test('a worker is killed', TIMEOUT, async () => {
    const { code, result } = await brokenOff(async loadtest => send((await loadtest.workers())[0], 'SIGKILL'))
    assert.deepEqual([code, result.reason?.code], [1, 'WORKER_DIED'])
  })
})
