import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeExtension } from '../../../../src/scenarios/gossip/run/gossip-run.js'
import { fileWith } from '../../../network/gossip-plan.js'
import { validPlanOf } from '../../../scenarios.js'
import { publishedRows, receivedRows } from '../measure/rows.js'

/**
 * @typedef {import('../../../../src/scenarios/gossip/plan/network-file.js').ScriptStep} ScriptStep
 * @typedef {import('../../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 */

const SECOND = 1e9
const START_NS = 3 * SECOND

/** @param {ScriptStep[]} script */
function planOf(script) {
  const options = { network: 'simulated', nodes: 8, topics: 'a=1,b=0.5', duration: '20s', seed: 5 }
  return { ...validPlanOf('gossip', options), networkFile: fileWith(script) }
}

/** @type {ScriptStep} */
const AWAY_FROM_A = { atMs: 5000, who: { nodes: [2, 3] }, action: 'unsubscribe', topic: 'a', forMs: 4000 }

/** What hosts report of that step: node 3 fails when it is to subscribe again. */
const REPORTED = [
  { atMs: 5000, node: 2, topic: 0, subscribed: false, atNs: START_NS + 5.002 * SECOND },
  { atMs: 5000, node: 3, topic: 0, subscribed: false, atNs: START_NS + 5.004 * SECOND },
  { atMs: 9000, node: 2, topic: 0, subscribed: true, atNs: START_NS + 9.5 * SECOND },
  { atMs: 9000, node: 3, topic: 0, subscribed: true, atNs: START_NS + 9 * SECOND, error: 'not started' }
]

/**
 * A measurement in which a node publishes on the topic at these times, and nodes 2 and 3 receive all of it 30 ms later.
 *
 * @param {number[]} seconds
 * @param {object} [how]
 * @param {number} [how.untilS]
 * @param {import('../../../../src/network/node-host.js').SubscriptionRecord[]} [how.resubscribed]
 * @param {number} [how.topic]
 * @param {number} [how.publisher]
 */
function measured(seconds, { untilS = 20, resubscribed = REPORTED, topic = 0, publisher = 0 } = {}) {
  const companion = makeExtension(planOf([AWAY_FROM_A]), null)
  assert.deepEqual(companion.outcome(), { script: null })
  const { lens, isThere, subscriptions } = /** @type {any} */ (companion).measurement({
    startNs: START_NS,
    planned: seconds.length
  })
  companion.begin?.(START_NS)
  const published = publishedRows(
    seconds.map((s, message) => ({ message, node: publisher, topic, atMs: START_NS / 1e6 + s * 1000 }))
  )
  const received = receivedRows(
    seconds.flatMap((s, message) =>
      [2, 3].map(node => ({ message, node, from: 0, atMs: START_NS / 1e6 + s * 1000 + 30 }))
    )
  )
  const expected = lens.take(
    { atNs: START_NS + untilS * SECOND, published, received, resubscribed },
    received
  )
  const { script } = /** @type {any} */ (companion.outcome())
  return {
    ...{ script, subscriptions, expected: [...expected.message] },
    there: seconds.map(s => isThere(2, (START_NS + s * SECOND) / 1000, topic)),
    codes: companion.warnings([]).map(({ code, values }) => [code, values])
  }
}

describe('what a node receives around its subscriptions', () => {
  //            long before, soon before, not subscribed, soon after, long after
  const TIMES = [1, 4.5, 6, 10, 15]

  test('counts apart within 5 s after it subscribed and 1 s before it unsubscribed, and nowhere in between', () => {
    const { script, expected, there } = measured(TIMES)
    const actual = [there, expected]
    assert.deepEqual(actual, [
      [true, false, false, false, true],
      [0, 0, 4, 4]
    ])
    assert.deepEqual(script.apart, {
      subscribing: { expected: 2, delivered: 2 },
      unsubscribing: { expected: 2, delivered: 2 },
      unsubscribed: { delivered: 2 }
    })
  })

  test('is not awaited by its publisher', () => {
    const { apart } = measured([4.5, 10], { publisher: 2 }).script
    assert.deepEqual([apart.unsubscribing.expected, apart.subscribing.expected], [1, 1])
  })

  test('is expected on its other topics all the while', () => {
    const { script, there, subscriptions } = measured(TIMES, { topic: 1 })
    assert.deepEqual(
      there,
      TIMES.map(() => true)
    )
    assert.equal(script.apart.unsubscribed.delivered, 0)
    assert.ok(subscriptions[2].includes(0))
  })

  test('says how long it took from subscribing to the first delivery', () => {
    const { firstDelivery } = measured([1, 10, 15]).script
    assert.deepEqual([firstDelivery.count, firstDelivery.never], [1, 0])
    // subscribed at 9.5 s, received at 10.03 s
    assert.equal(Math.round(firstDelivery.avg.ms), 530)
  })
})

describe('actions of a script', () => {
  test('are counted by step: how many nodes did them, how late, and how many failed, which is warned about', () => {
    const { script, codes } = measured([1])
    assert.deepEqual(
      script.steps.map((/** @type {any} */ step) => [
        ...[step.atMs, step.action, step.topic, step.nodes],
        ...[step.done, step.failed, Math.round(step.latestMs)]
      ]),
      [
        [5000, 'unsubscribe', 'a', 2, 2, 0, 4],
        [9000, 'subscribe', 'a', 2, 1, 1, 500]
      ]
    )
    assert.deepEqual(script.done, { subscribe: 1, unsubscribe: 2 })
    assert.deepEqual([script.failed, Math.round(script.latestMs)], [1, 500])
    assert.deepEqual(codes, [['ACTIONS_FAILED', { count: 1, error: 'not started' }]])
  })

  test('that nobody reports have failed: the process of the node is gone', () => {
    const reported = REPORTED.filter(({ node }) => node === 2)
    assert.equal(
      measured([1], { untilS: 6, resubscribed: [] }).script.failed,
      0,
      'they may still be reported'
    )
    const { script, codes } = measured([1], { resubscribed: reported })
    assert.deepEqual([script.failed, script.done], [2, { subscribe: 1, unsubscribe: 1 }])
    assert.deepEqual(codes, [['ACTIONS_FAILED', { count: 2, error: null }]])
  })

  test('of nodes that are away have not failed; late ones are warned about', () => {
    const resubscribed = REPORTED.map(({ error: _, ...each }) =>
      each.node === 3
        ? { ...each, isAway: /** @type {const} */ (true) }
        : { ...each, atNs: START_NS + (each.atMs + 1200) * 1e6 }
    )
    const { script, codes } = measured([1], { resubscribed })
    assert.deepEqual([script.failed, script.done], [0, { subscribe: 1, unsubscribe: 1 }])
    assert.deepEqual(codes, [['SCRIPT_LATE', { latestMs: 1200 }]])
  })
})
