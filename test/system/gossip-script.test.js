import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listScriptedCuts } from '../../src/load/network-script.js'
import { describeResult } from '../../src/scenarios/gossip/describe.js'
import { runGossip } from '../../src/scenarios/gossip/run/gossip-run.js'
import { TIMEOUT } from '../acceptance/loadtest.js'
import { WHERE_POSSIBLE } from '../acceptance/namespaces.js'
import { fileWith } from '../network/gossip-plan.js'
import { makePlanOf, resultFromText } from '../scenarios.js'

/**
 * @typedef {import('../../src/scenarios/gossip/plan/network-file.js').ScriptStep} ScriptStep
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 */

/** Four nodes are in each of two zones. */
const FILE = {
  zones: { names: ['eu', 'us'], latencyMs: [], jitter: null, lossShare: null, shares: null },
  placement: Array.from({ length: 8 }, (_, node) => ({ zone: node < 4 ? 'eu' : 'us' }))
}

/** @param {ScriptStep[]} script @param {Record<string, unknown>} options @returns {Promise<GossipResult>} */
async function resultOf(script, options) {
  const { plan, problems } = makePlanOf('gossip', { nodes: 8, seed: 5, ...options }, { cores: 2 })
  assert.deepEqual(problems ?? [], [])
  const scripted = /** @type {any} */ ({ ...plan, networkFile: fileWith(script, FILE) })
  /** @type {any} */
  let last = null
  const { signal } = new AbortController()
  for await (const record of runGossip(
    { ...scripted, partitions: listScriptedCuts(scripted) },
    { id: 'script', signal }
  ))
    last = record
  return last.result
}

/** @param {GossipResult} result */
function assertAccounted({ status, reason, outcome }) {
  const { delivery, missing, anomalies } = outcome
  assert.equal(status, 'complete', JSON.stringify(reason))
  assert.ok(
    Object.values(anomalies).every(count => count === 0),
    JSON.stringify(anomalies)
  )
  assert.equal(delivery.expected, delivery.delivered + missing.pairs)
}

/** @type {ScriptStep[]} */
const SCRIPT = [
  { atMs: 2000, who: {}, action: 'subscribe', topic: 'b', forMs: 10_000 },
  { atMs: 7000, who: { nodes: [6] }, action: 'leave', forMs: 2000 },
  { atMs: 14_000, who: { zone: 'eu' }, action: 'partition', forMs: 1000 }
]

describe('a run with a script', TIMEOUT, () => {
  test('accounts for every delivery, and is the same in two processes', async () => {
    const options = {
      ...{ network: 'simulated', topics: 'a=1,b=0.5', signing: 'off' },
      ...{ linkLatency: '20ms', rate: '10/s', duration: '20s' }
    }
    const one = await resultOf(SCRIPT, options)
    const two = await resultOf(SCRIPT, { ...options, workers: 2 })
    assertAccounted(one)
    const { delivery, script, churn, missing, digest } = one.outcome
    assert.ok(digest !== undefined)
    assert.equal(two.outcome.digest, digest)
    assert.deepEqual(
      [two.outcome.script, two.outcome.delivery, two.outcome.missing],
      [script, delivery, missing]
    )
    assert.ok(Number(script?.done.subscribe) > 0)
    assert.equal(script?.done.subscribe, script?.done.unsubscribe)
    assert.deepEqual([script?.failed, script?.latestMs], [0, 0])
    assert.deepEqual([churn?.departures, churn?.returns], [1, 1])
    const [table] = describeResult(one).tables.filter(({ id }) => id === 'script')
    assert.deepEqual(
      table.rows.map(([at, action]) => [at, action]),
      [
        [2, 'subscribe'],
        [7, 'leave'],
        [12, 'unsubscribe'],
        [14, 'partition']
      ]
    )
    const written = JSON.stringify(one)
    assert.deepEqual(await resultFromText(written, 'result.json'), JSON.parse(written))
  })

  test('of no steps says nothing of one', async () => {
    const { outcome } = await resultOf([], { network: 'simulated', duration: '2s', rate: '5/s' })
    assert.ok(!('script' in outcome) && !('churn' in outcome))
  })

  test('does on real TCP what it does in virtual time, a little later', async () => {
    const result = await resultOf(
      [
        { atMs: 1000, who: { nodes: [0, 1] }, action: 'unsubscribe', topic: 'a' },
        { atMs: 2000, who: { nodes: [7] }, action: 'leave', forMs: 1000 }
      ],
      {
        topics: 'a=1',
        topology: 'full',
        linkLatency: '0',
        rate: '10/s',
        duration: '10s',
        heartbeat_interval: '200ms'
      }
    )
    assertAccounted(result)
    const { script, churn } = result.outcome
    assert.deepEqual([script?.done, script?.failed], [{ subscribe: 0, unsubscribe: 2 }, 0])
    assert.ok(Number(script?.latestMs) > 0 && Number(script?.latestMs) < 1000)
    assert.deepEqual([churn?.departures, churn?.returns], [1, 1])
    assert.ok(Number(script?.apart.unsubscribing.expected) > 0)
  })

  test('cuts a zone off between namespaces', WHERE_POSSIBLE, async () => {
    const result = await resultOf([{ atMs: 1000, who: { zone: 'eu' }, action: 'partition', forMs: 1500 }], {
      ...{ network: 'namespaces', topology: 'full', linkLatency: '10ms', rate: '10/s', duration: '4s' },
      heartbeat_interval: '200ms'
    })
    assertAccounted(result)
    const { latency, delivery, script } = result.outcome
    assert.equal(delivery.ratio, 1, 'TCP tries again after it')
    assert.ok(Number(latency.all.max?.ms) > 1000, `${latency.all.max?.ms} ms`)
    assert.deepEqual(
      script?.steps.map(({ action, nodes }) => [action, nodes]),
      [['partition', 4]]
    )
  })
})
