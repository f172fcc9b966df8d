import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  countWhenQuiet,
  judgeLoss,
  judgeRate,
  judgeRoundTrip
} from '../../../src/network/namespaces/link-measurement.js'

const [SENT, LATE] = [1000, 40]

/** A link that has carried everything when `lastsMs` are over, and until then some more whenever it is looked at. @param {number} lastsMs */
function linkThatStillCarries(lastsMs) {
  let nowMs = 0
  const late = () => Math.ceil(LATE * Math.max(0, 1 - nowMs / lastsMs))
  const near = {
    call: async (/** @type {string} */ method) =>
      method === 'hangUp' ? undefined : { sent: SENT, received: SENT - late() }
  }
  const pause = async (/** @type {number} */ ms) => {
    nowMs += ms
  }
  return { near, far: { call: async () => ({ sent: 0, received: 0 }) }, pause }
}

describe('what a link carried', () => {
  for (const [roundTripMs, lastsMs] of [
    [0, 1000],
    [300, 2500],
    [1800, 5000]
  ])
    it(`is counted when all of it has come (${roundTripMs} ms there and back)`, async () => {
      const { near, far, pause } = linkThatStillCarries(lastsMs)
      const counts = await countWhenQuiet(
        /** @type {any} */ (near),
        /** @type {any} */ (far),
        roundTripMs,
        pause
      )
      assert.deepEqual(counts, { sent: SENT, received: SENT })
    })

  it('is waited for no longer than it may be', async () => {
    const { near, far, pause } = linkThatStillCarries(1_000_000)
    const counts = await countWhenQuiet(/** @type {any} */ (near), /** @type {any} */ (far), 300, pause)
    assert.ok(counts.received < SENT)
  })
})

describe('a link is what was asked for', () => {
  /** @type {[number, number | null, boolean][]} */
  const roundTrips = [
    [100, 100, true],
    // a tenth of the latency, each way
    [100, 110, true],
    [100, 111, false],
    [100, 89, false],
    // 1 ms where that is less
    [10, 12, true],
    [10, 12.1, false],
    [0, 1.9, true],
    [0, 2.1, false],
    [100, null, false]
  ]
  for (const [asked, found, asAsked] of roundTrips)
    test(`round trip ${found} ms for ${asked} ms: ${asAsked}`, () =>
      assert.equal(judgeRoundTrip({ askedMs: asked }, found === null ? [] : [found]).asAsked, asAsked))

  test('a round trip may take what a byte takes on slow lines', () =>
    assert.deepEqual(
      [12, 13].map(found => judgeRoundTrip({ askedMs: 0, onLineMs: 10.6 }, [found]).asAsked),
      [true, false]
    ))

  test('a round trip may be off by what chance does to the median of some with jitter', () =>
    assert.deepEqual(
      [100, 126, 127].map(
        found => judgeRoundTrip({ askedMs: 100, jitterMs: 40 }, Array(100).fill(found)).asAsked
      ),
      [true, true, false]
    ))

  test('what was sent again is no part of a round trip', () => {
    const times = [...Array(50).fill(300), ...Array(50).fill(100)]
    const found = [0.3, 0].map(lossShare => judgeRoundTrip({ askedMs: 100, lossShare }, times).foundMs)
    assert.deepEqual(found, [100, 300])
  })

  /** @type {[number, number, number, boolean][]} */
  const losses = [
    [0, 1000, 1000, true],
    [0, 1000, 999, false],
    // 10 of 1,000, with a deviation of 3.1
    [0.01, 1000, 990, true],
    [0.01, 1000, 978, true],
    [0.01, 1000, 970, false],
    // a network that silently loses nothing
    [0.01, 2500, 2500, false],
    [0.05, 2500, 2375, true],
    [0.05, 0, 0, false]
  ]
  for (const [asked, sent, received, asAsked] of losses)
    test(`${sent - received} of ${sent} packets lost for ${100 * asked} %: ${asAsked}`, () =>
      assert.equal(judgeLoss(asked, { sent, received }).asAsked, asAsked))

  /** Bytes that come evenly, after a while. @param {number} bytesPerMs */
  const evenly = bytesPerMs =>
    Array.from({ length: 100 }, (_, i) => ({
      atMs: 5 * i,
      bytes: 1000 + Math.max(0, 5 * i - 50) * bytesPerMs
    }))

  /** @type {[number, number, boolean][]} */
  const rates = [
    [1e6, 1000, true],
    [1e6, 920, true],
    [1e6, 880, false],
    [1e6, 1200, false]
  ]
  for (const [asked, found, asAsked] of rates)
    test(`${found} bytes a ms for ${asked / 1000}: ${asAsked}`, () => {
      const rate = judgeRate({ asked, due: asked }, evenly(found))
      assert.equal(Math.round(Number(rate.found)), 1000 * found)
      assert.equal(rate.asAsked, asAsked)
    })

  /** @type {[number, boolean][]} */
  const ofTheRest = [
    [880, true],
    [1000, false]
  ]
  for (const [found, asAsked] of ofTheRest)
    test(`${found} bytes a ms for 1000, of which 12 % are lost on the way: ${asAsked}`, () => {
      const rate = judgeRate({ asked: 1e6, due: 0.88e6 }, evenly(found))
      assert.deepEqual([rate.asked, rate.asAsked], [1e6, asAsked])
    })

  test('of what never came there is no rate', () => {
    assert.deepEqual(judgeRate({ asked: 1e6, due: 1e6 }, []), { asked: 1e6, found: null, asAsked: false })
    assert.equal(judgeRate({ asked: 1e6, due: 1e6 }, evenly(0)).found, null)
  })
})
