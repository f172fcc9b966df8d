import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Meter } from '../../../../src/measure/operations.js'
import { Trouble } from '../../../../src/run/run.js'
import { Measurement } from '../../../../src/scenarios/rendezvous/measurement.js'
import { measure } from '../../../../src/scenarios/rendezvous/run/load-phases.js'
import { planned } from '../../../plan/planned.js'
import { until } from '../../../until.js'

const LOAD_MS = 100

/** @param {string} outcome - of the one operation */
function intervalOf(outcome) {
  const meter = new Meter()
  meter.record('rt', 'DISCOVER', outcome, 1e6)
  return meter.take(0)
}

/**
 * A run of one operation.
 *
 * @param {Promise<{ outcome: string }>} over - the only operation, as if it had lasted for LOAD_MS
 * @param {{ faults?: object[], handles?: object | null }} [fault]
 */
function measuring(over, { faults = [], handles = null } = {}) {
  const measurement = new Measurement(1)
  const trouble = new Trouble()
  const pool = {
    ...{ begin: async () => {}, prepare: async () => {}, abort: async () => {} },
    run() {
      const startNs = process.hrtime.bigint()
      const ended = over.then(({ outcome }) => {
        measurement.addLoad(intervalOf(outcome), 0)
        return [{ endNs: startNs + BigInt(LOAD_MS * 1e6), succeeded: [] }]
      })
      return { startNs, ended, over: Promise.resolve() }
    }
  }
  const parts = {
    plan: { ...planned({ benchmarkType: 'DISCOVER', benchmarkRuns: 1 }), faults },
    target: { control: null, reading: null, faults: handles },
    ...{ pool, trouble, log: { progress() {}, interval() {} }, figures: () => ({}) }
  }
  return { measurement, trouble, done: measure(/** @type {any} */ (parts), measurement) }
}

/** @param {Measurement} measurement */
const measuredBy = ({ measuredMs, load }) => [measuredMs, load.operations]

describe('the measurement', () => {
  it('is counted once where nothing was answered in it', async () => {
    const { measurement, done } = measuring(Promise.resolve({ outcome: 'TIMEOUT' }))
    await assert.rejects(done, { code: 'SERVER_HUNG' })
    assert.deepEqual(measuredBy(measurement), [LOAD_MS, 1])
  })

  it('is over with its last operation, and counted once, though a fault outlasts it and the run is broken off then', async () => {
    const paused = Promise.withResolvers()
    const resumed = Promise.withResolvers()
    const { measurement, trouble, done } = measuring(
      paused.promise.then(() => ({ outcome: 'OK' })),
      {
        faults: [{ kind: 'pause', atMs: 0, forMs: 0, cpus: null }],
        handles: { pause: async () => paused.resolve(null), resume: () => resumed.promise }
      }
    )
    await until(() => measurement.measuredMs > 0)
    const { coveredMs, soFarMs } = measurement
    trouble.raise(new Error('throughput is too low'))
    resumed.resolve(null)
    await assert.rejects(done, /too low/)
    assert.deepEqual([coveredMs, soFarMs], [LOAD_MS, LOAD_MS])
    assert.deepEqual(measuredBy(measurement), [LOAD_MS, 1])
  })

  it('that is broken off is counted up to then', async () => {
    const { measurement, trouble, done } = measuring(new Promise(() => {}))
    await until(() => measurement.runningSinceNs !== null)
    measurement.addLoad(intervalOf('OK'), 0)
    trouble.raise(new Error('interrupted'))
    await assert.rejects(done, /interrupted/)
    assert.equal(measurement.load.operations, 1)
    assert.equal(measurement.coveredMs, measurement.measuredMs)
  })
})
