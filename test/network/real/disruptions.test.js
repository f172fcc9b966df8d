import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeChurnSchedule } from '../../../src/load/churn.js'
import { listSubscriptionChanges } from '../../../src/load/network-script.js'
import { RealDisruptions } from '../../../src/network/real/disruptions.js'
import { fileWith, gossipPlan } from '../gossip-plan.js'

const MS = 1e6
const [LOW, HIGH] = [[{ first: 0, last: 1 }], [{ first: 2, last: 3 }]]
const RING = { nodes: 4, topology: /** @type {any} */ ({ kind: 'ring' }), durationMs: 60_000, messages: null }

/**
 * A host with node 1 of a ring of four: what it does to it, by when.
 *
 * @param {import('node:test').TestContext} t
 * @param {Parameters<typeof gossipPlan>[0]} plan
 * @param {{ dial?: (to: number, atMs: number) => string | null, error?: Error | null }} [how] - `error`: of whatever leaves or returns
 */
function host(t, plan, { dial = () => null, error = null } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  /** @type {[string, number][]} what, ms since publishing began */
  const done = []
  const note = (/** @type {string} */ what) => done.push([what, nowMs])
  const node = /** @type {any} */ ({
    getConnections: () =>
      [0, 2].map(peer => ({ remotePeer: `peer ${peer}`, abort: () => note(`cut from ${peer}`) }))
  })
  const nodes = new Map([[1, node]])
  const asked = gossipPlan({ ...RING, ...plan })
  const disruptions = new RealDisruptions(asked, {
    now: () => nowMs * MS,
    nodes,
    numberOf: peerId => Number(peerId.split(' ')[1]),
    dial: async (from, to) => {
      note(`${from} dials ${to}`)
      return dial(to, nowMs)
    },
    leave: async each => {
      if (error !== null) throw error
      nodes.delete(each)
      note(`${each} leaves`)
    },
    rejoin: async each => {
      if (error !== null) throw error
      nodes.set(each, node)
      note(`${each} comes back`)
    },
    changes: listSubscriptionChanges(asked),
    subscribe: ({ node: each, subscribed }) => note(`${each} ${subscribed ? 'subscribes' : 'unsubscribes'}`),
    failed: ({ message }) => note(message)
  })
  disruptions.begin(0)
  return {
    done,
    disruptions,
    /** @param {number} ms */
    async until(ms) {
      for (; nowMs < ms; ) {
        nowMs += 100
        t.mock.timers.tick(100)
        for (let turns = 0; turns < 10; turns += 1) await Promise.resolve()
      }
    }
  }
}

describe('what is done to the nodes of a host on real TCP', () => {
  test('connections to the other side of a partition are cut, and dialled again when it is over, until they stand', async t => {
    const cut = { kind: /** @type {const} */ ('reset'), fromMs: 1000, toMs: 3000, between: [LOW, HIGH] }
    const { done, until } = host(
      t,
      { partitions: [cut] },
      { dial: (_, atMs) => (atMs < 4500 ? 'refused' : null) }
    )
    await until(2000)
    assert.deepEqual(done, [['cut from 2', 1000]])
    await until(10_000)
    assert.deepEqual(done.slice(1), [
      ['1 dials 2', 3000],
      ['1 dials 2', 4000],
      ['1 dials 2', 5000]
    ])
  })

  test('its own nodes leave and return by the schedule of the plan, and dial all their neighbours', async t => {
    const churn = { share: 0.5, perMs: 10_000, awayMs: 2000 }
    const { done, until } = host(t, { churn })
    const [{ leavesNs, returnsNs }] = makeChurnSchedule(gossipPlan({ ...RING, churn }))[1]
    await until(returnsNs / MS + 500)
    const [[left, leftMs], [back, backMs], ...dials] = done
    assert.deepEqual([left, back], ['1 leaves', '1 comes back'])
    assert.ok(leftMs >= leavesNs / MS && leftMs < leavesNs / MS + 200)
    assert.ok(backMs >= returnsNs / MS && backMs < returnsNs / MS + 200)
    // a neighbour that is away itself dials when it returns
    for (const [dial] of dials) assert.match(dial, /^1 dials [02]$/)
    assert.ok(dials.length > 0)
  })

  test('its own nodes subscribe, leave and return as a script says; those of other hosts are left to these', async t => {
    const who = { nodes: [0, 1] }
    const networkFile = fileWith([
      { atMs: 1000, who, action: 'unsubscribe', topic: 'load', forMs: 2000 },
      { atMs: 5000, who, action: 'leave', forMs: 1000 },
      { atMs: 8000, who, action: 'leave' }
    ])
    const { done, until } = host(t, { networkFile })
    await until(20_000)
    assert.deepEqual(
      done.filter(([what]) => !what.includes('dials')),
      [
        ['1 unsubscribes', 1000],
        ['1 subscribes', 3000],
        ['1 leaves', 5000],
        ['1 comes back', 6000],
        ['1 leaves', 8000]
      ]
    )
  })

  test('what cannot be done is told, and ends nothing', async t => {
    const networkFile = fileWith([{ atMs: 1000, who: { nodes: [1] }, action: 'leave', forMs: 1000 }])
    const { done, until } = host(t, { networkFile }, { error: new Error('no port is left') })
    await until(5000)
    assert.deepEqual(done, [
      ['no port is left', 1000],
      ['no port is left', 2000]
    ])
  })

  test('once it is stopped nothing happens any more', async t => {
    const cut = { kind: /** @type {const} */ ('reset'), fromMs: 1000, toMs: 3000, between: [LOW, HIGH] }
    const { done, disruptions, until } = host(t, { partitions: [cut] })
    disruptions.stop()
    await until(5000)
    assert.deepEqual(done, [])
  })
})
