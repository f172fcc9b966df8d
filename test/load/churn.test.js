import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isAwayAt, makeChurnSchedule, makeLives } from '../../src/load/churn.js'
import { countDepartures } from '../../src/plan/churn.js'

/** @typedef {import('../../src/load/churn.js').ChurnedPlan} ChurnedPlan */

const GROUP = { peers: 2, everyMs: 4000, atRandom: false, awayMs: 1500 }
const SHARE = { share: 0.05, perMs: 60_000, awayMs: 30_000 }

/** @type {ChurnedPlan} */
const PLAN = {
  ...{ seed: 1, nodes: 8, durationMs: 20_000, messages: null, ratePerSecond: null },
  churn: { ...GROUP, asNew: true, dials: 3 }
}

describe('new peers that take the places of others', () => {
  const lives = makeLives(PLAN)

  test('kills the ephemeral nodes in turn, and starts another one in the place of each', () => {
    assert.deepEqual(
      lives.map(({ node, slot, startMs, killMs }) => [node, slot, startMs, killMs]),
      [
        [6, 6, null, 4000],
        [7, 7, null, 8000],
        [8, 6, 5500, 12_000],
        [9, 7, 9500, 16_000],
        [10, 6, 13_500, null],
        [11, 7, 17_500, null]
      ]
    )
  })

  test('has new nodes dial so many stable ones, each once; the first ones are dialled by the topology', () => {
    for (const { startMs, dials } of lives) {
      assert.equal(dials.length, startMs === null ? 0 : 3)
      assert.equal(new Set(dials).size, dials.length)
      assert.ok(dials.every(node => node < 6))
    }
  })

  test('follows from the seed', () => {
    assert.deepEqual(makeLives(PLAN), lives)
    const others = makeLives({ ...PLAN, seed: 2 })
    const found = others.map(({ dials }) => dials)
    assert.notDeepEqual(
      found,
      lives.map(({ dials }) => dials)
    )
  })

  test('leaves a place empty whose next node would start when publishing is over', () => {
    const cut = makeLives({ ...PLAN, durationMs: 17_000 })
    const rows = cut.slice(-2).flatMap(({ node, killMs }) => [node, killMs])
    assert.deepEqual(rows, [9, 16_000, 10, null])
  })

  test('never has two nodes in one place', () => {
    for (const everyMs of [1000, 3000, 7000]) {
      const churn = { ...GROUP, peers: 3, everyMs, asNew: /** @type {const} */ (true) }
      const many = makeLives({ ...PLAN, nodes: 9, churn, durationMs: 100_000 })
      for (const { slot, startMs, killMs } of many) {
        const next = many.find(life => life.slot === slot && (life.startMs ?? -1) > (startMs ?? -1))
        if (next !== undefined) assert.ok(killMs !== null && killMs < Number(next.startMs))
      }
      assert.ok(many.length <= 3 + countDepartures(churn, { nodes: 9, durationMs: 100_000 }))
    }
  })
})

describe('peers that leave', () => {
  const turns = { ...PLAN, churn: GROUP }

  test('in turn, are those with the highest numbers, one each time', () => {
    const absences = makeChurnSchedule(turns)
    assert.deepEqual(absences.slice(0, 6).flat(), [])
    assert.deepEqual(
      absences.slice(6).map(own => own.map(({ leavesNs, returnsNs }) => [leavesNs / 1e9, returnsNs / 1e9])),
      [
        [
          [4, 5.5],
          [12, 13.5]
        ],
        [
          [8, 9.5],
          [16, 17.5]
        ]
      ]
    )
    const found = [3.9, 4, 5.4, 5.5].map(seconds => isAwayAt(absences[6], seconds * 1e9))
    assert.deepEqual(found, [false, true, true, false])
  })

  test('at random, of a group as often on average, and only those', () => {
    const churn = { ...GROUP, everyMs: 100, awayMs: 10, atRandom: true }
    const absences = makeChurnSchedule({ ...PLAN, churn, durationMs: 1_000_000 })
    assert.deepEqual(absences.slice(0, 6).flat(), [])
    const left = absences.flat().length
    // a stay of 200 ms and 10 ms away, of two
    assert.ok(Math.abs(left / (2_000_000 / 210) - 1) < 0.1, String(left))
  })

  for (const churn of [
    { ...GROUP, atRandom: true },
    { ...SHARE, share: 1 }
  ])
    test(`and are replaced, ${JSON.stringify(churn)}: one that comes dials others that are there`, () => {
      const plan = {
        ...PLAN,
        churn: { ...churn, asNew: /** @type {const} */ (true), dials: 3 },
        durationMs: 600_000
      }
      const absences = makeChurnSchedule(plan)
      const lives = makeLives(plan)
      const later = lives.filter(({ startMs }) => startMs !== null)
      assert.ok(later.length > 5)
      const nodes = later.map(({ node }) => node)
      assert.deepEqual(
        nodes,
        later.map((_, i) => 8 + i)
      )
      for (const { slot, startMs, dials } of later) {
        assert.ok(absences[slot].some(({ returnsNs }) => Math.abs(returnsNs - Number(startMs) * 1e6) < 1))
        assert.ok(dials.length <= 3 && dials.every(node => node !== slot))
        for (const node of dials.filter(node => node >= 8))
          assert.ok(Number(lives.find(life => life.node === node)?.startMs) < Number(startMs))
      }
    })

  test('are nobody without churn, and nobody leaves once the measurement is over', () => {
    assert.deepEqual(makeChurnSchedule({ ...PLAN, churn: null }).flat(), [])
    for (const { leavesNs } of makeChurnSchedule({ ...turns, durationMs: 8000 }).flat())
      assert.ok(leavesNs < 8e9)
  })
})

describe('churn of a share', () => {
  const seconds = 1e9
  const until = (/** @type {number} */ nodes, /** @type {number} */ durationMs) =>
    makeChurnSchedule({ ...PLAN, nodes, durationMs, churn: SHARE })

  test('as many leave as it says, 5 % a minute of those that are there', () => {
    const leaves = until(200, 3_600_000).flat().length
    // a stay of 20 min and 30 s away: 200 × 60 / 20.5
    assert.ok(Math.abs(leaves / ((200 * 60) / 20.5) - 1) < 0.1, `${leaves} left`)
  })

  test('each returns after the time away and may leave again later', () => {
    const list = until(4, 36_000_000)[3]
    assert.ok(list.length > 10)
    for (const [index, { leavesNs, returnsNs }] of list.entries()) {
      assert.ok(Number.isSafeInteger(leavesNs))
      assert.equal(returnsNs - leavesNs, 30 * seconds)
      assert.ok(index === 0 || leavesNs >= list[index - 1].returnsNs)
    }
  })

  test('is the same again, and of a peer the same however many others there are', () =>
    assert.deepEqual(until(4, 36_000_000), until(9, 36_000_000).slice(0, 4)))
})
