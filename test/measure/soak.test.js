import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BoundedSeries } from '../../src/measure/bounded-series.js'
import { Meter } from '../../src/measure/meter.js'
import { MOST_SAMPLES, ResourceSeries } from '../../src/measure/resource-series.js'
import { soakOf } from '../../src/measure/soak.js'
import { Totals } from '../../src/measure/totals.js'
import { trendOf } from '../../src/measure/trend.js'
import { subStream } from '../../src/plan/random.js'

const HOUR = 3_600_000

/** @param {(minute: number) => number} value @param {number} [ms] @returns {{ atMs: number, value: number }[]} one a second */
const everySecond = (value, ms = HOUR) =>
  Array.from({ length: ms / 1000 }, (_, second) => ({ atMs: second * 1000, value: value(second / 60) }))

describe('a trend', () => {
  const time = { fromMs: 0, toMs: HOUR, stretch: 60_000 }
  const noise = subStream(7, 'noise')
  /** @type {[string, (minute: number) => number, string, number][]} */
  const cases = [
    ['of memory that grows by 60 MB an hour', minute => 100 + minute + 5 * noise(), 'growing', 60],
    ['of memory that shrinks', minute => 100 - minute / 2 + noise(), 'shrinking', -30],
    ['of memory that only swings', minute => 100 + 5 * Math.sin(minute), 'not shown to grow', 0],
    ['that is sure but of no account', minute => 100 + minute / 60, 'not shown to grow', 1]
  ]
  for (const [name, value, verdict, perHour] of cases)
    it(`${name} is ${verdict}`, () => {
      const trend = trendOf(everySecond(value), time)
      assert.equal(trend?.verdict, verdict, JSON.stringify(trend))
      assert.ok(Math.abs(trend.perHour - perHour) < 2, `${trend.perHour}`)
      assert.ok(trend.low <= trend.perHour && trend.perHour <= trend.high)
    })

  it('is not known of too few readings', () => assert.equal(trendOf([{ atMs: 0, value: 1 }], time), null))
})

describe('a long run', () => {
  const MS = 600_000
  /** @param {(second: number) => { us: number, failed?: number }} at @returns {Parameters<typeof soakOf>[0]['perSecond']} */
  const perSecond = at =>
    Array.from({ length: MS / 1000 }, (_, second) => second).flatMap(second => {
      const { us, failed = 0 } = at(second)
      const entry = { second, type: /** @type {const} */ ('DISCOVER') }
      return [
        { ...entry, outcome: 'OK', histogram: /** @type {[number, number][]} */ ([[us, 50]]) },
        ...(failed > 0
          ? [{ ...entry, outcome: 'TIMEOUT', histogram: /** @type {[number, number][]} */ ([[9e6, failed]]) }]
          : [])
      ]
    })
  const flat = {
    durationMs: MS,
    serverMemory: everySecond(() => 1e8, MS),
    ownMemory: new Map(),
    perSecond: perSecond(() => ({ us: 2000 }))
  }

  it('of less than 5 minutes is none', () => assert.equal(soakOf({ ...flat, durationMs: 299_000 }), null))

  it('tells memory that a process took at first from memory that it goes on to take', () => {
    const settles = everySecond(minute => 1e8 + 2e7 * Math.min(minute, 3), MS)
    assert.equal(soakOf({ ...flat, serverMemory: settles })?.serverBytes?.verdict, 'not shown to grow')
    const grows = everySecond(minute => 1e8 + 2e7 * minute, MS)
    assert.equal(soakOf({ ...flat, serverMemory: grows })?.serverBytes?.verdict, 'growing')
  })

  it('tells which of our own processes grow, and whether more is in use after each garbage collection', () => {
    const sawtooth = (/** @type {number} */ minute) => 3e7 + 2e7 * ((minute * 7) % 1)
    const ownMemory = new Map([
      [
        'worker 0',
        { resident: everySecond(minute => 9e7 + 1e6 * minute, MS), inUse: everySecond(sawtooth, MS) }
      ],
      [
        'main process',
        { resident: everySecond(() => 9e7, MS), inUse: everySecond(minute => 3e7 + 2e6 * minute, MS) }
      ]
    ])
    assert.deepEqual(
      soakOf({ ...flat, ownMemory })?.ownBytes.map(({ process, trend, inUse }) => [
        process,
        trend?.verdict,
        inUse?.verdict
      ]),
      [
        ['worker 0', 'growing', 'not shown to grow'],
        ['main process', 'not shown to grow', 'growing']
      ]
    )
  })

  it('tells times that become longer, and when operations failed', () => {
    const soak = soakOf({
      ...flat,
      perSecond: perSecond(second => ({ us: 2000 + 5 * second, failed: second >= 400 ? 1 : 0 }))
    })
    const [{ type, trend }] = soak?.p50Ms ?? []
    assert.deepEqual([type, trend?.verdict], ['DISCOVER', 'growing'])
    assert.ok(Math.abs(Number(trend?.perHour) - 18) < 0.5, `${trend?.perHour} ms`)
    assert.deepEqual(soak?.errors, [
      { operations: 10_000, errors: 0 },
      { operations: 10_000, errors: 0 },
      { operations: 10_200, errors: 200 }
    ])
  })

  it('without readings of the server says nothing of it', () =>
    assert.equal(soakOf({ ...flat, serverMemory: [] })?.serverBytes, null))
})

describe('what is kept of a run', () => {
  it('has no more than 3,600 points over time, and loses no operation', () => {
    const totals = new Totals()
    const meter = new Meter()
    for (let second = 0; second < 10_000; second++) {
      meter.record('rt', 'DISCOVER', 'OK', 1e6)
      if (second % 100 === 0) meter.reconnect()
      totals.add(meter.take(second))
    }
    const points = totals.perSecond()
    assert.equal(totals.secondsPerPoint, 4)
    assert.equal(points.length, 2500)
    assert.deepEqual(
      points.slice(0, 3).map(({ second }) => second),
      [0, 4, 8]
    )
    assert.deepEqual(
      new Set(points.map(({ histogram }) => histogram.reduce((sum, [, n]) => sum + n, 0))),
      new Set([4])
    )
    assert.equal(
      [...totals.reconnects.values()].reduce((sum, n) => sum + n, 0),
      100
    )
    assert.ok([...totals.reconnects.keys()].every(second => second % 4 === 0))
    totals.destroy()
  })

  it('has a point for each second up to an hour', () => {
    const totals = new Totals()
    const meter = new Meter()
    for (let second = 0; second < 3600; second++) {
      meter.record('rt', 'DISCOVER', 'OK', 1e6)
      totals.add(meter.take(second))
    }
    assert.deepEqual([totals.secondsPerPoint, totals.perSecond().length], [1, 3600])
    totals.destroy()
  })

  it('has no more samples of the server than those of an hour, with the highest and the average as they were', () => {
    const series = new ResourceSeries()
    series.begin({ atMs: 0, cpuMs: 0, rssBytes: 1 })
    let cpuMs = 0
    for (let i = 1; i <= 3 * MOST_SAMPLES; i++) {
      cpuMs += i === 777 ? 250 : 25
      series.read({ atMs: i * 250, cpuMs, rssBytes: i === 555 ? 9e9 : 1e8 })
    }
    const { cpu, memory } = series.result()
    assert.ok(series.samples.length <= MOST_SAMPLES && series.samples.length > MOST_SAMPLES / 2)
    assert.deepEqual([cpu.medianPercent, cpu.maxPercent, memory.maxBytes], [10, 100, 9e9])
    assert.ok(Math.abs(Number(cpu.averagePercent) - 10) < 0.1)
  })

  it('has no more readings of our own memory than it may', () => {
    const series = new BoundedSeries(100)
    for (let i = 0; i < 12_345; i++) series.add({ atMs: i, value: i })
    assert.ok(series.readings.length <= 100 && series.readings.length > 50)
    const gaps = series.readings.slice(1).map(({ atMs }, i) => atMs - series.readings[i].atMs)
    assert.equal(new Set(gaps).size, 1, 'evenly spaced')
  })
})
