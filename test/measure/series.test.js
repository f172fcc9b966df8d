import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ResourceSeries } from '../../src/measure/series.js'

/** @typedef {[atMs: number, cpuMs: number, rssMb: number]} Row */

/** @param {Row[]} rows - of one window */
function readWindow(/** @type {ResourceSeries} */ series, rows) {
  const readings = rows.map(([atMs, cpuMs, rssMb]) => ({ atMs, cpuMs, rssBytes: rssMb * 1e6 }))
  series.begin(readings[0])
  for (const reading of readings.slice(1, -1)) series.read(reading)
  series.end(readings[readings.length - 1])
}

/** @param {Row[][]} windows */
function seriesOf(...windows) {
  const series = new ResourceSeries()
  for (const rows of windows) readWindow(series, rows)
  return series
}

/** Rows every 50 ms, each with its CPU share. @param {number[]} percents @param {number} [fromMs] @returns {Row[]} */
function steady(percents, fromMs = 0) {
  let cpuMs = 7000
  const first = /** @type {Row} */ ([fromMs, cpuMs, 50])
  return [
    first,
    ...percents.map((percent, i) => {
      cpuMs += percent * 0.5
      return /** @type {Row} */ ([fromMs + 50 * (i + 1), cpuMs, 50 + i])
    })
  ]
}

/** @param {ResourceSeries} series */
const percents = series => series.samples.map(({ cpuPercent }) => cpuPercent)

describe("the server's CPU", () => {
  it('is sampled between readings', () => {
    assert.deepEqual(percents(seriesOf(steady([40, 80, 0]))), [40, 80, 0])
  })

  it('has an average from its counters, however few samples there are', () => {
    const { cpu } = seriesOf([
      [1000, 500, 50],
      [1040, 520, 50]
    ]).result()
    assert.deepEqual(cpu, { averagePercent: 50, medianPercent: null, maxPercent: null, samples: 0 })
  })

  it('does not count what is used between windows', () => {
    const series = seriesOf(
      [
        [0, 0, 50],
        [1000, 500, 50]
      ],
      [
        [60_000, 30_000, 50],
        [61_000, 30_500, 50]
      ]
    )
    assert.equal(series.result().cpu.averagePercent, 50)
    assert.equal(series.cpuMs, 1000)
  })

  it('is not known before anything was measured', () => {
    const { cpu, memory, series } = new ResourceSeries().result()
    assert.deepEqual(cpu, { averagePercent: null, medianPercent: null, maxPercent: null, samples: 0 })
    assert.deepEqual(memory, { averageBytes: null, medianBytes: null, maxBytes: null, samples: 0 })
    assert.deepEqual(series, [])
  })

  it('is not read outside a window', () => {
    const series = new ResourceSeries()
    series.read({ atMs: 0, cpuMs: 0, rssBytes: 1 })
    series.end({ atMs: 500, cpuMs: 500, rssBytes: 1 })
    assert.equal(series.result().cpu.averagePercent, null)
  })

  for (const [
    count,
    percentsGiven,
    median,
    max
  ] of /** @type {[number, number[], number | null, number | null][]} */ ([
    [4, [1, 2, 3, 90], null, null],
    [5, [5, 4, 3, 2, 90], 4, 90],
    [6, [6, 5, 4, 3, 2, 90], 4.5, 90]
  ])) {
    it(`has ${median == null ? 'no ' : ''}median and maximum with ${count} samples`, () => {
      const { cpu } = seriesOf(steady(percentsGiven)).result()
      assert.equal(cpu.samples, count)
      assert.deepEqual([cpu.medianPercent, cpu.maxPercent], [median, max])
    })
  }

  it('may be above 100 %, one core', () => {
    assert.deepEqual(percents(seriesOf(steady([250]))), [250])
  })
})

describe('a server that is started again', () => {
  it('is read on, without what could not be read', () => {
    const series = new ResourceSeries()
    series.begin({ atMs: 0, cpuMs: 900, rssBytes: 5 })
    series.read({ atMs: 300, cpuMs: 1050, rssBytes: 5 })
    series.lost()
    series.read({ atMs: 1300, cpuMs: 20, rssBytes: 1 })
    series.end({ atMs: 1600, cpuMs: 170, rssBytes: 1 })
    assert.equal(series.result().cpu.averagePercent, 50)
    const found = series.samples.flatMap(({ atMs, cpuPercent }) => [atMs, cpuPercent])
    assert.deepEqual(found, [300, 50, 1600, 50])
  })

  it('between two readings counts from 0 again, and not below', () => {
    const series = new ResourceSeries()
    series.begin({ atMs: 0, cpuMs: 900, rssBytes: 5 })
    series.read({ atMs: 300, cpuMs: 20, rssBytes: 1 })
    series.end({ atMs: 600, cpuMs: 170, rssBytes: 1 })
    assert.equal(series.result().cpu.averagePercent, 50)
  })
})

describe('short windows', () => {
  it('are joined until a sample is long enough', () => {
    const windows = [0, 1, 2, 3, 4].map(
      i =>
        /** @type {Row[]} */ ([
          [i * 10_000, i * 1000, 50],
          [i * 10_000 + 20, i * 1000 + 4 * (i + 1), 60 + i]
        ])
    )
    const series = seriesOf(...windows)
    // 20 ms each: the first three make a sample, the other two are too short for a second one
    assert.deepEqual(series.samples, [{ atMs: 20_020, cpuPercent: 40, rssBytes: 62e6 }])
    assert.equal(series.result().cpu.averagePercent, 60)
  })

  it('add their rest to the first sample of the next window', () => {
    const series = seriesOf(
      [
        [0, 0, 50],
        [20, 20, 50]
      ],
      [
        [5000, 900, 50],
        [5060, 900, 50]
      ]
    )
    assert.deepEqual(percents(series), [25])
  })
})

describe("the server's memory", () => {
  it('has average, and median and maximum from five samples', () => {
    const { memory } = seriesOf(steady(Array(5).fill(10))).result()
    assert.deepEqual(memory, { averageBytes: 52e6, medianBytes: 52e6, maxBytes: 54e6, samples: 5 })
  })

  it('has only its average with fewer', () => {
    const { memory } = seriesOf(steady([10, 10])).result()
    assert.deepEqual(memory, { averageBytes: 50.5e6, medianBytes: null, maxBytes: null, samples: 2 })
  })
})
