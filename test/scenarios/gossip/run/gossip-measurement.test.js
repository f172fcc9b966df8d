import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { intervalOf, measuring } from '../../gossip-interval.js'

const PUBLISHED = [
  { message: 0, node: 0, atMs: 100 },
  { message: 1, node: 1, atMs: 200 }
]
const RECEIVED = [
  { message: 0, node: 1, from: 0, atMs: 110 },
  { message: 0, node: 2, from: 1, atMs: 120 },
  { message: 1, node: 0, from: 1, atMs: 205 }
]

describe('the measurement of a gossip run', () => {
  test('of which nothing was told has no cost, and lasted no time', () => {
    const { measuredMs, counters, figures } = settled(measuring())
    assert.equal(measuredMs, 0)
    assert.equal(counters.bytesSent, 0)
    assert.deepEqual(figures.cost, {
      cpuMicrosPerDelivery: null,
      duplicatesPerDelivery: null,
      bytesPerDelivery: null,
      rpcsPerDelivery: null,
      controlPerDelivery: null
    })
  })

  test('joins what the workers tell, in whatever order it comes', () => {
    const measurement = measuring({ workers: 2 })
    measurement.add(intervalOf({ received: RECEIVED, atMs: 900 }), 1)
    measurement.add(intervalOf({ published: PUBLISHED, atMs: 1000 }), 0)
    const { figures, measuredMs } = settled(measurement)
    assert.deepEqual(
      [figures.messages.published, figures.delivery.expected, figures.delivery.delivered],
      [2, 4, 3]
    )
    assert.deepEqual([measuredMs, measurement.endNs], [1000, 1e9])
  })

  test('counts what was sent since publishing began, and divides it by the deliveries', () => {
    const measurement = measuring({ workers: 2 })
    for (const worker of [0, 1])
      measurement.before(intervalOf({ atMs: 0, counters: { bytesSent: 500, graftSent: 9 } }), worker)
    const counters = { bytesSent: 2000, graftSent: 10, ihaveSent: 2, rpcsSent: 6, duplicates: 3 }
    measurement.add(intervalOf({ published: PUBLISHED, received: RECEIVED, counters, cpuMicros: 1200 }), 0)
    measurement.add(intervalOf({ counters, cpuMicros: 300 }), 1)
    assert.equal(measurement.counters.bytesSent, 3000)
    assert.deepEqual(settled(measurement).figures.cost, {
      cpuMicrosPerDelivery: 500,
      duplicatesPerDelivery: 2,
      bytesPerDelivery: 1000,
      rpcsPerDelivery: 4,
      controlPerDelivery: 2
    })
  })

  test('has in its digest what its lens leaves out of the figures: it has happened, too', () => {
    const digestOf = (/** @type {object} */ more, received = RECEIVED) => {
      const measurement = measuring({ simulated: true, ...more })
      measurement.add(intervalOf({ published: PUBLISHED, received }), 0)
      return measurement.digest
    }
    const nobody = { lens: { take: () => intervalOf({}).received } }
    assert.match(String(digestOf({})), /^engine-7:[\da-f]{64}$/)
    assert.equal(digestOf(nobody), digestOf({}))
    assert.notEqual(digestOf(nobody, RECEIVED.slice(1)), digestOf(nobody))
  })

  test('counts streams that were aborted while it went on', () => {
    const measurement = measuring({ workers: 2 })
    measurement.before(intervalOf({ atMs: 0, abortedStreams: 2 }), 0)
    measurement.add(intervalOf({ abortedStreams: 3 }), 0)
    measurement.add(intervalOf({ abortedStreams: 1 }), 1)
    assert.equal(measurement.abortedStreams, 2)
  })
})

/** @param {ReturnType<typeof measuring>} measurement */
const settled = measurement => ({
  measuredMs: measurement.measuredMs,
  counters: measurement.counters,
  figures: measurement.figures()
})
