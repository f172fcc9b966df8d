import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { LinkModel } from '../../../src/network/link-model.js'
import { PartitionSchedule } from '../../../src/network/link-properties.js'
import { arrivals, BARE, MS } from './connection.js'
import { directionOf } from './direction.js'

/** @typedef {import('../../../src/network/link-properties.js').Cut} Cut */

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
      { nodes: 30, streams: (...name) => makeSubStream(1, ...name) }
    )
    model.partitions.start(0)
    const sent = /** @type {[number, number][]} */ ([[11 * S, 1000]])
    assert.deepEqual(arrivals(directionOf(model, 0, 1), sent), [11 * S + 50 * MS])
    // a probe after 300 ms, time-outs after 600, 1,200, 2,400 and 4,800 ms: the last one is the first after 15 s
    assert.deepEqual(arrivals(directionOf(model, 0, 10), sent), [15.8 * S + 50 * MS])
  })
})
