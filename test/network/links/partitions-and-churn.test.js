import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../../src/kit/random.js'
import { absences } from '../../../src/load/absences.js'
import { LinkModel } from '../../../src/network/links/link-model.js'
import { PartitionSchedule } from '../../../src/network/links/partition-schedule.js'
import { arrivals, BARE, MS } from './connection.js'

/** @typedef {import('../../../src/network/links/partition-schedule.js').Cut} Cut */

const range = (/** @type {number} */ first, /** @type {number} */ last) => ({ first, last })
const S = 1000 * MS

/** @type {Cut} */
const HOLD = { kind: 'hold', fromMs: 10_000, toMs: 15_000, between: [[range(0, 9)], [range(10, 29)]] }

describe('a schedule of partitions', () => {
  const schedule = new PartitionSchedule([HOLD, { ...HOLD, kind: 'reset', fromMs: 20_000, toMs: 21_000 }])
  schedule.start(2 * S)

  /** @type {[a: number, b: number, atNs: number, cut: boolean][]} */
  const rows = [
    [0, 10, 12 * S - 1, false],
    [0, 10, 12 * S, true],
    [29, 9, 17 * S - 1, true],
    [0, 10, 17 * S, false],
    [0, 10, 22 * S, true]
  ]
  for (const [a, b, atNs, cut] of rows) {
    it(`nodes ${a} and ${b} at ${atNs} ns: ${cut ? 'cut off' : 'joined'}`, () => {
      assert.equal(schedule.between(a, b)?.(atNs), cut)
    })
  }

  it('nodes of one group, and nodes of none, are never cut off', () => {
    assert.equal(schedule.between(0, 9), null)
    assert.equal(schedule.between(0, 30), null)
  })

  it('the rest is a group', () => {
    const rest = new PartitionSchedule([{ ...HOLD, between: [[range(0, 9)], []] }])
    rest.start(0)
    assert.equal(rest.between(0, 30)?.(12 * S), true)
    assert.equal(rest.between(30, 31), null)
  })

  it('nobody is cut off before the start is known', () => {
    assert.equal(new PartitionSchedule([HOLD]).between(0, 10)?.(1e15), false)
  })

  it('says which connections to close, and when', () => {
    const [reset, ...more] = schedule.resets()
    assert.equal(more.length, 0)
    assert.equal(reset.atNs, 22 * S)
    assert.deepEqual(
      [reset.separates(0, 10), reset.separates(0, 9), reset.separates(0, 30)],
      [true, false, false]
    )
  })

  it('connections of a network hold what is sent across it', () => {
    const model = new LinkModel(
      {
        latency: { kind: 'constant', ms: 50 },
        jitter: null,
        lossShare: 0,
        upBytesPerSecond: null,
        downBytesPerSecond: null,
        linkBytesPerSecond: null,
        cuts: [HOLD],
        layers: BARE,
        tcp: true
      },
      { nodes: 30, streams: (...name) => subStream(1, ...name) }
    )
    model.partitions.start(0)
    const sent = /** @type {[number, number][]} */ ([[11 * S, 1000]])
    assert.deepEqual(arrivals(model.direction(0, 1), sent), [11 * S + 50 * MS])
    // a probe after 300 ms, time-outs after 600, 1,200, 2,400 and 4,800 ms: the last one is the first after 15 s
    assert.deepEqual(arrivals(model.direction(0, 10), sent), [15.8 * S + 50 * MS])
  })
})

describe('churn', () => {
  const spec = { share: 0.05, perMs: 60_000, awayMs: 30_000 }

  /** @param {number} node @param {number} untilNs */
  const until = (node, untilNs) => {
    const list = []
    for (const absence of absences(spec, subStream(1, 'churn', node))) {
      if (absence.leavesNs >= untilNs) return list
      list.push(absence)
    }
    return list
  }

  it('as many leave as it says, 5 % a minute of those that are there', () => {
    const hour = 3600 * S
    const leaves = Array.from({ length: 200 }, (_, node) => until(node, hour).length).reduce((a, b) => a + b)
    // a stay of 20 min and 30 s away: 200 × 60 / 20.5
    assert.ok(Math.abs(leaves / ((200 * 60) / 20.5) - 1) < 0.1, `${leaves} left`)
  })

  it('each returns after the time away and may leave again later', () => {
    const list = until(3, 36_000 * S)
    assert.ok(list.length > 10)
    for (const [index, { leavesNs, returnsNs }] of list.entries()) {
      assert.ok(Number.isSafeInteger(leavesNs))
      assert.equal(returnsNs - leavesNs, 30 * S)
      assert.ok(index === 0 || leavesNs >= list[index - 1].returnsNs)
    }
  })

  it('is the same again', () => assert.deepEqual(until(3, 36_000 * S), until(3, 36_000 * S)))

  it('of nothing keeps everybody', () => {
    assert.deepEqual([...absences({ ...spec, share: 0 }, () => 0.5)], [])
  })
})
