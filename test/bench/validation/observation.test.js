import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { observationOf } from '../../../bench/validation/measures.js'
import { encodeHistogram } from '../../../src/measure/distribution.js'
import { Histogram } from '../../../src/measure/histogram.js'
import { aGossipResult } from '../../scenarios/gossip/a-gossip-result.js'

const result = aGossipResult({ options: { nodes: '10', messages: '20', linkLatency: '100ms' } })

/** @param {Partial<typeof result.outcome>} parts */
const withOutcome = parts => ({ ...result, outcome: { ...result.outcome, ...parts } })

/** @param {number[]} ms */
function histogramOf(ms) {
  const histogram = new Histogram()
  for (const each of ms)
    histogram.merge({
      ...{ values: Float64Array.of(1000 * each), counts: Uint32Array.of(1) },
      ...{ count: 1, sum: 1000 * each, max: 1000 * each }
    })
  return encodeHistogram(histogram)
}

describe('what of a run is compared', () => {
  test('are its latencies in units of a link, ascending', () => {
    const { latency } = result.outcome
    const outcome = withOutcome({ latency: { ...latency, histogram: histogramOf([200, 100, 400]) } })
    const latencies = observationOf(outcome, 100)?.latencies ?? []
    assert.equal(latencies.length, 3)
    for (const [i, expected] of [1, 2, 4].entries())
      assert.ok(Math.abs(latencies[i] - expected) < 0.01, String(latencies))
  })

  test('are its hops, and its mesh by the number of peers', () => {
    const { mesh } = result.outcome
    const found = observationOf(withOutcome({ mesh: { ...mesh, degrees: { 2: 5, 4: 1 } } }), 100)
    assert.deepEqual(found?.meshDegrees, [0, 0, 5, 0, 1])
    assert.deepEqual(found?.hops, result.outcome.hops.deliveries)
    assert.deepEqual(observationOf(withOutcome({ mesh: { ...mesh, degrees: {} } }), 100)?.meshDegrees, [0])
  })

  test('is what a delivery cost, 0 where that is not known', () => {
    const { cost } = result.outcome
    const costly = {
      ...cost,
      duplicatesPerDelivery: 1,
      rpcsPerDelivery: 2,
      controlPerDelivery: 3,
      bytesPerDelivery: 4
    }
    const costs = (/** @type {typeof result.outcome.cost} */ of) => {
      const { duplicates, rpcs, control, bytes } =
        observationOf(withOutcome({ cost: of }), 100) ?? assert.fail()
      return [duplicates, rpcs, control, bytes]
    }
    assert.deepEqual(costs(costly), [1, 2, 3, 4])
    const unknown = {
      ...cost,
      ...{
        duplicatesPerDelivery: null,
        rpcsPerDelivery: null,
        controlPerDelivery: null,
        bytesPerDelivery: null
      }
    }
    assert.deepEqual(costs(unknown), [0, 0, 0, 0])
  })

  test('is nothing where nothing was delivered', () => {
    const { delivery } = result.outcome
    assert.equal(observationOf(withOutcome({ delivery: { ...delivery, delivered: 0 } }), 100), null)
  })
})
