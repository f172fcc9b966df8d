import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listScriptedCuts } from '../../src/load/network-script.js'
import { fileWith } from '../network/gossip-plan.js'
import { simulate, simulatedPlan } from './simulation.js'

const SECOND = 1e9
const NODES = 10
const OWN = [1, 4, 7]
/** Half a second before what a script does every full second, and in the middle of it. */
const PUBLISHED = Array.from({ length: 12 }, (_, second) => ({ node: 0, offsetNs: (second + 0.5) * SECOND }))

/**
 * Who received which message.
 *
 * @param {import('../../src/scenarios/gossip/plan/network-file.js').ScriptStep[]} script
 * @param {Record<string, unknown>} [options]
 * @param {Parameters<typeof fileWith>[1]} [others]
 */
async function scripted(script, options = {}, others = {}) {
  const asked = simulatedPlan({
    ...{ nodes: NODES, topology: 'full', linkLatency: '50ms', signing: 'off', duration: '12s' },
    ...options
  })
  const plan = { ...asked, networkFile: fileWith(script, others) }
  const run = await simulate({ ...plan, partitions: listScriptedCuts(plan) }, PUBLISHED)
  const receivers = PUBLISHED.map((_, message) =>
    run.received.flatMap(each => (each.message === message ? [each.node] : [])).sort((a, b) => a - b)
  )
  return { ...run, receivers }
}

const ALL = Array.from({ length: NODES - 1 }, (_, i) => i + 1)
const OTHERS = ALL.filter(node => !OWN.includes(node))

describe('a script in virtual time', () => {
  test('has nodes unsubscribe, and subscribe again, to the nanosecond', async () => {
    const step = /** @type {const} */ ({
      who: { nodes: OWN },
      action: 'unsubscribe',
      topic: 'load',
      forMs: 4000
    })
    const { receivers, intervals, startNs, evidence } = await scripted([{ atMs: 3000, ...step }], {
      topics: 'load=1'
    })
    for (const [message, nodes] of receivers.entries())
      assert.deepEqual(
        nodes,
        // gossip brings a message of the last three heartbeats to who subscribes
        message < 3 || message > 6 ? ALL : nodes.filter(node => OTHERS.includes(node) || message >= 4),
        `message ${message}`
      )
    assert.deepEqual(receivers[3], OTHERS)
    const done = intervals.flatMap(({ resubscribed = [] }) => resubscribed)
    assert.deepEqual(
      done.map(({ node, atNs, atMs, subscribed }) => [node, atNs - startNs, atMs, subscribed]),
      [
        ...OWN.map(node => [node, 3 * SECOND, 3000, false]),
        ...OWN.map(node => [node, 7 * SECOND, 7000, true])
      ]
    )
    // who is not subscribed is not without a mesh
    for (const { node, fromNs, toNs } of evidence.withoutMesh.filter(({ fromNs }) => fromNs > startNs)) {
      assert.ok(OWN.includes(node) && fromNs >= startNs + 7 * SECOND, JSON.stringify({ node, fromNs }))
      assert.ok(toNs !== null)
    }
    const degrees = intervals.map(({ meshDegree }) => meshDegree.count)
    assert.ok(degrees.includes(NODES - OWN.length) && degrees.at(-1) === NODES)
  })

  test('does the same each time', async () => {
    /** @type {import('../../src/scenarios/gossip/plan/network-file.js').ScriptStep[]} */
    const script = [
      { atMs: 2000, who: { share: 0.4 }, action: 'subscribe', topic: 'other', forMs: 3000 },
      { atMs: 4000, who: { share: 0.3 }, action: 'unsubscribe', topic: 'load' }
    ]
    const options = { topics: 'load=0.9,other=0.2' }
    const [one, other] = [await scripted(script, options), await scripted(script, options)]
    assert.deepEqual(one.received, other.received)
    assert.deepEqual(one.counters, other.counters)
  })

  test('a node that returns subscribes to what it would have by then; one without a time never does', async () => {
    const { receivers, intervals } = await scripted(
      [
        { atMs: 1000, who: { nodes: [1, 2] }, action: 'leave', forMs: 3000 },
        { atMs: 2000, who: { nodes: [1] }, action: 'unsubscribe', topic: 'load' },
        { atMs: 2000, who: { nodes: [3] }, action: 'leave' }
      ],
      { topics: 'load=1' }
    )
    assert.deepEqual(receivers[0], ALL)
    assert.deepEqual(
      receivers.at(-1),
      ALL.filter(node => ![1, 3].includes(node))
    )
    const done = intervals.flatMap(({ resubscribed = [] }) => resubscribed)
    const rows = done.map(({ node, isAway }) => [node, isAway])
    assert.deepEqual(rows, [[1, true]])
  })

  test('cuts a zone off for a time', async () => {
    const zones = { names: ['eu', 'us'], latencyMs: [], jitter: null, lossShare: null, shares: null }
    const placement = Array.from({ length: NODES }, (_, node) => ({ zone: node < 6 ? 'us' : 'eu' }))
    const { received, startNs } = await scripted(
      [{ atMs: 3000, who: { zone: 'eu' }, action: 'partition', forMs: 2000 }],
      {},
      { zones, placement }
    )
    for (const { message, node, atNs } of received) {
      const sinceNs = atNs - startNs
      if (message === 3 || message === 4)
        assert.equal(sinceNs > 5 * SECOND, node >= 6, `message ${message} at ${node}: ${sinceNs / SECOND} s`)
      else assert.ok(sinceNs - PUBLISHED[message].offsetNs < SECOND || message === 5)
    }
    assert.equal(received.length, PUBLISHED.length * (NODES - 1), 'all of it came')
  })
})
