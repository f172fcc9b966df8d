import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RegistrationChurnMeasurement } from '../../../../src/scenarios/rendezvous/measure/churn.js'
import { convertToOurClock } from '../../../../src/scenarios/rendezvous/worker-pool.js'

/**
 * @typedef {import('../../../../src/scenarios/rendezvous/measure/churn.js').ChurnEvent} ChurnEvent
 * @typedef {import('../../../../src/load/churn.js').LifeChange} LifeChange
 */

const MS = 1e6
const TTL = 4

/** Two stable clients, 0 and 1, and one ephemeral, 2; it is killed after 3 s, and client 3 takes its place after 4 s. */
const PLAN = { seed: 1, nClients: 3, nNamespaces: 1, workers: 2, durationMs: 6000 }
const CHURN = { peers: 1, everyMs: 3000, atRandom: false, awayMs: 1000, asNew: true }

/** @param {{ plan?: Record<string, unknown> }} [more] */
const measurement = ({ plan = {} } = {}) =>
  new RegistrationChurnMeasurement(/** @type {any} */ ({ ...PLAN, churn: CHURN, ...plan }), 0)

/** @param {number} node @param {number} ms @param {{ certain?: boolean, ns?: number }} [how] @returns {ChurnEvent} */
const registered = (node, ms, { certain = true, ns = 0 } = {}) => ({
  kind: 'registered',
  atNs: ms * MS,
  node,
  ns,
  ttlSeconds: TTL,
  certain
})

/**
 * @param {number} node
 * @param {number} ms
 * @param {number[]} peers
 * @param {{ sentMs?: number, ns?: number, unknown?: number }} [how]
 * @returns {ChurnEvent}
 */
const reply = (node, ms, peers, { sentMs = ms - 1, ns = 0, unknown = 0 } = {}) => ({
  ...{ kind: 'reply', atNs: ms * MS, sentNs: sentMs * MS, node, ns, peers: Uint32Array.from(peers) },
  unknown
})

const BEGINNING = [registered(0, -3), registered(1, -2), registered(2, -1)]

/** @param {number} node @param {number} ms @returns {LifeChange} */
const killed = (node, ms) => ({ node, killedNs: ms * MS })

/** @param {number} node @param {number} ms @returns {LifeChange} */
const started = (node, ms) => ({ node, startedNs: ms * MS })

/**
 * What one process tells of everything.
 *
 * @param {ChurnEvent[]} events
 * @param {LifeChange[]} changes
 * @param {number} [endMs]
 */
function measured(events, changes, endMs = 10_000) {
  const all = measurement({ plan: { workers: 1 } })
  all.take({ events: [...BEGINNING, ...events], changes, cutOff: 0, untilNs: endMs * MS }, 0)
  all.end(endMs * MS)
  return all.result(null)
}

describe('stale records', () => {
  test('are those of peers that had been killed when the reply came, and each duplicate counts once with and never without', () => {
    const { discovered } = measured(
      [
        reply(0, 1000, [0, 1, 2]),
        // under way when it is killed
        reply(1, 3001, [0, 1, 2], { sentMs: 2999 }),
        reply(0, 4000, [0, 1, 2])
      ],
      [killed(2, 3000)]
    )
    assert.deepEqual([discovered.replies, discovered.withDuplicates], [3, { records: 6, stale: 2 }])
    // peer 0 knew both before; peer 1 was told of 2 when it was dead
    assert.deepEqual(discovered.withoutDuplicates, { records: 4, stale: 1 })
    assert.deepEqual(discovered.duplicates, { inOneReply: 0, again: 2, renewed: 0 })
    assert.deepEqual([discovered.own, discovered.unknown], [3, 0])
  })

  test('are not mixed up with a record that comes twice, is renewed, or is of nobody in the run', () => {
    const { discovered } = measured(
      [
        reply(0, 1000, [1, 1, 2], { unknown: 4 }),
        registered(1, 1500),
        reply(0, 2000, [1, 2]),
        reply(0, 3000, [1])
      ],
      []
    )
    assert.deepEqual(discovered.duplicates, { inOneReply: 1, again: 2, renewed: 1 })
    assert.deepEqual(discovered.withoutDuplicates, { records: 2, stale: 0 })
    assert.deepEqual([discovered.withDuplicates.records, discovered.unknown], [6, 4])
  })

  test('a registration is one of a peer in a namespace', () => {
    const all = measurement({ plan: { workers: 1, nNamespaces: 2 } })
    const events = [reply(0, 1000, [1], { ns: 0 }), reply(0, 1100, [1], { ns: 1 })]
    all.take({ events, changes: [], cutOff: 0, untilNs: 2000 * MS }, 0)
    assert.deepEqual(all.result(null).discovered.withoutDuplicates, { records: 2, stale: 0 })
  })
})

describe('what killed peers leave', () => {
  test('is seen until it expires: from the last reply to REGISTER', () => {
    const { left } = measured(
      [registered(2, 2000), reply(0, 5900, [1, 2]), reply(0, 6100, [1])],
      [killed(2, 3000)]
    )
    assert.deepEqual([left.registrations, left.expired, left.unsure, left.unseen], [1, 1, 0, 0])
    assert.deepEqual(left.expiryLag, { count: 1, min: -100, avg: -100, median: -100, max: -100 })
    assert.deepEqual([left.lastSeenAfterKill.max?.ms, left.overdue], [2900, 0])
  })

  test('is overdue only when it was asked for after its time', () => {
    const late = [reply(0, 6001, [2], { sentMs: 5999 })]
    const underWay = measured([registered(2, 2000), ...late], [killed(2, 3000)]).left
    assert.deepEqual([underWay.expiryLag?.max, underWay.overdue], [1, 0])
    const after = [...late, reply(1, 6011, [2], { sentMs: 6010 })]
    const overdue = measured([registered(2, 2000), ...after], [killed(2, 3000)]).left
    assert.deepEqual([overdue.expiryLag?.max, overdue.overdue], [11, 1])
  })

  test('does not count as expired when the run ended before, nor as seen when nobody was given it', () => {
    const early = measured([reply(0, 3500, [2])], [killed(2, 3000)], 3900).left
    assert.deepEqual([early.registrations, early.expired, early.expiryLag], [1, 0, null])
    const unseen = measured([], [killed(2, 3000)]).left
    assert.deepEqual([unseen.expired, unseen.unseen, unseen.expiryLag], [1, 1, null])
  })

  test('is unsure when the kill cut off a REGISTER, even the first one', () => {
    const renewed = measured(
      [registered(2, 3000, { certain: false }), reply(0, 6500, [2])],
      [killed(2, 3000)]
    )
    assert.deepEqual([renewed.left.unsure, renewed.left.expiryLag, renewed.left.overdue], [1, null, 0])
    // the reply that never came is only noticed a little after the kill
    const first = measured([registered(3, 5001, { certain: false })], [killed(3, 5000)])
    assert.deepEqual([first.left.registrations, first.left.unsure, first.visible.registrations], [1, 1, 0])
  })

  test('is nothing where the registration had expired before', () =>
    assert.equal(measured([], [killed(2, 5000)]).left.registrations, 0))
})

describe('the delay until a new registration is visible', () => {
  test('goes from the reply to REGISTER to the first reply to another peer', () => {
    const { visible } = measured(
      [registered(3, 4100), reply(3, 4110, [1, 3]), reply(0, 4150, [1, 3]), reply(1, 4200, [3])],
      [started(3, 4000)]
    )
    assert.deepEqual([visible.registrations, visible.seen, visible.beforeReply], [1, 1, 0])
    assert.deepEqual([visible.delay.known.max?.ms, visible.censoredHistogram], [50, null])
  })

  test('is 0 where a reply that was sent before held it already', () => {
    const { visible } = measured([reply(0, 4099, [3]), registered(3, 4100)], [started(3, 4000)])
    assert.deepEqual([visible.seen, visible.beforeReply, visible.delay.known.max?.ms], [1, 1, 0])
  })

  test('is only known to be longer where the peer was killed before, or the run ended', () => {
    const dead = measured([registered(3, 4100)], [started(3, 4000), killed(3, 4500)]).visible
    assert.deepEqual([dead.seen, dead.killedUnseen, dead.endedUnseen], [0, 1, 0])
    assert.deepEqual([dead.delay.all.max?.ms, dead.delay.all.max?.censored], [400, true])
    const ended = measured([registered(3, 4100)], [started(3, 4000)], 5100).visible
    assert.deepEqual([ended.killedUnseen, ended.endedUnseen, ended.delay.all.max?.ms], [0, 1, 1000])
  })

  test('is not measured of peers of the beginning, nor of a registration that is renewed', () => {
    const { visible } = measured(
      [registered(0, 100), reply(1, 200, [0]), registered(3, 4100), reply(0, 4150, [3]), registered(3, 5000)],
      [started(3, 4000)]
    )
    assert.deepEqual([visible.registrations, visible.seen], [1, 1])
  })
})

describe('peers that take a place', () => {
  test('are followed from their start to their first discovery of a living one', () => {
    const { lives, connect, register, firstDiscovery } = measured(
      [reply(3, 4100, [2]), reply(3, 4130, [0, 2])],
      [
        killed(2, 3002),
        { node: 3, startedNs: 4001 * MS },
        { node: 3, connectedNs: 4031 * MS },
        { node: 3, registeredNs: 4051 * MS }
      ]
    )
    assert.deepEqual([lives.started, lives.killed, lives.failed, lives.latestMs], [1, 1, 0, 2])
    assert.deepEqual([connect.max?.ms, register.max?.ms, firstDiscovery.max?.ms], [30, 50, 129])
    assert.equal(lives.listed[1].firstDiscoveryMs, 4130)
  })

  test('that do not reach the server are counted', () => {
    const { lives } = measured(
      [],
      [
        { node: 3, startedNs: 4000 * MS },
        { node: 3, error: 'refused' }
      ]
    )
    assert.deepEqual([lives.started, lives.failed, lives.listed[1].error], [1, 1, 'refused'])
  })

  test('that come to nothing make times lower bounds at the end; before it, something may still come of them', () => {
    const all = measurement({ plan: { workers: 1 } })
    const changes = [{ node: 3, startedNs: 4000 * MS }]
    all.take({ events: BEGINNING, changes, cutOff: 0, untilNs: 5000 * MS }, 0)
    assert.equal(all.result(null).firstDiscovery.count, 0)
    all.end(6000 * MS)
    const { connect, register, firstDiscovery } = all.result(null)
    for (const { count, never, max } of [connect, register, firstDiscovery])
      assert.deepEqual([count, never, max?.ms, max?.censored], [1, 1, 2000, true])
  })
})

describe('events of several processes', () => {
  test('count in the order they happened, once all have told of that time', () => {
    const all = measurement()
    // the process of the discoverer tells first, that of the killed peer later
    all.take({ events: [reply(0, 3500, [2])], changes: [], cutOff: 1, untilNs: 4000 * MS }, 0)
    assert.equal(all.result(null).discovered.replies, 0)
    all.take({ events: BEGINNING, changes: [killed(2, 3000)], cutOff: 2, untilNs: 3900 * MS }, 1)
    const { discovered, cutOff } = all.result(null)
    assert.deepEqual([discovered.withDuplicates, cutOff], [{ records: 1, stale: 1 }, 3])
  })

  test('are looked at without waiting when nobody will tell more', () => {
    const all = measurement()
    all.take({ events: [reply(0, 3500, [1])], changes: [], cutOff: 0, untilNs: 4000 * MS }, 0)
    all.end(4000 * MS)
    assert.equal(all.result(null).discovered.replies, 1)
  })

  test('make the time line: what the server counts beside what peers know, and what was given since', () => {
    const all = measurement({ plan: { workers: 1 } })
    all.count(1000 * MS, 3)
    all.count(3500 * MS, 3)
    all.count(4500 * MS, null)
    all.take(
      {
        events: [...BEGINNING, reply(0, 900, [0, 1, 2]), registered(0, 2000), reply(0, 3200, [1, 2])],
        ...{ changes: [killed(2, 3000)], cutOff: 0, untilNs: 5000 * MS }
      },
      0
    )
    assert.deepEqual(all.result(12).series, [
      { atMs: 1000, server: 3, living: 3, dead: 0, replies: 1, records: 2, stale: 0 },
      { atMs: 3500, server: 3, living: 2, dead: 1, replies: 1, records: 2, stale: 1 },
      { atMs: 4500, server: null, living: 1, dead: 0, replies: 0, records: 0, stale: 0 }
    ])
    assert.equal(all.result(12).operationsPerMinute, 12)
  })
})

describe('a client that returns as itself', () => {
  /** @param {ChurnEvent[]} events @param {LifeChange[]} changes */
  function returned(events, changes) {
    const { asNew, ...churn } = CHURN
    const all = measurement({ plan: { workers: 1, churn } })
    all.take({ events: [...BEGINNING, ...events], changes, cutOff: 0, untilNs: 10_000 * MS }, 0)
    all.end(10_000 * MS)
    return all.result(null)
  }

  test('is stale while it is away, and not once it is back', () => {
    const { discovered, lives } = returned(
      [reply(0, 3500, [2]), reply(0, 4500, [2])],
      [killed(2, 3000), started(3, 4000)]
    )
    assert.deepEqual(discovered.withDuplicates, { records: 2, stale: 1 })
    assert.deepEqual([lives.killed, lives.started], [1, 1])
  })

  test('takes up again what it has left, unless that has expired', () => {
    const { left } = returned([], [killed(2, 3000), started(3, 3500)])
    assert.equal(left.registrations, 0)
    const late = returned([], [killed(2, 3000), started(3, 4500)]).left
    assert.deepEqual([late.registrations, late.expired], [1, 1])
  })

  test('is found once another one is given what it has registered since', () => {
    const { visible, firstDiscovery } = returned(
      [registered(3, 4100), reply(0, 4150, [2]), reply(3, 4200, [0, 2])],
      [killed(2, 3000), started(3, 4000)]
    )
    assert.deepEqual([visible.registrations, visible.seen, visible.delay.known.max?.ms], [1, 1, 50])
    assert.equal(firstDiscovery.max?.ms, 200)
  })
})

describe('what clients of another machine learn', () => {
  /** @type {any} */
  const INTERVAL = {
    untilNs: 5_000,
    cutOff: 2,
    events: [{ kind: 'reply', atNs: 1_000, sentNs: 900, node: 1, ns: 3, peers: Uint32Array.of(7) }],
    changes: [{ node: 4, killedNs: 2_000 }]
  }

  test('has the times of our clock, and nothing else is changed', () => {
    const clock = { here: (/** @type {bigint} */ ns) => ns - 700n }
    assert.deepEqual(convertToOurClock(INTERVAL, clock), {
      untilNs: 4_300,
      cutOff: 2,
      events: [{ kind: 'reply', atNs: 300, sentNs: 200, node: 1, ns: 3, peers: Uint32Array.of(7) }],
      changes: [{ node: 4, killedNs: 1_300 }]
    })
  })

  test('of our own is as it is', () => assert.equal(convertToOurClock(INTERVAL), INTERVAL))
})
