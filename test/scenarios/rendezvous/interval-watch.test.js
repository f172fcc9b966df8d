import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Meter } from '../../../src/measure/operations.js'
import { RunFailure } from '../../../src/run/run.js'
import { RunLog } from '../../../src/run/run-header.js'
import { Measurement, watchIntervals } from '../../../src/scenarios/rendezvous/measurement.js'
import { makeLiveFigures } from '../../../src/scenarios/rendezvous/outcome.js'
import { planned } from '../../plan/planned.js'
import { EVERY_FIGURE } from '../../scenarios.js'

/** @param {number} ms response time */
function interval(ms) {
  const meter = new Meter()
  for (let i = 0; i < 200; i++) meter.record('rt', 'DISCOVER', 'OK', ms * 1e6)
  return { ...meter.take(0), usage: { wallMs: 1000, activeMs: 400, cpuMicros: 0 } }
}

test('tells every second what was measured, until a threshold has failed for its grace time', t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  /** @type {any[]} */
  const records = []
  const failure = new RunFailure()
  const measurement = new Measurement(1)
  let nowMs = 0
  const watch = watchIntervals(
    {
      plan: planned({
        benchmarkType: 'DISCOVER',
        threshold: ['DISCOVER.p50 < 10ms, abortOnFail, grace=2s', 'DISCOVER.p999 < 1s']
      }),
      log: new RunLog(record => records.push(record)),
      failure
    },
    { measurement, figures: () => makeLiveFigures(measurement), rows: EVERY_FIGURE },
    () => nowMs
  )
  const second = (/** @type {number} */ ms) => {
    measurement.addLoad(interval(ms), 0)
    nowMs += 1000
    t.mock.timers.tick(1000)
  }

  second(5)
  assert.deepEqual([records[0].type, records[0].figures.operations.DISCOVER.count], ['interval', 200])
  assert.deepEqual(records[0].utilizations, [0.4])
  const actual = records[0].thresholds.map((/** @type {any} */ { text, passed }) => [text, passed])
  assert.deepEqual(actual, [['DISCOVER.p50 < 10ms', true]])

  for (const ms of [50, 50, 50]) second(ms)
  assert.equal(failure.error, null, 'the grace time has not passed')
  second(50)
  const error = /** @type {any} */ (failure.error)
  assert.equal(error.code, 'THRESHOLD_FAILED')
  assert.match(error.message, /^threshold DISCOVER\.p50 < 10ms failed at 5\d\.\d ms$/)
  assert.deepEqual([error.brokeOff.passed, error.brokeOff.text], [false, 'DISCOVER.p50 < 10ms'])

  watch.stop()
  const { length } = records
  second(50)
  assert.equal(records.length, length)
})
