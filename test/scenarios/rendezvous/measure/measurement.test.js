import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Meter } from '../../../../src/measure/operations.js'
import { Measurement, ServerDurations } from '../../../../src/scenarios/rendezvous/measurement.js'
import { createDurations } from '../../../../src/server/process/metrics.js'
import { range } from '../../../measure/samples.js'

/** @param {number} turns */
function interval(turns) {
  const meter = new Meter()
  for (const i of range(1, turns)) {
    meter.record('rt', 'DISCOVER', 'OK', i * 1000)
    meter.overhead('DISCOVER', 'OK', i * 1000, i * 10)
    meter.record('turn', '', '', i * 100)
  }
  return meter.take(0)
}

describe('a measurement', () => {
  it('pools the operations of all workers, and keeps apart how busy each was', () => {
    const measurement = new Measurement(2)
    measurement.addLoad(interval(30), 0)
    measurement.addLoad(interval(12), 1)
    assert.equal(measurement.load.operations, 42)
    const turns = measurement.workerTotals.map(totals => totals.pooled('turn', '').count)
    const overheads = measurement.workerTotals.map(totals => totals.overheads(null).count)
    assert.deepEqual(
      [turns, overheads],
      [
        [30, 12],
        [30, 12]
      ]
    )
    assert.deepEqual(
      measurement.workerTotals.map(({ operations }) => operations),
      [0, 0]
    )
  })

  it('adds up how busy each worker was', () => {
    const measurement = new Measurement(2)
    for (const n of [1, 2]) {
      const wallMs = 100 * n
      measurement.addLoad({ ...interval(1), usage: { wallMs, activeMs: 50 * n, cpuMicros: 7 * n } }, 0)
      measurement.addLoad({ ...interval(1), usage: { wallMs, activeMs: 10 * n, cpuMicros: 9 * n } }, 1)
    }
    measurement.addLoad(interval(1), 1)
    assert.deepEqual(measurement.workerUsage, [
      { wallMs: 300, activeMs: 150, cpuMicros: 21 },
      { wallMs: 300, activeMs: 30, cpuMicros: 27 }
    ])
  })

  it('keeps memory in use of our own processes when it was read, and their resident sets always', () => {
    const measurement = new Measurement(1)
    const usage = { wallMs: 1000, activeMs: 0, cpuMicros: 0 }
    for (const inUseBytes of [null, 30, null])
      measurement.addLoad(
        { ...interval(1), usage: { ...usage, memory: { residentBytes: 90, inUseBytes } } },
        0
      )
    const { resident, inUse } = measurement.ownMemory.get('worker 0') ?? {}
    assert.deepEqual(
      [resident, inUse].map(series => series?.readings.map(({ value }) => value)),
      [[90, 90, 90], [30]]
    )
  })

  it('keeps points over time of the load alone, which plots are made of', () => {
    const measurement = new Measurement(1, { points: 2 })
    for (const second of [0, 1, 2]) measurement.addLoad({ ...interval(1), second }, 0)
    assert.deepEqual(
      [measurement.load, ...measurement.workerTotals].map(totals => totals.perSecond().length),
      [2, 0]
    )
    assert.equal(measurement.load.secondsPerPoint, 2)
  })

  it('covers, of the load under way, what every worker has told of', () => {
    const measurement = new Measurement(2)
    measurement.measuredMs = 400
    assert.equal(measurement.coveredMs, 400)
    measurement.addLoad(interval(1), 0)
    measurement.runningSinceNs = process.hrtime.bigint() - 1_000_000_000n
    assert.equal(measurement.coveredMs, 400)
    measurement.addLoad(interval(1), 0)
    assert.equal(measurement.coveredMs, 400, 'one worker has told nothing of it')
    measurement.addLoad(interval(1), 1)
    assert.ok(measurement.coveredMs >= 1400 && measurement.coveredMs <= measurement.soFarMs)
    measurement.runningSinceNs = null
    assert.equal(measurement.coveredMs, 400)
  })

  it('lasts until the last worker has ended, and ends once', () => {
    const measurement = new Measurement(2)
    assert.deepEqual([measurement.measuredMs, measurement.soFarMs], [0, 0])
    const startNs = process.hrtime.bigint()
    measurement.begin(startNs)
    measurement.end([startNs + 300_000_000n, startNs + 400_000_000n])
    measurement.end([startNs + 900_000_000n])
    assert.deepEqual([measurement.measuredMs, measurement.soFarMs], [400, 400])
  })

  it('counts of the load under way what has passed, and nothing before it began', () => {
    const measurement = new Measurement(1)
    measurement.measuredMs = 400
    measurement.runningSinceNs = process.hrtime.bigint() + 10n ** 15n
    assert.equal(measurement.soFarMs, 400)
    measurement.runningSinceNs = process.hrtime.bigint() - 5_000_000n
    assert.ok(measurement.soFarMs >= 405)
    assert.equal(measurement.measuredMs, 400)
  })
})

describe("the server's own durations", () => {
  /** @param {number[]} us - as a server tells them */
  const counted = us => {
    const durations = createDurations()
    for (const each of us) durations.record('ANY', each / 1000)
    return JSON.parse(JSON.stringify(durations.counts())).ANY
  }

  it('are pooled, by type', () => {
    const durations = new ServerDurations()
    durations.add({ DISCOVER: counted(range(1, 500)), REGISTER: counted([7]) })
    durations.add({ DISCOVER: counted(range(501, 1000)) })
    const { DISCOVER, REGISTER } = durations.summaries(['DISCOVER', 'REGISTER'])
    assert.deepEqual([DISCOVER.count, DISCOVER.p50?.ms, DISCOVER.max?.ms], [1000, 0.5, 1])
    assert.deepEqual([REGISTER.count, REGISTER.p50], [1, null])
  })

  it('are shown of the types that were measured and came', () => {
    const durations = new ServerDurations()
    durations.add({
      DISCOVER: counted([5]),
      REGISTER: { values: [], counts: [], count: 0, sum: 0, max: 0 },
      UNREGISTER: counted([5])
    })
    assert.deepEqual(Object.keys(durations.summaries(['DISCOVER', 'REGISTER'])), ['DISCOVER'])
  })
})
