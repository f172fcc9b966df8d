import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  networkLoad,
  peakFactorOf,
  SOURCE_ESTIMATE,
  serversFor
} from '../../../../src/studies/saturation/plan/network-load.js'

const NETWORK = {
  peers: 1_000_000,
  requestsPerDay: 8,
  peakFactor: 2,
  topics: 1,
  ttlSeconds: 7200,
  registerShare: 0.5
}

describe('the load of a described network', () => {
  it('of the source is its 92 requests a second', () => {
    const { meanPerSecond, peakPerSecond, burstPerSecond } = networkLoad(NETWORK)
    assert.equal(Math.floor(meanPerSecond), SOURCE_ESTIMATE.meanPerSecond)
    assert.equal(peakPerSecond, 2 * meanPerSecond)
    assert.equal(burstPerSecond, 6 * meanPerSecond)
  })

  it('holds what the peak hour registers within a time to live', () => {
    // 185.2 requests a second, half of them register, 7,200 s
    assert.equal(networkLoad(NETWORK).heldRegistrations, 666_667)
    assert.equal(networkLoad({ ...NETWORK, ttlSeconds: 720 }).heldRegistrations, 66_667)
  })

  it('never holds more than all peers have', () => {
    assert.equal(networkLoad({ ...NETWORK, ttlSeconds: 259_200 }).heldRegistrations, 1_000_000)
    assert.equal(networkLoad({ ...NETWORK, ttlSeconds: 259_200, topics: 3 }).heldRegistrations, 3_000_000)
  })

  it('has a peak factor of 24 where one hour has it all, and of 1 where all hours are alike', () => {
    assert.equal(peakFactorOf(1), 24)
    assert.equal(peakFactorOf(1 / 24), 1)
  })
})

describe('the number of servers', () => {
  /** @type {[number, number, number][]} */
  const rows = [
    [185, 1000, 1],
    [185, 308, 2],
    [185, 309, 1],
    [60, 100, 1],
    [60.1, 100, 2],
    [0.001, 5000, 1]
  ]
  for (const [peak, sustainable, servers] of rows)
    it(`is ${servers} for ${peak}/s where one sustains ${sustainable}/s`, () =>
      assert.equal(serversFor(peak, sustainable), servers))
})
