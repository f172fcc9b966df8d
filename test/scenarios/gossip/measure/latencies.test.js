import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Latencies } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'

describe('latencies of deliveries', () => {
  it('that would be negative are counted, and in no distribution', () => {
    const latencies = new Latencies()
    assert.equal(latencies.deliver(2000, 1000), null)
    latencies.miss(9000, 8000, 4)
    assert.deepEqual([latencies.negative, latencies.figures().delivered.count], [5, 0])
    assert.equal(latencies.times().all.count, 0)
  })

  it('of what did not come are at least the time until the end, beside those of what came', () => {
    const latencies = new Latencies()
    assert.equal(latencies.deliver(1000, 3000), 2000)
    latencies.miss(1000, 101_000, 2)
    const { all, delivered } = latencies.times()
    assert.deepEqual([all.count, delivered.count], [3, 1])
    assert.deepEqual([delivered.max?.ms, delivered.max?.censored], [2, false])
    assert.deepEqual([all.max?.ms, all.max?.censored, latencies.negative], [100, true, 0])
  })
})
