import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { RPC } from '@libp2p/gossipsub/message'
import {
  createPeerScoreParams,
  createPeerScoreThresholds,
  defaultPeerScoreParams,
  defaultPeerScoreThresholds,
  PeerScore
} from '@libp2p/gossipsub/score'
import { peerIdFromMultihash } from '@libp2p/peer-id'
import * as digest from 'multiformats/hashes/digest'
import { makeSilentLogger } from '../../src/libp2p/node-components.js'
import { splitRpc } from '../../src/network/gossip/traffic-causes.js'
import {
  BYTE_CAUSES,
  DECODE_LIMITS,
  decodeCauses,
  encodeCauses,
  hasScores,
  makeGossipsubOptions,
  SCORE_PARAMS,
  SCORE_THRESHOLDS,
  ScoreSampler,
  scoreBucketMiddle,
  scoreBucketOf
} from '../../src/network/gossipsub.js'
import { PeerNumbers } from '../../src/network/node-host.js'
import { sum } from '../acceptance/consistent.js'
import { simulate, simulatedPlan } from '../simulator/simulation.js'
import { gossipPlan } from './gossip-plan.js'
import { full, line, startNetwork } from './network.js'

/** What the package exports to nobody. */
const { defaultDecodeRpcLimits } = await import(
  new URL('message/decodeRpc.js', import.meta.resolve('@libp2p/gossipsub')).href
)

const AS_IT_COMES = { scoreParams: { IPColocationFactorWeight: 0 }, globalSignaturePolicy: 'StrictSign' }

describe('the options of gossipsub', () => {
  it('have the places that the library gives them', () => {
    assert.deepEqual([...SCORE_PARAMS].sort(), Object.keys(defaultPeerScoreParams).sort())
    assert.deepEqual([...SCORE_THRESHOLDS].sort(), Object.keys(defaultPeerScoreThresholds).sort())
    assert.deepEqual(DECODE_LIMITS, defaultDecodeRpcLimits)
  })

  it('say whether a plan sets anything by which peers are scored', () => {
    assert.equal(hasScores(gossipPlan({ gossipsub: { D: 8 }, preset: 'study-2019' })), false)
    assert.equal(hasScores(gossipPlan({ topicScoreParams: {} })), false)
    assert.equal(hasScores(gossipPlan({ topicScoreParams: { load: { topicWeight: 2 } } })), true)
    assert.equal(hasScores(gossipPlan({ gossipsub: { gossipThreshold: -5 } })), true)
    assert.equal(hasScores(gossipPlan({ gossipsub: { behaviourPenaltyWeight: -1 } })), true)
  })

  /** @type {[string, Parameters<typeof gossipPlan>[0], object][]} */
  const cases = [
    ["are the library's but for what one host needs", { gossipsub: {} }, AS_IT_COMES],
    [
      'hold what the plan asks for, where the library looks for it',
      { gossipsub: { D: 8, floodPublish: false, behaviourPenaltyWeight: -1, gossipThreshold: -5 } },
      {
        ...AS_IT_COMES,
        D: 8,
        floodPublish: false,
        scoreParams: { IPColocationFactorWeight: 0, behaviourPenaltyWeight: -1 },
        scoreThresholds: { gossipThreshold: -5 }
      }
    ],
    [
      'hold limits of decoding together with those that are not given, and addresses as a set',
      { gossipsub: { maxMessages: 9, IPColocationFactorWhitelist: ['10.0.0.1'] } },
      {
        ...AS_IT_COMES,
        scoreParams: { IPColocationFactorWeight: 0, IPColocationFactorWhitelist: new Set(['10.0.0.1']) },
        decodeRpcLimits: { ...defaultDecodeRpcLimits, maxMessages: 9 }
      }
    ],
    [
      'without signing',
      { gossipsub: {}, signing: false },
      { ...AS_IT_COMES, globalSignaturePolicy: 'StrictNoSign' }
    ],
    [
      'with scores of topics',
      { gossipsub: {}, topicScoreParams: { load: { topicWeight: 2 } } },
      { ...AS_IT_COMES, scoreParams: { IPColocationFactorWeight: 0, topics: { load: { topicWeight: 2 } } } }
    ],
    [
      'of the study give scores no weight',
      { gossipsub: { floodPublish: false }, preset: 'study-2019' },
      {
        ...AS_IT_COMES,
        floodPublish: false,
        scoreParams: { IPColocationFactorWeight: 0, appSpecificWeight: 0, behaviourPenaltyWeight: 0 }
      }
    ]
  ]
  for (const [name, changes, expected] of cases) {
    it(name, () => assert.deepEqual(makeGossipsubOptions(gossipPlan(changes)), expected))
  }

  it('have a fast message id that tells messages apart by their first bytes', () => {
    const { fastMsgIdFn } = makeGossipsubOptions(gossipPlan({ fastMsgId: true }))
    const id = (/** @type {number[]} */ ...bytes) =>
      fastMsgIdFn?.({ topic: 'load', data: Uint8Array.from(bytes) })
    assert.equal(id(1, 2, 3, 4, 5, 6, 7, 8, 9), id(1, 2, 3, 4, 5, 6, 7, 8, 10))
    assert.notEqual(id(1, 2, 3, 4, 5, 6, 7, 8), id(1, 2, 3, 4, 5, 6, 7, 9))
    assert.equal(id(), '')
  })
})

/** @typedef {ReturnType<typeof decodeCauses>} CausesResult */

const bytes = (/** @type {number} */ length) => new Uint8Array(length).fill(7)
const ids = (/** @type {number[]} */ ...lengths) => lengths.map(bytes)

const MESSAGE = { from: bytes(38), data: bytes(1000), seqno: bytes(8), topic: 'load', signature: bytes(64) }
const EMPTY = { ihave: [], iwant: [], graft: [], prune: [], idontwant: [] }
const CONTROL = {
  ihave: [
    { topicID: 'load', messageIDs: ids(44, 44) },
    { topicID: 'τόπος', messageIDs: ids(300) }
  ],
  iwant: [{ messageIDs: ids(1, 127, 128) }],
  graft: [{ topicID: 'load' }],
  prune: [
    { topicID: 'load', peers: [{ peerID: bytes(38), signedPeerRecord: bytes(200) }, {}], backoff: 60 },
    { topicID: 'x', peers: [], backoff: 16_384 }
  ],
  idontwant: [{ messageIDs: ids(20_000) }]
}

/** @param {any} rpc */
const encodedBytes = rpc => RPC.encode({ subscriptions: [], messages: [], ...rpc }).length

describe('the bytes of the parts of an RPC', () => {
  const subscriptions = [{ subscribe: true, topic: 'load' }, { subscribe: false }]
  const messages = [MESSAGE, { topic: 'x', data: bytes(0) }, { topic: '' }]

  test('are those that the library encodes', () => {
    // each part once more: the second one has no share in the fields around it
    const alone = (/** @type {any} */ rpc, /** @type {any} */ twice) =>
      encodedBytes(twice) - encodedBytes(rpc)
    for (const message of messages)
      assert.equal(
        splitRpc({ messages: [MESSAGE, message] }, 0, 'forward')[1].bytes,
        alone({ messages: [MESSAGE] }, { messages: [MESSAGE, message] })
      )
    for (const each of subscriptions)
      assert.equal(
        splitRpc({ messages: [MESSAGE], subscriptions: [each] }, 0, 'forward')[1].bytes,
        alone({ messages: [MESSAGE] }, { messages: [MESSAGE], subscriptions: [each] })
      )
    const first = { topicID: 'load', messageIDs: ids(20_000) }
    for (const [kind, entries] of Object.entries(CONTROL))
      for (const entry of entries) {
        const before = { ...EMPTY, ihave: [first] }
        const after = { ...before, [kind]: kind === 'ihave' ? [first, entry] : [entry] }
        assert.equal(
          splitRpc({ control: after }, 0, 'forward')[1].bytes,
          alone({ control: before }, { control: after }),
          kind
        )
      }
  })

  test('sum up to the RPC, and the field around control messages is of the first of them', () => {
    const rpc = { subscriptions, messages, control: CONTROL }
    const all = encodedBytes(rpc)
    const parts = splitRpc(rpc, all, 'iwantAnswer')
    assert.equal(sum(parts.map(part => part.bytes)), all)
    const [{ cause, topic, bytes: ofFirst }] = parts
    const own = encodedBytes({ control: { ...EMPTY, ihave: [CONTROL.ihave[0]] } })
    // the length of control messages that long takes three bytes, not one
    assert.deepEqual([cause, topic, ofFirst], ['ihave', 'load', own + 2])
    assert.deepEqual(
      parts.map(part => part.cause),
      [
        ...['ihave', 'ihave', 'iwant', 'graft', 'prune', 'prune', 'idontwant'],
        ...['iwantAnswer', 'iwantAnswer', 'iwantAnswer', 'subscriptions', 'subscriptions']
      ]
    )
  })

  test('of an answer with an empty control message are all of the answer; of nothing, of nothing else', () => {
    const rpc = { messages: [MESSAGE], control: EMPTY }
    const all = encodedBytes(rpc)
    assert.deepEqual(splitRpc(rpc, all, 'iwantAnswer'), [{ cause: 'iwantAnswer', topic: 'load', bytes: all }])
    assert.deepEqual(splitRpc({ control: EMPTY }, 2, 'forward'), [
      { cause: 'other', topic: undefined, bytes: 2 }
    ])
  })
})

test('what hosts told can be added up, and what is not known stays so', () => {
  const rows = 3 * BYTE_CAUSES.length
  const told = encodeCauses({
    duplicates: Float64Array.of(1, 2, Number.NaN, 4),
    meshChanges: Array.from({ length: 12 }, (_, i) => i),
    bytes: Float64Array.from({ length: rows }, (_, i) => i)
  })
  const { bytesByCause, duplicatesByCause, meshChanges } = decodeCauses(told.map(count => 2 * count))
  assert.deepEqual(duplicatesByCause, { iwantAnswer: 2, mesh: 4, other: 8, floodPublish: null })
  assert.deepEqual([meshChanges.grafts.random, meshChanges.prunes.disconnected], [2, 14])
  const found = bytesByCause.topics.flatMap(({ topic, publish, other }) => [topic, publish, other])
  assert.deepEqual(found, [0, 0, 18, 1, 20, 38, null, 40, 58])
  assert.deepEqual([bytesByCause.all.forward, bytesByCause.topics[0].iwant], [2 + 22 + 42, null])
})

/** @param {import('../../src/network/node-host.js').HostInterval[]} hosts - as each told last @returns {CausesResult} */
function causesOf(hosts) {
  const [first, ...others] = hosts.map(({ causes }) => /** @type {Float64Array} */ (causes))
  return decodeCauses(others.reduce((all, told) => all.map((count, i) => count + told[i]), first))
}

/** Sums are those of the library. @param {CausesResult} causes @param {import('../../src/network/node-host.js').Counters} counters */
function assertSums({ bytesByCause, duplicatesByCause, meshChanges }, counters) {
  assert.equal(sum(Object.values(bytesByCause.all)), counters.bytesSent)
  const { topics } = bytesByCause
  if (topics.length > 0)
    assert.equal(
      sum(topics.flatMap(({ topic: _, ...row }) => Object.values(row).map(Number))),
      counters.bytesSent
    )
  assert.equal(sum(Object.values(duplicatesByCause).map(Number)), counters.duplicates)
  assert.equal(bytesByCause.all.other, 0)
  for (const { unknown } of Object.values(meshChanges)) assert.equal(unknown, 0)
}

/** Of a signed message: the key of its author, and its number. @param {any} message */
const idOf = ({ from, seqno }) => {
  const { publicKey } = /** @type {any} */ (peerIdFromMultihash(digest.decode(from)))
  return Buffer.concat([publicKeyToProtobuf(publicKey), seqno]).toString('hex')
}

/** Nobody is in a mesh: beyond the publisher's neighbours messages are only passed on where they are asked for. */
const NO_MESH = { D: 0, Dlo: 0, Dhi: 0, Dout: 0, Dscore: 0, floodPublish: false }

describe('what nodes send is counted by cause', () => {
  test('in a simulated line without meshes all but the first hop are answers to IWANT', async () => {
    const [nodes, messages] = [6, 12]
    const plan = simulatedPlan({
      ...{ nodes, topology: 'line', linkLatency: '10ms', signing: false },
      ...{ D: 0, D_low: 0, D_high: 0, D_out: 0, D_score: 0, flood_publish: false }
    })
    const { intervals, counters, received } = await simulate(
      plan,
      // several messages in one heartbeat are answered in one RPC
      Array.from({ length: messages }, (_, i) => ({ node: 0, offsetNs: i * 50e6 }))
    )
    assert.equal(received.length, messages * (nodes - 1))
    const causes = causesOf([intervals[intervals.length - 1]])
    assertSums(causes, counters)
    const { all } = causes.bytesByCause
    const copy = encodedBytes({ messages: [{ data: bytes(1000), topic: plan.topics[0].name }] })
    assert.equal(all.publish, messages * copy)
    assert.equal(all.forward, 0)
    const answered = all.iwantAnswer - messages * (nodes - 2) * copy
    // an answer has two bytes of an empty control message; some hold several messages
    assert.ok(answered > 0 && answered < 2 * messages * (nodes - 2), `${answered} more bytes`)
    assert.ok(answered % 2 === 0 && all.ihave > 0 && all.iwant > 0)
  })

  test('answers on real TCP are the copies that their receivers had asked for', async t => {
    const plan = gossipPlan({
      nodes: 8,
      topics: [
        { name: 'load', chance: 1 },
        { name: 'other', chance: 1 }
      ],
      gossipsub: {
        ...NO_MESH,
        D: 1,
        Dlo: 1,
        Dhi: 1,
        heartbeatInterval: 100,
        gossipFactor: 1,
        mcacheGossip: 5
      }
    })
    const net = await startNetwork(plan, { dials: full(plan.nodes) })
    t.after(() => net.stop())
    /** Copies asked for, by who asks whom. @type {Set<string>} */
    const asked = new Set()
    let [answers, emptyControl] = [0, 0]
    const before = causesOf(await Promise.all(net.hosts.map(host => host.snapshot())))
    const host = /** @type {any} */ (net.hosts[0])
    for (let node = 0; node < plan.nodes; node++) {
      const { peerId, services } = host.nodeOf(node)
      const gossipsub = services.gossipsub
      const receive = gossipsub.handleReceivedRpc.bind(gossipsub)
      gossipsub.handleReceivedRpc = async (/** @type {any} */ from, /** @type {any} */ rpc) => {
        for (const { messageIDs } of rpc.control?.iwant ?? [])
          for (const id of messageIDs)
            asked.add(`${from} asks ${peerId} for ${Buffer.from(id).toString('hex')}`)
        let isAnswer = false
        for (const message of rpc.messages) {
          if (!asked.has(`${peerId} asks ${from} for ${idOf(message)}`)) continue
          isAnswer = true
          answers += encodedBytes({ messages: [message] })
        }
        if (isAnswer) emptyControl += 2
        return receive(from, rpc)
      }
    }
    await net.publish(
      Array.from({ length: 40 }, (_, i) => ({ node: i % plan.nodes, topic: i % 2, atMs: i * 30 }))
    )
    await net.drain(1000)
    const counters = await net.settled()
    const causes = causesOf(net.intervals.slice(-net.hosts.length))
    assertSums(causes, counters)
    const sent = causes.bytesByCause.all.iwantAnswer - before.bytesByCause.all.iwantAnswer
    assert.ok(answers > 0)
    assert.equal(sent, answers + emptyControl)
    // both topics have messages, and what names none stands apart
    const [load, other, none] = causes.bytesByCause.topics
    assert.ok(load.publish > 0 && other.publish > 0 && none.publish === 0)
    assert.deepEqual([load.iwant, other.idontwant], [null, null])
    assert.ok(Number(none.iwant) > 0 && load.ihave > 0 && other.subscriptions > 0)
  })

  test('a copy of flood publishing that comes after one of the mesh is a duplicate of its own kind', async () => {
    // over so different links the way through a mesh is often the shorter one
    const plan = simulatedPlan({
      ...{ nodes: 12, topology: 'full', linkLatency: 'uniform:5ms-300ms' },
      ...{ D: 3, D_low: 2, D_high: 4, D_out: 0, D_score: 0, flood_publish: true }
    })
    const { intervals, counters } = await simulate(
      plan,
      Array.from({ length: 24 }, (_, i) => ({ node: i % 12, offsetNs: i * 500e6 }))
    )
    const causes = causesOf([intervals[intervals.length - 1]])
    assertSums(causes, counters)
    assert.ok(causes.duplicatesByCause.mesh > 0)
    assert.ok(Number(causes.duplicatesByCause.floodPublish) > 0, JSON.stringify(causes.duplicatesByCause))
  })

  for (const stack of ['libp2p-3', 'libp2p-2'])
    test(`and duplicates add up on real TCP, of ${stack}`, async t => {
      const plan = gossipPlan({
        ...{ nodes: 7, stack: [stack] },
        gossipsub: { heartbeatInterval: 200, D: 3, Dlo: 2, Dhi: 4, Dout: 0, Dscore: 0 }
      })
      const net = await startNetwork(plan, { dials: full(plan.nodes) })
      t.after(() => net.stop())
      await net.meshed()
      await net.publish(Array.from({ length: 20 }, (_, i) => ({ node: i % plan.nodes, atMs: i * 10 })))
      await net.arrived(20 * (plan.nodes - 1))
      const counters = await net.settled()
      const causes = causesOf(net.intervals.slice(-1))
      assertSums(causes, counters)
      assert.ok(causes.duplicatesByCause.mesh > 0)
      const { subscribed, notEnough, random } = causes.meshChanges.grafts
      assert.ok(subscribed + notEnough + random > 0)
    })

  test('nothing is said of floodsub', async t => {
    const plan = gossipPlan({ nodes: 2, pubsub: 'floodsub', gossipsub: {} })
    const net = await startNetwork(plan, { dials: line(2) })
    t.after(() => net.stop())
    const [{ causes, scores }] = await Promise.all(net.hosts.map(host => host.snapshot()))
    assert.deepEqual([causes, scores], [undefined, undefined])
  })
})

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
  const score = new PeerScore(params, null, makeSilentLogger(), { scoreCacheValidityMs: 1000 })
  for (const peer of Object.keys(scores)) score.addPeer(peer)
  const opts = { scoreThresholds: createPeerScoreThresholds({ gossipThreshold: -10, publishThreshold: -50 }) }
  return /** @type {any} */ (Object.assign(new EventTarget(), { score, opts }))
}

describe('the scores that nodes give their peers', () => {
  let nowNs = 0
  const peers = new PeerNumbers()
  peers.add(['a', 'b', 'c', 'd'].map((peerId, node) => ({ peerId, node })))
  const watch = new ScoreSampler({ now: () => nowNs, peers, heartbeatMs: 300 })
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
    const other = new ScoreSampler({ now: () => 0, peers, heartbeatMs: 1000 })
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
