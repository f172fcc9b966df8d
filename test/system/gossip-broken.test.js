import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workerKilledIn } from '../acceptance/broken-gossip-run.js'
import { missingOf } from '../acceptance/gossip-network.js'
import { TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'

// other phases, and what else breaks it off, are in test/broken, and Ctrl-C ends one that publishes in gossip-traces.test.js
test('a gossip run whose worker is killed in mid-publish says so, keeps what it has, explains what its nodes missed, and leaves no process', {
  ...TIMEOUT,
  ...ON_LINUX
}, async () => {
  const { result } = await workerKilledIn('publish')
  const reasons = missingOf(result)
  assert.ok(reasons['node-gone'] > 0, JSON.stringify(reasons))
  const worker = Number(/worker (\d)/.exec(String(result.reason?.message))?.[1])
  for (const { node, reason } of result.outcome.missing.listed)
    if (reason === 'node-gone') assert.equal(node % 2, worker)
})
