import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RttEstimate } from '../../../src/network/links/tcp-congestion.js'

const MS = 1e6

/** @param {RttEstimate} estimate @param {number} rttMs @param {number} trip - two segments each @returns {number} ms */
function roundTrip(estimate, rttMs, trip) {
  for (let segment = 0; segment < 2; segment += 1) estimate.sample(rttMs * MS, (trip + 1) * rttMs * MS)
  return Math.round(estimate.rtoNs / MS)
}

describe('the time-out of a connection', () => {
  it('is long at first, and comes down by a quarter of the difference each round trip, as ss -ti shows of Linux', () => {
    const estimate = new RttEstimate(600 * MS)
    assert.equal(estimate.rtoNs / MS, 1800)
    const found = Array.from({ length: 10 }, (_, trip) => roundTrip(estimate, 600, trip))
    // Linux 6.18, two messages a second over 600 ms, in steps of 4 ms
    const linux = [1804, 1676, 1464, 1300, 1176, 1084, 1012, 960, 920, 892]
    for (const [trip, ms] of linux.entries())
      assert.ok(
        Math.abs(found[trip] - ms) <= 0.03 * ms,
        `${found[trip]} ms, not ${ms} ms, after ${trip + 1} round trips`
      )
  })

  it('is a round trip and 200 ms in the end', () => {
    const estimate = new RttEstimate(50 * MS)
    assert.equal(estimate.rtoNs / MS, 250)
    assert.equal(roundTrip(estimate, 50, 0), 250)
  })

  it('rises at once with a round trip that is longer, and little with one that is shorter', () => {
    const [longer, shorter] = [new RttEstimate(600 * MS), new RttEstimate(600 * MS)]
    for (let trip = 0; trip < 30; trip += 1)
      for (const estimate of [longer, shorter]) roundTrip(estimate, 600, trip)
    assert.equal(Math.round(longer.rtoNs / MS), 800)
    assert.ok(roundTrip(longer, 1000, 30) > 1000)
    assert.ok(roundTrip(shorter, 200, 30) < 800)
  })

  it('doubles with each time-out until the next sample', () => {
    const estimate = new RttEstimate(50 * MS)
    const doubled = Array.from({ length: 3 }, () => {
      estimate.backOff()
      return estimate.rtoNs / MS
    })
    assert.deepEqual(doubled, [500, 1000, 2000])
    assert.equal(roundTrip(estimate, 50, 0), 250)
  })
})
