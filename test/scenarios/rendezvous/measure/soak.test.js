import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../../../src/kit/random.js'
import { MAX_SAMPLES, ResourceSeries } from '../../../../src/measure/series.js'
import { trendOf } from '../../../../src/measure/steady-state.js'
import { BoundedSeries } from '../../../../src/scenarios/rendezvous/measurement.js'
import { soakOf } from '../../../../src/scenarios/rendezvous/outcome.js'

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
    perSecond: perSecond(() => ({ us: 2000 })),
    secondsPerPoint: 1
  }

  it('of less than 5 minutes is none', () => assert.equal(soakOf({ ...flat, durationMs: 299_000 }), null))

  it('tells memory that a process took at first from memory that it goes on to take', () => {
    const settles = everySecond(minute => 1e8 + 2e7 * Math.min(minute, 3), MS)
    assert.equal(soakOf({ ...flat, serverMemory: settles })?.serverBytes?.verdict, 'not shown to grow')
    const grows = everySecond(minute => 1e8 + 2e7 * minute, MS)
    assert.equal(soakOf({ ...flat, serverMemory: grows })?.serverBytes?.verdict, 'growing')
  })

  describe('tells what our own processes have in use', () => {
    const noise = subStream(7, 'own')
    /** @param {number} everySeconds @param {(minute: number) => number} bytes just after a collection, of which there is one so often */
    const collected = (everySeconds, bytes) =>
      everySecond(bytes, MS).filter(({ atMs }) => (atMs / 1000) % everySeconds === 0)
    /** A result, larger each time, is written now and then: a collection just then leaves it. */
    const writing = (/** @type {number} */ minute) => (noise() < 0.3 ? 5e6 + 1e6 * minute : 0)

    /** @type {[string, ReturnType<typeof collected>, string | undefined][]} */
    const cases = [
      ['that stays the same', collected(20, () => 3e7 + 1e5 * noise()), 'not shown to grow'],
      ['while results are written', collected(20, minute => 3e7 + writing(minute)), 'not shown to grow'],
      [
        'that a process took at first',
        collected(20, minute => 2e7 + 1e7 * Math.min(minute / 3, 1)),
        'not shown to grow'
      ],
      ['that leaks 1 MB a minute', collected(20, minute => 3e7 + 1e6 * minute + writing(minute)), 'growing'],
      ['that leaks, of few collections', collected(60, minute => 3e7 + 1e6 * minute), 'growing'],
      ['of which there were too few collections', collected(170, () => 3e7), undefined]
    ]
    for (const [name, inUse, verdict] of cases)
      it(`${name}: ${verdict ?? 'not known'}`, () => {
        const ownMemory = new Map([['worker 0', { resident: everySecond(() => 9e7, MS), inUse }]])
        const [own] = soakOf({ ...flat, ownMemory })?.ownBytes ?? []
        assert.equal(own.inUse?.verdict, verdict, JSON.stringify(own.inUse))
        assert.equal(own.trend?.verdict, 'not shown to grow')
      })

    it('apart from their resident set, which may grow without it', () => {
      const ownMemory = new Map([
        [
          'main process',
          { resident: everySecond(minute => 9e7 + 1e6 * minute, MS), inUse: collected(20, () => 3e7) }
        ]
      ])
      const [{ process, trend, inUse }] = soakOf({ ...flat, ownMemory })?.ownBytes ?? []
      assert.deepEqual(
        [process, trend?.verdict, inUse?.verdict],
        ['main process', 'growing', 'not shown to grow']
      )
    })
  })

  it('tells the same of points that cover more than a second', () => {
    const wide = perSecond(second => ({ us: 2000 + 5 * second, failed: second >= 400 ? 1 : 0 })).filter(
      ({ second }) => second % 8 === 0
    )
    const soak = soakOf({ ...flat, perSecond: wide, secondsPerPoint: 8 })
    const [{ trend }] = soak?.p50Ms ?? []
    assert.equal(trend?.verdict, 'growing')
    assert.ok(Math.abs(Number(trend?.perHour) - 18) < 0.5, `${trend?.perHour} ms`)
    assert.deepEqual(
      soak?.errors.map(({ errors }) => errors),
      [0, 0, 25]
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
  it('has no more samples of the server than those of ten minutes, with the highest and the average as they were', () => {
    const series = new ResourceSeries()
    series.begin({ atMs: 0, cpuMs: 0, rssBytes: 1 })
    let cpuMs = 0
    const peaks = [777, 2 * MAX_SAMPLES + 5]
    for (let i = 1; i <= 3 * MAX_SAMPLES; i++) {
      cpuMs += peaks.includes(i) ? 250 - 50 * peaks.indexOf(i) : 25
      series.read({ atMs: i * 250, cpuMs, rssBytes: peaks.includes(i) ? 9e9 : 1e8 })
    }
    const { cpu, memory } = series.result()
    assert.ok(series.samples.length <= MAX_SAMPLES && series.samples.length > MAX_SAMPLES / 2)
    assert.deepEqual([cpu.medianPercent, cpu.maxPercent, memory.maxBytes], [10, 100, 9e9])
    assert.ok(Math.abs(Number(cpu.averagePercent) - 10) < 0.1)
    const gaps = series.samples.slice(1).map(({ atMs }, i) => atMs - series.samples[i].atMs)
    assert.deepEqual([...new Set(gaps)], [1000])
  })

  it('has the highest CPU of a short sample, however late it came', () => {
    const series = new ResourceSeries()
    series.begin({ atMs: 0, cpuMs: 0, rssBytes: 1 })
    let cpuMs = 0
    for (let i = 1; i <= 2 * MAX_SAMPLES; i++) {
      cpuMs += i === 2 * MAX_SAMPLES - 10 ? 250 : 25
      series.read({ atMs: i * 250, cpuMs, rssBytes: i === 2 * MAX_SAMPLES - 20 ? 9e8 : 1e8 })
    }
    const { cpu, memory } = series.result()
    assert.deepEqual([cpu.maxPercent, memory.maxBytes], [100, 9e8])
  })

  it('has no more readings of our own memory than it may', () => {
    const series = new BoundedSeries(100)
    for (let i = 0; i < 12_345; i++) series.add({ atMs: i, value: i })
    assert.ok(series.readings.length <= 100 && series.readings.length > 50)
    const gaps = series.readings.slice(1).map(({ atMs }, i) => atMs - series.readings[i].atMs)
    assert.equal(new Set(gaps).size, 1, 'evenly spaced')
  })
})
