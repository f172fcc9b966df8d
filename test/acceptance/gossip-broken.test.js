import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertBroken,
  assertReadable,
  assertWorkerKilled,
  aWorker,
  brokenIn,
  LONG
} from './broken-gossip-run.js'
import { assertGossipAgrees, ended, missingOf, startGossip } from './gossip-network.js'
import { THREES, TIMEOUT } from './loadtest.js'
import { ON_LINUX, send } from './processes.js'

describe('a gossip run that is broken off says why, keeps what it has, and leaves no process', {
  ...ON_LINUX,
  ...THREES
}, () => {
  test(
    'a worker is stopped in mid-publish: exit code 1, it is named as hung; what its nodes missed is explained',
    TIMEOUT,
    async () => {
      const outcome = await brokenIn('publish', async loadtest => send(await aWorker(loadtest), 'SIGSTOP'))
      const message =
        /^worker [01] has told nothing for \d+ s: it is stopped, or its event loop does not turn$/
      assertBroken(outcome, 'publish', { exitCode: 1, code: 'WORKER_HUNG', message })
      const reasons = missingOf(outcome.result)
      assert.ok(reasons['node-gone'] > 0, JSON.stringify(reasons))
      const worker = Number(/worker (\d)/.exec(String(outcome.result.reason?.message))?.[1])
      for (const { node, reason } of outcome.result.outcome.missing.listed)
        if (reason === 'node-gone') assert.equal(node % 2, worker)
      await assertReadable(outcome.folder)
    }
  )

  // other phases are broken off in test/broken, and Ctrl-C ends one that publishes in gossip-traces.test.js
  test('a worker is killed in the phase cooldown: exit code 1, and it is named', TIMEOUT, () =>
    assertWorkerKilled('cooldown')
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
})
