import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPeerScoreParams, createPeerScoreThresholds, PeerScore } from '@libp2p/gossipsub/score'
import { silentLogger } from '../../../src/libp2p/node-components.js'
import { ScoreWatch, scoreBucketMiddle, scoreBucketOf } from '../../../src/network/gossipsub.js'
import { PeerNumbers } from '../../../src/network/node-host.js'
import { simulate, simulatedPlan } from '../simulated/simulation.js'

test('a bucket of scores is within 1 % of them, on both sides of 0', () => {
  for (const value of [0.001, 0.5, 1, 99.4, 12_345])
    for (const score of [value, -value]) {
      const middle = scoreBucketMiddle(scoreBucketOf(score))
      assert.ok(Math.abs(middle / score - 1) < 0.0101, `${score}: ${middle}`)
    }
  assert.deepEqual([0, 0.0009, -0.0009].map(scoreBucketOf).map(Math.abs), [0, 0, 0])
  assert.equal(scoreBucketMiddle(0), 0)
})

/** A node whose application gives its peers these scores. @param {Record<string, number>} scores */
function nodeWith(scores) {
  const params = createPeerScoreParams({ appSpecificScore: peer => scores[peer], appSpecificWeight: 1 })
  const score = new PeerScore(params, null, silentLogger(), { scoreCacheValidityMs: 1000 })
  for (const peer of Object.keys(scores)) score.addPeer(peer)
  const opts = { scoreThresholds: createPeerScoreThresholds({ gossipThreshold: -10, publishThreshold: -50 }) }
  return /** @type {any} */ (Object.assign(new EventTarget(), { score, opts }))
}

describe('the scores that nodes give their peers', () => {
  let nowNs = 0
  const peers = new PeerNumbers()
  peers.add(['a', 'b', 'c', 'd'].map((peerId, node) => ({ peerId, node })))
  const watch = new ScoreWatch({ now: () => nowNs, peers, heartbeatMs: 300 })
  const gossipsub = nodeWith({ a: 1, b: -11, c: -60, d: 2, stranger: 0 })
  watch.watch(7, gossipsub)
  const heartbeat = (/** @type {number} */ atMs) => {
    nowNs = atMs * 1e6
    gossipsub.dispatchEvent(new Event('gossipsub:heartbeat'))
  }

  test('are sampled once in a step, and what the library keeps of them is not touched', () => {
    gossipsub.score.peerStats.get('d').connected = false
    for (const atMs of [1000, 1300, 1900, 2100]) heartbeat(atMs)
    assert.equal(gossipsub.score.scoreCache.size, 0)
    const [first, second, ...more] = watch.take()
    assert.deepEqual([first.atNs, second.atNs, more.length], [1e9, 2e9, 0])
    assert.deepEqual([first.min, first.below], [-60, [2, 2, 1, 0]])
    const values = Array.from(first.buckets, (bucket, i) => [scoreBucketMiddle(bucket), first.counts[i]])
    const near = values.map(([value, count]) => [Math.round(value), count]).sort(([a], [b]) => a - b)
    assert.deepEqual(near, [
      [-60, 1],
      [-11, 1],
      [0, 1],
      [1, 1]
    ])
    assert.deepEqual(watch.take(), [])
  })

  test('are those of peers of the network in the end, and of nodes that are there', () => {
    const { peer, score } = watch.ofPeers()
    assert.deepEqual(
      [[...peer], [...score]],
      [
        [0, 1, 2],
        [1, -11, -60]
      ]
    )
    watch.forget(7)
    heartbeat(5000)
    assert.deepEqual([watch.take().length, watch.ofPeers().peer.length], [0, 0])
  })

  test('are not known of a library that has others', () => {
    const other = new ScoreWatch({ now: () => 0, peers, heartbeatMs: 1000 })
    other.watch(0, new EventTarget())
    assert.equal(other.ofPeers().peer.length, 0)
  })
})

test('in a simulated network each pair of neighbours is sampled in each second; without scores nothing is', async () => {
  const options = { nodes: 6, topology: 'ring', linkLatency: '10ms', topics: 'load=1' }
  const publications = Array.from({ length: 40 }, (_, i) => ({ node: i % 6, offsetNs: i * 100e6 }))
  const scored = await simulate(
    simulatedPlan({
      ...options,
      topicScoreParams:
        '{ load: { topicWeight: 1, firstMessageDeliveriesWeight: 1, firstMessageDeliveriesDecay: 0.9, firstMessageDeliveriesCap: 9 } }'
    }),
    publications
  )
  const steps = new Map()
  for (const { atNs, counts } of scored.intervals.flatMap(({ scores }) => scores ?? []))
    steps.set(atNs, (steps.get(atNs) ?? 0) + counts.reduce((sum, count) => sum + count, 0))
  const whole = [...steps.values()].slice(3, -1)
  assert.ok(whole.length > 10 && whole.every(count => count === 12), `${whole}`)
  const plain = await simulate(simulatedPlan(options), publications)
  assert.ok(plain.intervals.every(({ scores }) => scores === undefined))
})
