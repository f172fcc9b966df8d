import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { SEGMENT_BYTES } from '../../../src/network/links/direction.js'
import { arrivals, losing, MS, tcpOf } from './connection.js'

const L = 50 * MS
const inMs = (/** @type {number[]} */ times) => times.map(time => time / MS)

/** Ten segments written at once, latency 50 ms: round trip 100 ms, time-out of 300 ms. */
const once = (/** @type {number[]} */ ...lost) =>
  inMs(arrivals(tcpOf({ latencyNs: L, ...losing(...lost) }), [[0, 10 * SEGMENT_BYTES]]))

/** Times are those of RFC 8985 (RACK, TLP), RFC 9937 (PRR) and RFC 6298 with the least spread of Linux, 200 ms. */
describe('one way of a TCP connection, 10 segments written at once', () => {
  const rows = [
    { what: 'nothing is lost', lost: [], ms: 50 },
    { what: 'the fourth is lost: later ones tell after 100 ms, it is there 50 ms later', lost: [3], ms: 150 },
    {
      what: 'the fourth and the sixth are lost: both come again in the same round trip',
      lost: [3, 5],
      ms: 150
    },
    { what: 'the last is lost: acknowledged until 100 ms, a probe 300 ms later', lost: [9], ms: 450 },
    {
      what: 'the last but two: two later ones tell, a quarter of a round trip after 100 ms',
      lost: [7],
      ms: 175
    },
    { what: 'the last but one: one later one tells', lost: [8], ms: 175 },
    { what: 'the last but three: three later ones tell', lost: [6], ms: 150 },
    { what: 'the last two: a probe 202 ms after 100 ms tells of the first of them', lost: [8, 9], ms: 452 },
    { what: 'the last and its probe: the time-out comes 300 ms after that', lost: [9, 10], ms: 750 },
    { what: 'the last, its probe and its repeat: 600 ms more', lost: [9, 10, 11], ms: 1350 },
    { what: 'the fourth and its repeat: time-out 300 ms after the repeat at 100 ms', lost: [3, 10], ms: 450 },
    {
      what: 'all: a probe after 202 ms tells of the others at 302 ms; 1, 2, 4 and the last 2 of them follow, a round trip apart',
      lost: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      ms: 652
    }
  ]
  for (const { what, lost, ms } of rows) it(`${what}: ${ms} ms`, () => assert.deepEqual(once(...lost), [ms]))
})

describe('writes of a segment each', () => {
  const writes = (/** @type {number[]} */ ...atMs) =>
    atMs.map(at => /** @type {[number, number]} */ ([at * MS, 1000]))

  it('wait behind a lost one, which later writes tell of', () => {
    const direction = tcpOf({ latencyNs: L, ...losing(1) })
    // the first later write is acknowledged at 120 ms; a quarter of a round trip after the lost one's would have been is 135 ms
    assert.deepEqual(inMs(arrivals(direction, writes(0, 10, 20, 30, 40, 200))), [50, 185, 185, 185, 185, 250])
  })

  it('wait for a probe where none follow in time', () => {
    const direction = tcpOf({ latencyNs: L, ...losing(0) })
    // at 300 ms, acknowledged at 400 ms, when the next one has been sent
    assert.deepEqual(inMs(arrivals(direction, writes(0, 310))), [350, 360])
  })

  it('a lost one that is followed by none is repeated 200 ms after a round trip at least, however short the way', () => {
    assert.deepEqual(inMs(arrivals(tcpOf({ latencyNs: MS, ...losing(0) }), writes(0))), [203])
  })

  it('of which two are under way, a probe comes after two round trips and 2 ms', () => {
    assert.deepEqual(inMs(arrivals(tcpOf({ latencyNs: MS, ...losing(0, 1) }), writes(0, 0))), [9, 9])
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

  it('is halved for each time-out of idling', () => {
    const idle = (/** @type {number} */ ms) =>
      inMs(
        arrivals(tcpOf({ latencyNs: L }), [
          [0, 70 * SEGMENT_BYTES],
          [(350 + ms) * MS, 41 * SEGMENT_BYTES]
        ])
      )[1]
    // from 80 segments: 40 after more than 300 ms from the last one sent, at 200 ms
    assert.deepEqual([100, 200].map(idle), [500, 700])
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
    const found = [0.9, 1, 2, 3].map(ms => direction.departures.count(ms * MS))
    assert.deepEqual(found, [0, 1, 2, 3])
    assert.equal(direction.departures.bytes(3 * MS), 0)
  })
})

describe('lost acknowledgements', () => {
  it('are made good by the next one, and bring a repeat where none follows', () => {
    const draws = [0, 1]
    const direction = tcpOf({ latencyNs: L, ...losing(), answerRandom: () => draws.shift() ?? 1 })
    // the probe at 300 ms brings nothing new, and its acknowledgement lets the window go on
    assert.deepEqual(
      inMs(
        arrivals(direction, [
          [0, 1000],
          [1000 * MS, 1000]
        ])
      ),
      [50, 1050]
    )
  })
})

describe('a window while losses are repaired', () => {
  it('lets new segments wait for acknowledgements where little is under way', () => {
    const direction = tcpOf({ latencyNs: L, ...losing(0) })
    const segment = /** @type {[number, number]} */ ([0, SEGMENT_BYTES])
    // the repeat leaves at 125 ms; of five that are written at 130 ms one may leave, the others at 225 ms when it is acknowledged
    const late = Array.from({ length: 5 }, () => /** @type {[number, number]} */ ([130 * MS, SEGMENT_BYTES]))
    const times = inMs(arrivals(direction, [segment, segment, ...late]))
    assert.deepEqual(times.slice(0, 2), [175, 175])
    assert.ok(times[6] >= 275, `the last came at ${times[6]} ms`)
  })
})

describe('a partition that holds', () => {
  const cutFrom = (/** @type {number} */ fromMs, /** @type {number} */ toMs) => ({
    cut: (/** @type {number} */ nowNs) => nowNs >= fromMs * MS && nowNs < toMs * MS
  })

  it('bytes arrive with the first repeat after it: a probe at 300 ms, then 600, 1,200, 2,400, 4,800, 9,600 ms', () => {
    const direction = tcpOf({ latencyNs: L, ...cutFrom(0, 5000) })
    assert.deepEqual(inMs(arrivals(direction, [[0, 1000]])), [9650])
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
    assert.equal(times[0], 9650)
    assert.ok(times[2] >= 9650 && times[2] <= 9950, `the last came at ${times[2]} ms`)
  })

  it('each new segment puts the time-out off while no loss is known, once a probe has been sent', () => {
    const direction = tcpOf({ latencyNs: L, ...cutFrom(0, 700) })
    // a probe at 300 ms, after which it would be 600 ms; two round trips and 2 ms after 450 ms, then after 600 ms
    const times = arrivals(
      direction,
      [0, 150, 450, 600].map(ms => /** @type {[number, number]} */ ([ms * MS, 1000]))
    )
    assert.equal(times[0] / MS, 852)
  })

  it('a time-out is tested by a new segment before what is missing is sent again', () => {
    const direction = tcpOf({ latencyNs: L, ...cutFrom(0, 1000) })
    // the first segment at 202 + 300 + 600 ms, a new one at 1,202 ms; missing ones from 1,302 ms on: 2, 4 and the last 4
    assert.deepEqual(inMs(arrivals(direction, [[0, 12 * SEGMENT_BYTES]])), [1552])
  })

  it('small segments come together when they are sent again', () => {
    const direction = tcpOf({ latencyNs: L, ...cutFrom(0, 1000) })
    const five = [0, 10, 20, 30, 40].map(ms => /** @type {[number, number]} */ ([ms * MS, 100]))
    // a probe 202 ms after the last, time-outs 300 and 600 ms later
    assert.deepEqual(inMs(arrivals(direction, five)), [1192, 1192, 1192, 1192, 1192])
  })

  it('what has left before it arrives, though its acknowledgement is lost, and the connection goes on after it', () => {
    const direction = tcpOf({ latencyNs: L, ...cutFrom(20, 1000) })
    const times = inMs(
      arrivals(direction, [
        [0, 1000],
        [1500 * MS, 1000]
      ])
    )
    // a probe at 300 ms, repeats at 600 and 1,200 ms; the last is acknowledged, and makes room for the second
    assert.deepEqual(times, [50, 1550])
  })
})

/** Mathis et al. 1997: every segment is acknowledged, losses are even: C = √(3/2). */
const mathis = (/** @type {number} */ rttMs, /** @type {number} */ lossShare) =>
  (SEGMENT_BYTES / (rttMs / 1000)) * Math.sqrt(1.5 / lossShare)

const FIRST_SEGMENTS = 10_000
const SEGMENTS = 100_000

/** @param {number} rttMs @param {number} lossShare @returns {number} bytes a second, once the start is over, of 100 losses or more */
function throughput(rttMs, lossShare) {
  const direction = tcpOf({ latencyNs: (rttMs / 2) * MS, lossShare, random: makeSubStream(1, 'loss') })
  const [startNs, endNs] = arrivals(direction, [
    [0, FIRST_SEGMENTS * SEGMENT_BYTES],
    [0, SEGMENTS * SEGMENT_BYTES]
  ])
  return (SEGMENTS * SEGMENT_BYTES) / ((endNs - startNs) / 1e9)
}

describe('a long transfer over a lossy line', () => {
  for (const lossShare of [0.001, 0.01]) {
    for (const rttMs of [10, 60, 200]) {
      it(`carries what the Mathis formula says, ± 15 %: ${lossShare * 100} % lost, ${rttMs} ms`, () => {
        const share = throughput(rttMs, lossShare) / mathis(rttMs, lossShare)
        assert.ok(Math.abs(share - 1) < 0.15, `${share.toFixed(3)} of it`)
      })
    }
  }
})
