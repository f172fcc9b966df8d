import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Meter } from '../../../../src/measure/operations.js'
import { Measurement } from '../../../../src/scenarios/rendezvous/measurement.js'
import { operationResults } from '../../../../src/scenarios/rendezvous/outcome.js'

/** @param {Record<string, number>} outcomes - how many of each */
function intervalOf(outcomes) {
  const meter = new Meter()
  for (const [outcome, count] of Object.entries(outcomes))
    for (let i = 0; i < count; i++) meter.record('rt', 'REGISTER', outcome, 1000)
  return meter.take(0)
}

/** @param {Measurement} measurement */
const microsOf = measurement =>
  operationResults({ ratePerSecond: null }, measurement).REGISTER.serverCpuMicrosPerOperation

it('server CPU per operation is of what the server served', () => {
  const measurement = new Measurement(1)
  measurement.resources.begin({ atMs: 0, cpuMs: 0, rssBytes: 1 })
  measurement.resources.read({ atMs: 1000, cpuMs: 60, rssBytes: 1 })
  measurement.addLoad(intervalOf({ TIMEOUT: 3, REFUSED: 50, DROPPED: 7, INTERRUPTED: 1 }), 0)
  assert.equal(microsOf(measurement), null, 'nothing was')
  measurement.addLoad(intervalOf({ OK: 20, E_UNAVAILABLE: 3, BAD_REPLY: 1 }), 0)
  assert.equal(microsOf(measurement), 60_000 / 24)
})
