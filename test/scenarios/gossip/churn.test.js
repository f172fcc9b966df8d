import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeLives } from '../../../src/load/churn.js'
import { MAX_LISTED_LIVES } from '../../../src/measure/lives.js'
import { MAX_SERIES_STEPS } from '../../../src/measure/series.js'
import {
  ChurnMeasurement,
  EphemeralLives,
  listAbsences,
  PeerSeries,
  PresenceSchedule,
  ReceiptsBySlot
} from '../../../src/scenarios/gossip/churn.js'
import { DeliveryTracker } from '../../../src/scenarios/gossip/measure/delivery-tracker.js'
import { validPlanOf } from '../../scenarios.js'
import { NOTHING, publishedRows, receivedRows } from './measure/rows.js'

const SECOND = 1e9

const PLAN = validPlanOf('gossip', {
  ...{ nodes: 3, topology: 'full', duration: '19s', churn: '1,every=10s,away=2s,settle=5s,dials=1' }
})

/** Nodes 0 and 1 stay; 2 is killed at 10 s, and 3 takes its place at 12 s. */
const LIVES = makeLives(PLAN)
const presenceAt = (startUs = 0) => new PresenceSchedule(listAbsences(PLAN), { startUs, settleMs: 5000 })

/** @type {[node: number, publishedMs: number, kind: string][]} */
const KINDS = [
  [0, 0, 'settled'],
  [1, 10_500, 'settled'],
  [2, 0, 'settled'],
  [2, 8999, 'settled'],
  [2, 9000, 'leaving'],
  [2, 9999, 'leaving'],
  [2, 10_000, 'away'],
  [3, 11_999, 'earlier'],
  [3, 12_000, 'joining'],
  [3, 16_999, 'joining'],
  [3, 17_000, 'settled'],
  [3, 90_000, 'settled']
]

test('nodes that return as themselves have absences by the schedule, and settle after each', () => {
  const [leavesNs, returnsNs] = [10 * SECOND, 20 * SECOND]
  const absences = [
    [],
    [
      { leavesNs, returnsNs },
      { leavesNs: 23 * SECOND, returnsNs: 30 * SECOND }
    ]
  ]
  const presence = new PresenceSchedule(absences, { startUs: 7e6 })
  const kinds = /** @type {[number, number, string][]} */ ([
    [0, 15, 'settled'],
    [1, -1, 'settled'],
    [1, 8.999, 'settled'],
    [1, 9, 'leaving'],
    [1, 9.999, 'leaving'],
    [1, 10, 'away'],
    [1, 19.999, 'away'],
    [1, 20, 'joining'],
    // it has not settled when it leaves again
    [1, 22.5, 'joining'],
    [1, 23, 'away'],
    [1, 30, 'joining'],
    [1, 35, 'settled'],
    [2, 15, 'settled']
  ])
  for (const [node, seconds, kind] of kinds)
    assert.equal(presence.of(node, 7e6 + seconds * 1e6), kind, `${node} at ${seconds} s`)
})

describe('whether a node is there when a message is published', () => {
  for (const [node, ms, kind] of KINDS)
    test(`node ${node} at ${ms} ms: ${kind}`, () => {
      assert.equal(presenceAt().of(node, ms * 1000), kind)
      assert.equal(presenceAt(7e6).of(node, 7e6 + ms * 1000), kind)
    })
})

/** @param {number | null} planned */
const measurement = planned =>
  new ChurnMeasurement(PLAN, { subscriptions: [[0], [0], [0], [0]], stretch: { startNs: 0, planned } })

/** @param {ChurnMeasurement} measured @param {any} published @param {any} received */
const taken = (measured, published, received) =>
  measured.take(/** @type {any} */ ({ atNs: 19 * SECOND, published }), received)

/** @param {{ message: number, atMs: number }[]} published @param {Parameters<typeof receivedRows>[0]} received */
function observed(published, received) {
  const observations = measurement(100)
  const rows = taken(
    observations,
    publishedRows(published.map(row => ({ ...row, node: 0 }))),
    receivedRows(received)
  )
  return { observations, rows, pairs: [...rows.message].map((message, i) => [message, rows.node[i]]) }
}

describe('receipts in a network whose nodes are replaced', () => {
  test('of what a node published itself before it left are none: it is offered that when it is back', () => {
    const observations = measurement(100)
    const published = publishedRows([{ message: 1, node: 2, atMs: 5000 }])
    const received = [
      { message: 1, node: 1, from: 2, atMs: 5010 },
      { message: 1, node: 2, from: 1, atMs: 6000 }
    ]
    const rows = taken(observations, published, receivedRows(received))
    assert.deepEqual([[...rows.node], observations.result().again], [[1], 1])
  })

  test('keep what they waited, so that their times have a client overhead, too', () => {
    const { rows } = observed(
      [{ message: 1, atMs: 5000 }],
      [
        { message: 1, node: 2, from: 0, atMs: 5010, waitedMs: 2 },
        { message: 1, node: 1, from: 0, atMs: 5020, waitedMs: 3 }
      ]
    )
    assert.deepEqual([...(rows.waitedUs ?? [])], [2000, 3000])
  })

  test('are expected deliveries of nodes that have settled; others count apart', () => {
    const { pairs, observations } = observed(
      [
        { message: 1, atMs: 5000 },
        { message: 2, atMs: 9500 },
        { message: 3, atMs: 11_000 },
        { message: 4, atMs: 13_000 },
        { message: 5, atMs: 20_000 }
      ],
      [
        { message: 1, node: 1, from: 0, atMs: 5010 },
        { message: 1, node: 2, from: 0, atMs: 5010 },
        { message: 2, node: 2, from: 0, atMs: 9510 },
        { message: 3, node: 3, from: 0, atMs: 12_500 },
        { message: 4, node: 3, from: 0, atMs: 13_400 },
        { message: 5, node: 3, from: 0, atMs: 20_010 }
      ]
    )
    assert.deepEqual(pairs, [
      [1, 1],
      [1, 2],
      [5, 3]
    ])
    assert.deepEqual(observations.result().apart, {
      ...{ joining: { expected: 1, delivered: 1 }, leaving: { expected: 1, delivered: 1 } },
      ...{ earlier: { delivered: 1 }, away: { delivered: 0 } }
    })
    assert.equal(observations.result().receipts, 6)
  })

  test('are duplicates where the place had the message, and are left out of times without duplicates', () => {
    const { pairs, observations } = observed(
      [{ message: 1, atMs: 8000 }],
      [
        { message: 1, node: 2, from: 0, atMs: 8010 },
        { message: 1, node: 2, from: 1, atMs: 8020 },
        { message: 1, node: 3, from: 0, atMs: 12_800 },
        { message: 1, node: 1, from: 0, atMs: 8030 }
      ]
    )
    assert.deepEqual(pairs, [
      [1, 2],
      [1, 1]
    ])
    const { latency, receipts, afterRestart, again, tooLongAgo } = observations.result()
    assert.deepEqual([receipts, afterRestart, again, tooLongAgo], [4, 1, 1, 0])
    assert.deepEqual([latency?.withDuplicates.count, latency?.withoutDuplicates.count], [4, 2])
    assert.deepEqual([latency?.withDuplicates.max?.ms, latency?.withoutDuplicates.max?.ms], [4800, 30])
  })

  test('wait for their publication where another worker tells it later', () => {
    const { observations, rows } = observed([], [{ message: 7, node: 1, from: 0, atMs: 3010 }])
    assert.equal(rows.message.length, 0)
    const later = taken(observations, publishedRows([{ message: 7, node: 0, atMs: 3000 }]), receivedRows([]))
    assert.deepEqual([[...later.message], [...later.node]], [[7], [1]])
  })
})

describe('messages of nodes that publish in their own time', () => {
  const [nodes, lead] = [95, 400]

  test('are known whatever their numbers: one node may be far ahead of the others', () => {
    const seen = new ReceiptsBySlot(nodes, null)
    seen.publish(lead * nodes, 1000, 0)
    for (let message = 1; message < 10 * nodes; message++) seen.publish(message, 2000 + message, 0)
    assert.deepEqual([seen.publishedUs(lead * nodes), seen.publishedUs(1)], [1000, 2001])
    assert.equal(seen.publishedUs(10 * nodes - 1), 2000 + 10 * nodes - 1)
    assert.equal(seen.publishedUs(0), undefined)
  })

  test('are delivered where a slower one comes after a faster one', () => {
    const observations = measurement(null)
    const numbers = [3 * 1024, 1024, 0]
    const { message } = taken(
      observations,
      publishedRows(numbers.map(message => ({ message, node: 0, atMs: 3000 }))),
      receivedRows(numbers.map(message => ({ message, node: 1, from: 0, atMs: 3010 })))
    )
    assert.deepEqual([[...message], observations.result().tooLongAgo], [numbers, 0])
  })
})

test('what was received of a message whose publication failed is waited for no longer', () => {
  const { observations } = observed([], [{ message: 7, node: 1, from: 0, atMs: 3010 }])
  const failed = publishedRows([{ message: 7, node: 0, atMs: 3000, recipients: -2 }])
  assert.equal(taken(observations, failed, receivedRows([])).message.length, 0)
})

test('who has which message is forgotten of messages too long ago, and takes no more than 64 MiB', () => {
  const seen = new ReceiptsBySlot(10_000, 1_000_000)
  const last = 4000
  for (let message = 0; message <= last; message++) seen.publish(message, message, 0)
  assert.equal(seen.publishedUs(last), last)
  assert.deepEqual([seen.publishedUs(last + 1), seen.publishedUs(0)], [undefined, null])
  assert.deepEqual([seen.receive(last, 5, 11), seen.receive(last, 5, 12)], [null, 11])
  assert.equal(seen.receive(last, 6, 12), null)
})

test('a tracker expects messages only of those that are there when they are published', () => {
  const presence = presenceAt()
  const tracker = new DeliveryTracker({
    ...{ nodes: 4, subscriptions: [[0], [0], [0], [0]], startNs: 0 },
    isThere: (node, us) => presence.of(node, us) === 'settled'
  })
  tracker.addPublished(
    publishedRows([
      { message: 0, node: 0, atMs: 1000 },
      { message: 1, node: 0, atMs: 11_000 },
      { message: 2, node: 0, atMs: 20_000 }
    ])
  )
  tracker.addReceived(
    receivedRows([
      { message: 0, node: 1, from: 0, atMs: 1010 },
      { message: 0, node: 2, from: 0, atMs: 1010 },
      { message: 1, node: 1, from: 0, atMs: 11_010 },
      { message: 2, node: 1, from: 0, atMs: 20_010 }
    ])
  )
  tracker.close(NOTHING, 30 * SECOND)
  const { delivery, missing, nodes } = tracker.result()
  assert.deepEqual([delivery.expected, delivery.delivered, delivery.completeMessages], [5, 4, 2])
  const actual = nodes.map(({ expected }) => expected)
  assert.deepEqual(actual, [0, 3, 1, 1])
  assert.deepEqual(
    missing.listed.map(({ message, node }) => [message, node]),
    [[2, 3]]
  )
})

describe('peers over time', () => {
  const series = () =>
    new PeerSeries({ startNs: 0, stable: 2, slots: 3, slotOf: node => (node < 2 ? node : 2) })

  test('are those of each place, and of a place without a node none', () => {
    const peers = series()
    peers.add(0.5 * SECOND, [
      { node: 0, peers: 2 },
      { node: 1, peers: 4 }
    ])
    peers.add(0.6 * SECOND, [{ node: 2, peers: 2 }])
    peers.add(1.5 * SECOND, [{ node: 0, peers: 1 }])
    peers.add(2.5 * SECOND, [{ node: 3, peers: 1 }])
    assert.deepEqual(peers.result(), [
      {
        atMs: 0,
        stable: { nodes: 2, min: 2, avg: 3, max: 4 },
        ephemeral: { nodes: 1, min: 2, avg: 2, max: 2 }
      },
      { atMs: 1000, stable: { nodes: 1, min: 1, avg: 1, max: 1 }, ephemeral: null },
      { atMs: 2000, stable: null, ephemeral: { nodes: 1, min: 1, avg: 1, max: 1 } }
    ])
  })

  test('stay bounded in a long run: steps become longer, and keep what was told last', () => {
    const peers = series()
    for (let second = 0; second < 10_000; second++)
      peers.add(second * SECOND, [{ node: 0, peers: second % 100 }])
    const points = peers.result()
    assert.ok(points.length <= MAX_SERIES_STEPS)
    assert.equal(points[0].atMs, 0)
    const step = points[1].atMs / 1000
    assert.equal(points[1].stable?.max, (2 * step - 1) % 100)
  })
})

describe('lives of nodes', () => {
  test('tell when a node was started, connected, received its first message and was killed', () => {
    const times = new EphemeralLives(LIVES, SECOND)
    times.change([
      { node: 2, killedNs: 11.2 * SECOND },
      { node: 3, startedNs: 13 * SECOND },
      { node: 3, dialsFailed: 0, connectedNs: 13.5 * SECOND }
    ])
    times.receive(receivedRows([{ message: 9, node: 3, from: 0, atMs: 14_000 }]))
    times.receive(receivedRows([{ message: 8, node: 3, from: 0, atMs: 13_800 }]))
    const { lives, connect, firstDelivery } = times.result(20 * SECOND)
    assert.deepEqual([lives.started, lives.killed, lives.failed, lives.latestMs], [1, 1, 0, 200])
    assert.deepEqual(lives.listed[1], {
      ...{ node: 3, slot: 2, startDueMs: 12_000, startedMs: 12_000, connectedMs: 12_500 },
      ...{ firstDeliveryMs: 12_800, killDueMs: null, killedMs: null, dialsFailed: 0, error: null }
    })
    assert.deepEqual([connect.max?.ms, firstDelivery.max?.ms], [500, 800])
  })

  test('count a node that reached nobody as failed, and list the first 1,000', () => {
    const lives = makeLives({
      ...{ seed: 1, nodes: 4, durationMs: 1_500_000, messages: null, ratePerSecond: null },
      churn: { peers: 2, everyMs: 1000, atRandom: false, awayMs: 500, asNew: true, dials: 1 }
    })
    const times = new EphemeralLives(lives, 0)
    times.change([
      { node: 4, startedNs: 1.5 * SECOND },
      { node: 4, dialsFailed: 1, error: 'ECONNREFUSED' }
    ])
    const { lives: result, connect, firstDelivery } = times.result(4 * SECOND)
    assert.deepEqual([result.started, result.failed], [1, 1])
    assert.equal(result.listed.length, MAX_LISTED_LIVES)
    assert.equal(result.listedAll, false)
    // until it was to be killed: nobody tells that of one that may not be up
    for (const { count, never, max } of [connect, firstDelivery])
      assert.deepEqual([count, never, max?.ms, max?.censored], [1, 1, 1500, true])
  })
})
