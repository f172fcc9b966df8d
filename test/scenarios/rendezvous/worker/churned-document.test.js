import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Meter } from '../../../../src/measure/operations.js'
import { RunFailure } from '../../../../src/run/run.js'
import { RunLog } from '../../../../src/run/run-header.js'
import { RegistrationChurnMeasurement } from '../../../../src/scenarios/rendezvous/measure/churn.js'
import { watchIntervals } from '../../../../src/scenarios/rendezvous/measurement.js'
import { RunDocument } from '../../../../src/scenarios/rendezvous/run/rendezvous-run.js'
import { EVERY_FIGURE, resultFromText, validPlanOf } from '../../../scenarios.js'

const MS = 1e6
const OPTIONS = {
  ...{ nClients: 3, churn: '1,every=3s,away=1s', duration: '6s', workers: 1 },
  ...{ benchmarkType: 'DISCOVER', rate: '30/s', discoverLimit: 1000, nNamespaces: 1, initialRegistrations: 0 }
}

/** @param {Record<string, unknown>} [more] @param {any} [fleet] */
function documentOf(more = {}, fleet = undefined) {
  /** @type {import('../../../../src/scenarios/rendezvous/options.js').Plan} */
  const churned = validPlanOf('rendezvous', { ...OPTIONS, ...more }, { cores: 2 })
  /** @type {any[]} */
  const records = []
  const log = new RunLog(record => records.push(record))
  const document = new RunDocument(churned, 'a-run', log, fleet)
  document.measurement.churnFrom = startNs => new RegistrationChurnMeasurement(churned, startNs)
  return { plan: churned, log, records, document }
}

/** A minute with 200 DISCOVER, every other record of them stale. @param {ReturnType<typeof documentOf>} run */
function measure({ document: { measurement } }) {
  measurement.begin(0n)
  const replies = Array.from({ length: 200 }, (_, i) => ({
    kind: /** @type {const} */ ('reply'),
    ...{ atNs: (4000 + i) * MS, sentNs: (3999 + i) * MS, node: 0, ns: 0, peers: Uint32Array.of(1, 2) },
    unknown: 0
  }))
  const changes = [
    { node: 2, killedNs: 4500 * MS - 1000 * MS },
    { node: 3, startedNs: 5600 * MS },
    { node: 3, error: 'refused' }
  ]
  const meter = new Meter()
  for (let i = 0; i < 200; i++) meter.record('rt', 'DISCOVER', 'OK', 2 * MS)
  measurement.addLoad(
    {
      ...meter.take(0),
      usage: { wallMs: 1000, activeMs: 100, cpuMicros: 0 },
      churn: { events: replies, changes, cutOff: 0, untilNs: 6000 * MS }
    },
    0
  )
  measurement.end([60_000n * BigInt(MS)])
}

describe('the document of a run with churn', () => {
  test('is one of its scenario, which can be read, before anything was measured', async () => {
    const { document } = documentOf()
    const result = document.result()
    assert.deepEqual([result.scenario, result.outcome.churn], ['rendezvous', undefined])
    const read = await resultFromText(JSON.stringify(result), 'result.json')
    assert.equal(read.scenario, 'rendezvous')
  })

  test('tells how many operations there were in a minute, and judges its thresholds', () => {
    const run = documentOf({ threshold: ['staleShare < 20%', 'DISCOVER.p50 < 5ms'] })
    measure(run)
    const { outcome } = run.document.result()
    assert.equal(outcome.churn?.operationsPerMinute, 200)
    assert.deepEqual(
      outcome.thresholds.map((/** @type {any} */ { actual, passed }) => [actual, passed]),
      [
        [50, false],
        [2, true]
      ]
    )
  })

  test('leaves out times between two machines that are less than their clocks may be off by', () => {
    const machines = (/** @type {number[]} */ ...errors) => ({
      agents: () => errors.map(errorMs => ({ clock: { errorMs }, workers: [] })),
      starts: () => []
    })
    const seenAfter = (/** @type {object | undefined} */ fleet) => {
      const run = documentOf({}, fleet)
      const { measurement } = run.document
      measurement.begin(0n)
      const common = { node: 3, ns: 0 }
      const events = [
        { kind: 'registered', atNs: 5650 * MS, ttlSeconds: 60, certain: true, ...common },
        {
          ...{ kind: 'reply', atNs: 5652 * MS, sentNs: 5651 * MS },
          ...{ node: 0, ns: 0, peers: Uint32Array.of(3), unknown: 0 }
        }
      ]
      const changes = [{ node: 3, startedNs: 5600 * MS, connectedNs: 5620 * MS, registeredNs: 5650 * MS }]
      measurement.churn?.take(/** @type {any} */ ({ events, changes, cutOff: 0, untilNs: 6000 * MS }), 0)
      measurement.end([6000n * BigInt(MS)])
      const { visible } = /** @type {any} */ (run.document.result().outcome.churn)
      return [visible.delay.known.count, visible.delay.known.max?.ms ?? null]
    }
    const actual = [seenAfter(undefined), seenAfter(machines(0.5, 0.5))]
    assert.deepEqual(actual, [
      [1, 2],
      [1, 2]
    ])
    assert.deepEqual(
      [seenAfter(machines(1.5, 0.1, 1)), seenAfter(machines(100))],
      [
        [1, null],
        [1, 2]
      ]
    )
  })

  test('warns of peers that did not reach the server, and of ones that were not where the schedule has them', () => {
    const run = documentOf()
    measure(run)
    const codes = run.document.result().run.warnings.map((/** @type {any} */ { code }) => code)
    assert.ok(codes.includes('PEERS_NOT_STARTED') && codes.includes('PEERS_LATE'), codes.join())
  })
})

test('a threshold on churn ends the run when it has failed for its grace time', t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const run = documentOf({ threshold: 'staleShare < 20%, abortOnFail, grace=2s' })
  measure(run)
  const failure = new RunFailure()
  let nowMs = 0
  const watch = watchIntervals(
    { ...run, failure },
    { measurement: run.document.measurement, figures: () => run.document.figures(), rows: EVERY_FIGURE },
    () => (nowMs += 1000)
  )
  t.mock.timers.tick(2000)
  assert.equal(failure.error, null, 'the grace time has not passed')
  t.mock.timers.tick(2000)
  const error = /** @type {any} */ (failure.error)
  assert.deepEqual([error.code, run.records[0].type], ['THRESHOLD_FAILED', 'interval'])
  assert.equal(run.records[0].figures.churn.discovered.replies, 200)
  watch.stop()
})
