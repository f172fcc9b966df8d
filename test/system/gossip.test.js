import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  computeMaxMessageBytes,
  GOSSIPSUB_PRESETS,
  PRESET_TOPIC_SCORES
} from '../../src/scenarios/gossip/gossipsub.js'
import { sum } from '../acceptance/consistent.js'
import {
  assertEverywhere,
  assertWhole,
  FAST,
  FAST_MESH,
  QUICK,
  runGossip
} from '../acceptance/gossip-network.js'
import { PAIRS, TIMEOUT } from '../acceptance/loadtest.js'

/** @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult */

/** Other runs have nodes in several: of what is looked at here it changes nothing. */
const ONE_PROCESS = Object.freeze(['--workers', '1'])

/** Deliveries that took at least so long. @param {GossipResult} result @param {number} ms */
const tookAtLeast = ({ outcome }, ms) =>
  sum(
    outcome.perSecond.flatMap(({ histogram }) =>
      // values have two digits
      histogram.flatMap(([us, count]) => (us * 1.05 >= ms * 1000 ? [count] : []))
    )
  )

test(
  '--linkLatency 50ms: each hop takes that long; a threshold that is not met makes the exit code 3, and the result is whole',
  TIMEOUT,
  async () => {
    const outcome = await runGossip([
      ...[...QUICK.slice(2), ...ONE_PROCESS, '--topology', 'line', '--linkLatency', '50ms'],
      ...['--threshold', 'deliveryRatio >= 100%', '--threshold', 'latency.max < 1us']
    ])
    await assertWhole(outcome, { code: 3 })
    assert.match(outcome.stdout, /^\| ✖ latency\.max < 1us +\| [\d.]+ ms +\| failed \|/m)
    assertEverywhere(outcome.result)
    const { hops } = outcome.result.outcome
    assert.ok(hops.deliveries.length > 2)
    for (let hop = 1; hop < hops.deliveries.length; hop++)
      assert.ok(tookAtLeast(outcome.result, 50 * hop) >= sum(hops.deliveries.slice(hop)), `${hop} hops`)
  }
)

describe('everything arrives, and the figures agree', { ...PAIRS, ...TIMEOUT }, () => {
  /** Every node publishes in its own time. @param {string[]} args */
  async function publishedByAll(args) {
    const outcome = await runGossip([
      ...[...FAST, ...ONE_PROCESS],
      ...['--nodes', '6', '--topology', 'ring', '--publishers', 'every', '--interval', '200ms-600ms'],
      // a process that others keep from a core publishes late, but none is kept from it for as long as that
      ...['--duration', '4s', ...args]
    ])
    await assertWhole(outcome)
    assertEverywhere(outcome.result)
    const { nodes, messages } = outcome.result.outcome
    assert.equal(messages.planned, null)
    for (const { node, published } of nodes)
      assert.ok(published >= 1 && published <= 20, `node ${node}: ${published}`)
    return outcome
  }

  test('every node publishes in its own time, open model; the preset of the study: no IDONTWANT, however large the messages', async () => {
    const preset = ['--preset', 'study-2019', '--messageBytes', '3000']
    const { plan, outcome } = (await publishedByAll(['--loadModel', 'open', ...preset])).result
    assert.equal(plan.gossipsub.floodPublish, false)
    assert.equal(outcome.counters.idontwantSent, 0)
    assert.ok(outcome.measuredMs >= 4000)
  })

  test('every node publishes in its own time, closed model, under several topics', async () => {
    await publishedByAll(['--loadModel', 'closed', '--topics', 'foo=1,bar=0.9'])
  })
})

describe('presets: nodes have the parameters of the project', () => {
  /** What a project publishes that is the library's default, too: settings do not list it. @type {Record<string, string[]>} */
  const AS_BY_DEFAULT = {
    eth2: ['Dhi', 'Dlazy', 'fanoutTTL', 'floodPublish', 'mcacheGossip'],
    'filecoin-f3': ['Dhi', 'behaviourPenaltyWeight', 'decayInterval', 'floodPublish'],
    optimism: ['Dhi', 'Dlazy', 'doPX', 'gossipThreshold', 'mcacheGossip'],
    waku: [
      ...['D', 'Dlazy', 'Dlo', 'behaviourPenaltyWeight', 'fanoutTTL', 'floodPublish', 'gossipFactor'],
      ...['heartbeatInterval', 'mcacheGossip', 'pruneBackoff', 'seenTTL']
    ]
  }
  for (const [preset, asByDefault] of Object.entries(AS_BY_DEFAULT))
    test(preset, TIMEOUT, async () => {
      const network = ['--nodes', '5', '--topology', 'full', '--messages', '10', '--rate', '10/s']
      const outcome = await runGossip(['--preset', preset, '--linkLatency', '0', ...ONE_PROCESS, ...network])
      await assertWhole(outcome)
      assertEverywhere(outcome.result)
      const { settings } = outcome.result.outcome.network
      const read = Object.fromEntries(
        Object.entries(/** @type {Record<string, { value: unknown }>} */ (settings)).map(
          ([name, { value }]) => [name.replace(/^gossipsub\.(scoreParams\.|scoreThresholds\.)?/, ''), value]
        )
      )
      const params = Object.entries(GOSSIPSUB_PRESETS[/** @type {keyof typeof GOSSIPSUB_PRESETS} */ (preset)])
      const listed = params.filter(([name]) => !asByDefault.includes(name))
      assert.deepEqual(
        Object.fromEntries(listed.map(([name]) => [name, read[name]])),
        Object.fromEntries(listed)
      )
      assert.deepEqual(
        params.map(([name]) => name).filter(name => read[name] === undefined),
        params.map(([name]) => name).filter(name => asByDefault.includes(name))
      )
      const score = PRESET_TOPIC_SCORES[preset]
      const ofTopic = read['topics.topic-0']
      assert.deepEqual(score && { .../** @type {object} */ (ofTopic), ...score }, ofTopic)
    })
})

describe('the largest message', () => {
  for (const network of ['loopback', 'simulated'])
    test(`gets through, on ${network}`, TIMEOUT, async () => {
      const largest = ['--messageBytes', String(computeMaxMessageBytes()), '--messages', '1', '--rate', '1/s']
      const where = ['--network', network, '--nodes', '2', '--topology', 'line', '--linkLatency', '0']
      const outcome = await runGossip([...where, ...FAST_MESH, ...ONE_PROCESS, ...largest])
      await assertWhole(outcome)
      assertEverywhere(outcome.result)
    })
})
