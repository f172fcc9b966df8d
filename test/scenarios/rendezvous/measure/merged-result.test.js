import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { median } from '../../../../src/kit/collections.js'
import { decodeOverheads, mergeOverheads } from '../../../../src/measure/client-overhead.js'
import { decodeHistogram } from '../../../../src/measure/distribution.js'
import { removeTimeSeries } from '../../../../src/report/result-folder.js'
import { mergeResults } from '../../../../src/scenarios/rendezvous/measure/merged-result.js'
import { measuredResult } from '../../../report/measured-result.js'

const options = { threshold: ['REGISTER.count >= 1000'] }
const RUNS = [
  measuredResult({ seconds: 6, perSecond: 90, options }),
  measuredResult({ seconds: 6, perSecond: 60, stallAt: 1, options }),
  measuredResult({ seconds: 4, perSecond: 90, options })
]

/** @param {import('../../../../src/report/schema.js').Result} result */
const registers = ({ outcome }) => /** @type {any} */ (outcome.operations.REGISTER)

/** @param {import('../../../../src/report/schema.js').Result} result */
const serverOf = ({ outcome }) => /** @type {any} */ (outcome.server)

/** What overheads hold, whatever order they were counted in. @param {import('../../../../src/measure/client-overhead.js').Overheads} overheads */
function parted(overheads) {
  const { values, counts, ...totals } = overheads.toData()
  return { ...totals, counts: Array.from(values, (value, i) => [value, counts[i]]).sort(([a], [b]) => a - b) }
}

/** @param {(run: typeof RUNS[number]) => number} read */
const sum = read => RUNS.reduce((all, run) => all + read(run), 0)

describe('runs of a plan on servers of their own', () => {
  const whole = mergeResults(RUNS)

  test('have their operations, errors and outcomes together, over the time of all', () => {
    const { count, errors, outcomes, throughputPerSecond } = registers(whole)
    assert.equal(
      count,
      sum(run => registers(run).count)
    )
    assert.equal(
      errors,
      sum(run => registers(run).errors)
    )
    assert.ok(errors > 0)
    assert.deepEqual([outcomes, whole.outcome.measuredMs], [{ OK: count - errors, TIMEOUT: errors }, 16_000])
    assert.ok(Math.abs(throughputPerSecond - (count - errors) / 16) < 1e-9)
  })

  test('have an exact average and maximum, and percentiles of merged histograms that one alone has too few operations for', () => {
    const { rt, count, histograms } = registers(whole)
    const average = sum(run => registers(run).rt.all.avg.ms * registers(run).count) / count
    assert.ok(Math.abs(rt.all.avg.ms - average) < 1e-9)
    assert.equal(rt.all.max.ms, Math.max(...RUNS.map(run => registers(run).rt.all.max.ms)))
    const actual = RUNS.map(run => registers(run).rt.all.p99)
    assert.deepEqual(actual, [null, null, null])
    assert.equal(rt.all.count, count)
    assert.ok(rt.all.p99.ms > rt.all.p90.ms)
    const merged = Object.values(histograms).map(text => decodeHistogram(String(text)).count)
    assert.equal(
      merged.reduce((all, each) => all + each, 0),
      count
    )
  })

  test('have the CPU of all over the time of all, and the median and maximum of the samples of all', () => {
    const { cpu, memory } = serverOf(whole)
    const samples = RUNS.flatMap(run => serverOf(run).series)
    const used = sum(run => serverOf(run).cpu.averagePercent * run.outcome.measuredMs)
    assert.ok(Math.abs(cpu.averagePercent - used / 16_000) < 1e-9)
    assert.equal(cpu.medianPercent, median(samples.map(({ cpuPercent }) => cpuPercent)))
    assert.equal(cpu.maxPercent, Math.max(...samples.map(({ cpuPercent }) => cpuPercent)))
    assert.equal(memory.maxBytes, Math.max(...samples.map(({ rssBytes }) => rssBytes)))
    assert.equal(memory.medianBytes, median(samples.map(({ rssBytes }) => rssBytes)))
    assert.equal(cpu.samples, samples.length)
  })

  test('have about the same median where results are kept without samples', () => {
    const { cpu } = serverOf(mergeResults(RUNS.map(removeTimeSeries)))
    const medians = RUNS.map(run => serverOf(run).cpu.medianPercent)
    assert.ok(cpu.medianPercent >= Math.min(...medians) && cpu.medianPercent <= Math.max(...medians))
    assert.equal(cpu.maxPercent, serverOf(whole).cpu.maxPercent)
  })

  test('are held to thresholds together, and have the warnings of each', () => {
    const actual = [...RUNS, whole].map(({ outcome }) => outcome.thresholds.map(({ passed }) => passed))
    assert.deepEqual(actual, [[false], [false], [false], [true]])
    assert.equal(
      whole.run.warnings.length,
      sum(run => run.run.warnings.length)
    )
  })

  test('are what it was, where there is one', () => {
    const [alone] = RUNS
    const again = mergeResults([alone])
    const { p50, p90, max } = registers(again).rt.all
    const actual = [p50.ms, p90.ms, max.ms]
    assert.deepEqual(
      actual,
      ['p50', 'p90', 'max'].map(key => registers(alone).rt.all[key].ms)
    )
    assert.deepEqual(serverOf(again).cpu, serverOf(alone).cpu)
  })

  test('have the client overhead of all operations, as if one run had measured them', () => {
    const { rt, overheads } = registers(whole)
    const all = mergeOverheads(RUNS.map(run => decodeOverheads(registers(run).overheads)))
    assert.equal(all.count, registers(whole).count)
    assert.deepEqual(parted(decodeOverheads(overheads)), parted(all))
    for (const key of ['p50', 'p90', 'p95', 'p99'])
      assert.equal(rt.all[key].overheadMs, Number(all.near(1000 * rt.all[key].ms)) / 1000)
  })

  test('have none where one has none, as results from before there was any', () => {
    const older = structuredClone(RUNS)
    for (const run of older) delete registers(run).overheads
    for (const runs of [older, [RUNS[0], older[1]], [older[0], RUNS[1]]]) {
      const { rt, overheads } = registers(mergeResults(runs))
      assert.deepEqual([rt.all.p50.overheadMs, overheads], [undefined, undefined])
    }
  })
})
