import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertBroken,
  assertInterrupted,
  assertReadable,
  assertWorkerKilled,
  brokenIn,
  LONG,
  ORDER
} from '../acceptance/broken-gossip-run.js'
import { assertGossipAgrees, ended, missingOf, startGossip } from '../acceptance/gossip-network.js'
import { THREES, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX, send } from '../acceptance/processes.js'

describe('a gossip run that is broken off in any phase says why, keeps what it has, and leaves no process', {
  ...ON_LINUX,
  ...THREES
}, () => {
  test('a worker is stopped while the nodes connect: it is named as hung too', TIMEOUT, async () => {
    const outcome = await brokenIn('peer', async loadtest => send(await loadtest.pid(), 'SIGSTOP'))
    assertBroken(outcome, 'peer', {
      exitCode: 1,
      code: 'WORKER_HUNG',
      message: /^worker [01] has not reported/
    })
  })

  test(
    'a worker is stopped in mid-publish: exit code 1, it is named as hung; what its nodes missed is explained',
    TIMEOUT,
    async () => {
      const outcome = await brokenIn('publish', async loadtest => send(await loadtest.pid(), 'SIGSTOP'))
      const message = /^worker [01] has not reported for \d+ s: it is stopped, or its event loop is blocked$/
      assertBroken(outcome, 'publish', { exitCode: 1, code: 'WORKER_HUNG', message })
      const reasons = missingOf(outcome.result)
      assert.ok(reasons['node-gone'] > 0, JSON.stringify(reasons))
      const worker = Number(/worker (\d)/.exec(String(outcome.result.reason?.message))?.[1])
      for (const { node, reason } of outcome.result.outcome.missing.listed)
        if (reason === 'node-gone') assert.equal(node % 2, worker)
      await assertReadable(outcome.folder)
    }
  )

  test(
    'it is killed itself in mid-publish: its workers end, and the result can be read',
    TIMEOUT,
    async () => {
      const loadtest = startGossip(LONG)
      await loadtest.measured()
      assert.equal((await loadtest.workers()).length, 2)
      loadtest.signal('SIGKILL')
      const { signal, result, folder } = await ended(loadtest)
      assert.equal(signal, 'SIGKILL')
      assert.deepEqual(await loadtest.leftAfter(), [])
      assert.deepEqual([result.status, result.reason?.code], ['partial', 'UNFINISHED'])
      assertGossipAgrees(result)
      await assertReadable(folder)
    }
  )

  // what is left out is in test/acceptance
  for (const phase of ORDER.filter(each => each !== 'publish'))
    test(`Ctrl-C in the phase ${phase}: exit code 130`, TIMEOUT, () => assertInterrupted(phase))

  for (const phase of ORDER.filter(each => each !== 'publish'))
    test(`a worker is killed in the phase ${phase}: exit code 1, and it is named`, TIMEOUT, () =>
      assertWorkerKilled(phase)
    )
})
