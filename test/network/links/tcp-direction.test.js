import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SEGMENT_BYTES } from '../../../src/network/links/wire-bytes.js'
import { arrivals, losing, MS, tcpOf } from './connection.js'

const L = 50 * MS
const inMs = (/** @type {number[]} */ times) => times.map(time => time / MS)

/** Ten segments written at once, latency 50 ms: round trip 100 ms, time-out of 300 ms at first, 250 ms after a sample. */
const once = (/** @type {number[]} */ ...lost) =>
  inMs(arrivals(tcpOf({ latencyNs: L, ...losing(...lost) }), [[0, 10 * SEGMENT_BYTES]]))

describe('one way of a TCP connection, 10 segments written at once', () => {
  const rows = [
    { what: 'nothing is lost', lost: [], ms: 50 },
    { what: 'the fourth is lost: later ones tell after 100 ms, it is there 50 ms later', lost: [3], ms: 150 },
    {
      what: 'the fourth and the sixth are lost: both come again in the same round trip',
      lost: [3, 5],
      ms: 150
    },
    { what: 'the last is lost: acknowledged until 100 ms, time-out 250 ms later', lost: [9], ms: 400 },
    { what: 'the last but two: only two later ones tell', lost: [7], ms: 400 },
    { what: 'the last but three: three later ones tell', lost: [6], ms: 150 },
    { what: 'the last and its repeat: the time-out doubles to 500 ms', lost: [9, 10], ms: 900 },
    { what: 'the last and two repeats: 250 + 500 + 1,000 ms', lost: [9, 10, 11], ms: 1900 },
    { what: 'the fourth and its repeat: time-out 250 ms after the repeat at 100 ms', lost: [3, 10], ms: 400 },
    {
      what: 'all, but no repeat: 300 ms without a sample, then one after the other in slow start',
      lost: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      ms: 650
    }
  ]
  for (const { what, lost, ms } of rows) it(`${what}: ${ms} ms`, () => assert.deepEqual(once(...lost), [ms]))
})

describe('writes of a segment each', () => {
  const writes = (/** @type {number[]} */ ...atMs) =>
    atMs.map(at => /** @type {[number, number]} */ ([at * MS, 1000]))

  it('wait behind a lost one, which later writes tell of', () => {
    const direction = tcpOf({ latencyNs: L, ...losing(1) })
    // the third later write comes at 40 ms, its acknowledgement at 140 ms
    assert.deepEqual(inMs(arrivals(direction, writes(0, 10, 20, 30, 40, 200))), [50, 190, 190, 190, 190, 250])
  })

  it('wait for the time-out where fewer follow', () => {
    const direction = tcpOf({ latencyNs: L, ...losing(0) })
    assert.deepEqual(inMs(arrivals(direction, writes(0, 10, 20))), [350, 350, 350])
  })

  it('a lost one that is followed by none is repeated after 200 ms at least, however short the way', () => {
    assert.deepEqual(inMs(arrivals(tcpOf({ latencyNs: MS, ...losing(0) }), writes(0))), [201])
  })

  it('of unlike sizes come in order', () => {
    const direction = tcpOf({ latencyNs: L, ...losing(2) })
    const sizes = [100, 5000, 1, 3000, 8]
    const times = arrivals(
      direction,
      sizes.map((bytes, index) => [index * MS, bytes])
    )
    assert.equal(times.length, sizes.length)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b)
    )
  })
})

describe('the congestion window', () => {
  it('lets 10 segments go, then twice as many each round trip', () => {
    const segments = [10, 11, 30, 31, 70, 71, 150]
    const times = segments.map(
      count => arrivals(tcpOf({ latencyNs: L }), [[0, count * SEGMENT_BYTES]])[0] / MS
    )
    assert.deepEqual(times, [50, 150, 150, 250, 250, 350, 350])
  })

  it('is 10 again after idling for longer than the time-out', () => {
    const large = 70 * SEGMENT_BYTES
    const soon = inMs(
      arrivals(tcpOf({ latencyNs: L }), [
        [0, large],
        [350 * MS, large]
      ])
    )
    const late = inMs(
      arrivals(tcpOf({ latencyNs: L }), [
        [0, large],
        [2000 * MS, large]
      ])
    )
    assert.deepEqual(soon, [250, 400])
    assert.deepEqual(late, [250, 2250])
  })

  it('does not grow where it is not used', () => {
    const direction = tcpOf({ latencyNs: L })
    const small = Array.from(
      { length: 50 },
      (_, index) => /** @type {[number, number]} */ ([index * 100 * MS, 1000])
    )
    const times = inMs(arrivals(direction, [...small, [5000 * MS, 11 * SEGMENT_BYTES]]))
    assert.equal(times.at(-1), 5150)
  })
})

describe('bandwidth below TCP', () => {
  it('a write takes its segments with their headers, one after the other', () => {
    const direction = tcpOf({ latencyNs: L, bytesPerSecond: 1e6 })
    // 5 segments of 1,500 bytes at 1 byte/µs
    assert.deepEqual(inMs(arrivals(direction, [[0, 5 * SEGMENT_BYTES]])), [57.5])
  })

  it('departures are told apart from arrivals', () => {
    const direction = tcpOf({ latencyNs: L, bytesPerSecond: 1e6 })
    for (let write = 0; write < 3; write += 1) direction.send(948, 0)
    assert.equal(direction.departures.bytes(0), 3 * 948)
    assert.deepEqual(
      [0.9, 1, 2, 3].map(ms => direction.departures.count(ms * MS)),
      [0, 1, 2, 3]
    )
    assert.equal(direction.departures.bytes(3 * MS), 0)
  })
})

describe('a partition that holds', () => {
  const cutFrom = (/** @type {number} */ fromMs, /** @type {number} */ toMs) => ({
    cut: (/** @type {number} */ nowNs) => nowNs >= fromMs * MS && nowNs < toMs * MS
  })

  it('bytes arrive with the first time-out after it: 300, 900, 2,100, 4,500, 9,300 ms', () => {
    const direction = tcpOf({ latencyNs: L, ...cutFrom(0, 5000) })
    assert.deepEqual(inMs(arrivals(direction, [[0, 1000]])), [9350])
  })

  it('what is written meanwhile comes with it', () => {
    const direction = tcpOf({ latencyNs: L, ...cutFrom(0, 5000) })
    const times = inMs(
      arrivals(direction, [
        [0, 1000],
        [1000 * MS, 1000],
        [4000 * MS, 1000]
      ])
    )
    assert.equal(times[0], 9350)
    assert.ok(times[2] >= 9350 && times[2] <= 9650, `the last came at ${times[2]} ms`)
  })

  it('what has left before it arrives, though its acknowledgement is lost, and the connection goes on after it', () => {
    const direction = tcpOf({ latencyNs: L, ...cutFrom(20, 1000) })
    const times = inMs(
      arrivals(direction, [
        [0, 1000],
        [1500 * MS, 1000]
      ])
    )
    // repeats at 300, 900 and 2,100 ms; the last is acknowledged, and makes room for the second
    assert.deepEqual(times, [50, 2250])
  })
})
