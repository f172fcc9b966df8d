import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { listRoles } from '../../../src/load/clients.js'
import { Meter } from '../../../src/measure/operations.js'
import { MAX_SAMPLES, ResourceSeries } from '../../../src/measure/series.js'
import { findTrend } from '../../../src/measure/steady-state.js'
import { BoundedSeries, Measurement } from '../../../src/scenarios/rendezvous/measurement.js'
import {
  makeFairness,
  makeFaultResults,
  makeOperationResults,
  makeSoakResult
} from '../../../src/scenarios/rendezvous/outcome.js'

/** @param {Record<string, number>} outcomes - how many of each */
function intervalOf(outcomes) {
  const meter = new Meter()
  for (const [outcome, count] of Object.entries(outcomes))
    for (let i = 0; i < count; i++) meter.record('rt', 'REGISTER', outcome, 1000)
  return meter.take(0)
}

/** @param {Measurement} measurement */
const microsOf = measurement =>
  makeOperationResults({ ratePerSecond: null }, measurement).REGISTER.serverCpuMicrosPerOperation

it('server CPU per operation is of what the server served', () => {
  const measurement = new Measurement(1)
  measurement.resources.begin({ atMs: 0, cpuMs: 0, rssBytes: 1 })
  measurement.resources.read({ atMs: 1000, cpuMs: 60, rssBytes: 1 })
  measurement.addLoad(intervalOf({ TIMEOUT: 3, REFUSED: 50, DROPPED: 7, INTERRUPTED: 1 }), 0)
  assert.equal(microsOf(measurement), null, 'nothing was')
  measurement.addLoad(intervalOf({ OK: 20, E_UNAVAILABLE: 3, BAD_REPLY: 1 }), 0)
  assert.equal(microsOf(measurement), 60_000 / 24)
})

/**
 * @typedef {import('../../../src/scenarios/rendezvous/outcome.js').FaultEvent} FaultEvent
 * @typedef {{ ok?: number, ms?: number, lost?: Record<string, number> }} Second
 */

/** @param {Partial<FaultEvent>} [parts] @returns {FaultEvent} */
const fault = parts => ({
  ...{ kind: 'pause', atMs: 5000, fromMs: 5001, toMs: 7002, cpus: null, registrationsLost: null },
  ...parts
})

/** @param {Second[]} seconds */
const perSecond = seconds =>
  seconds.flatMap(({ ok = 0, ms = 2, lost = {} }, second) => [
    .../** @type {[string, number][]} */ ([['OK', ok], ...Object.entries(lost)])
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => ({
        second,
        type: /** @type {const} */ ('DISCOVER'),
        outcome,
        histogram: /** @type {[number, number][]} */ ([[ms * 1000, count]])
      })),
    // part of the operation after it, and not counted beside it
    {
      second,
      type: /** @type {const} */ ('CONNECT'),
      outcome: 'REFUSED',
      histogram: /** @type {[number, number][]} */ ([[9e6, 500]])
    }
  ])

/** @param {number} count @param {Second} [second] */
const same = (count, second = {}) => Array.from({ length: count }, () => ({ ok: 100, ...second }))

/**
 * @param {Second[]} seconds
 * @param {FaultEvent[]} [events]
 * @param {Partial<Parameters<typeof makeFaultResults>[1]>} [more]
 */
const results = (seconds, events = [fault()], more = {}) =>
  makeFaultResults(events, {
    ...{ perSecond: perSecond(seconds), reconnects: new Map(), measuredMs: seconds.length * 1000 },
    ...{ timeoutMs: 1000, secondsPerPoint: 1 },
    dueIn: () => 1,
    ...more
  })

describe('after a fault', () => {
  const stall = [{}, {}]
  /** @type {[string, Second[], [throughput: number | null, p99: number | null]][]} ms after its end, which is at 7.002 s */
  const cases = [
    ['all is back at once', [...same(5), ...stall, ...same(8)], [998, 998]],
    [
      'a backlog that is worked off is throughput, but slow',
      [...same(5), ...stall, { ok: 300, ms: 900 }, { ok: 100, ms: 30 }, ...same(6)],
      [998, 1998]
    ],
    [
      'throughput comes back by and by',
      [...same(5), ...stall, { ok: 20 }, { ok: 50 }, { ok: 85 }, ...same(6)],
      [1998, 998]
    ],
    [
      'one good second does not make it back',
      [...same(5), ...stall, { ok: 20 }, { ok: 120 }, { ok: 20 }, ...same(6)],
      [2998, 998]
    ],
    ['a tenth less is back', [...same(5), ...stall, ...same(8, { ok: 90 })], [998, 998]],
    ['more than a tenth less is not', [...same(5), ...stall, ...same(8, { ok: 88 })], [null, 998]],
    ['p99 may be twice what it was', [...same(5), ...stall, ...same(8, { ms: 4 })], [998, 998]],
    ['p99 may not be more', [...same(5), ...stall, ...same(8, { ms: 5 })], [998, null]],
    [
      'nothing comes back within the run',
      [...same(5), ...stall, ...same(8, { ok: 0, lost: { TIMEOUT: 5 }, ms: 1000 })],
      [null, null]
    ]
  ]
  for (const [name, seconds, expected] of cases)
    it(name, () => {
      const [{ recoveredThroughputMs, recoveredP99Ms }] = results(seconds)
      assert.deepEqual([recoveredThroughputMs, recoveredP99Ms], expected)
    })

  it('what was before is told: the median of up to ten seconds, the p99 of them all', () => {
    const [{ before }] = results(
      [...same(4, { ok: 7 }), ...same(9), { ok: 400 }, ...stall, ...same(8)],
      [fault({ fromMs: 14_001, toMs: 16_001 })]
    )
    assert.deepEqual(before, { throughputPerSecond: 100, p99Ms: 2 })
  })

  it('that came too soon there is nothing to be held against', () => {
    const [result] = results([...same(2), ...stall, ...same(8)], [fault({ fromMs: 2001, toMs: 4001 })])
    assert.deepEqual([result.before, result.recoveredThroughputMs, result.recoveredP99Ms], [null, null, null])
  })

  it('that was not undone there is no time to count from', () => {
    const [result] = results([...same(5), ...stall, ...same(8)], [fault({ kind: 'kill', toMs: null })])
    assert.deepEqual([result.recoveredThroughputMs, result.recoveredP99Ms], [null, null])
  })

  it('a rate that rises is held against what is due', () => {
    const rising = Array.from({ length: 15 }, (_, i) => ({ ok: i === 5 || i === 6 ? 0 : 100 * (i + 1) }))
    const dueIn = (/** @type {number} */ second) => 100 * (second + 1)
    assert.equal(results(rising, [fault()], { dueIn })[0].recoveredThroughputMs, 998)
    const [{ recoveredThroughputMs }] = results(
      rising.map((second, i) => (i > 6 ? { ok: 300 } : second)),
      [fault()],
      { dueIn }
    )
    assert.equal(recoveredThroughputMs, null, 'as many as before it are too few now')
  })

  it('a second one is held against what was between them', () => {
    const events = [fault({ fromMs: 4000, toMs: 5000 }), fault({ fromMs: 11_001, toMs: 12_001 })]
    const [, second] = results([...same(4), {}, ...same(6, { ok: 50 }), {}, ...same(4, { ok: 50 })], events)
    assert.equal(second.before?.throughputPerSecond, 50)
  })
})

describe('what a fault cost', () => {
  it('is what failed from then on until all was back and nothing could time out any more', () => {
    const seconds = [
      ...same(4, { lost: { RESET: 7 } }),
      // what it did at once may stand in the second before
      { ok: 90, lost: { LOST: 3 } },
      { lost: { LOST: 4, REFUSED: 5 } },
      {},
      ...same(2, { lost: { TIMEOUT: 2 } }),
      ...same(6, { lost: { RESET: 1 } })
    ]
    const [{ operationsLost }] = results(seconds)
    assert.deepEqual(operationsLost, { LOST: 7, REFUSED: 5, TIMEOUT: 4 })
  })

  it('is all that failed to the end, or to the next fault, where it was not back', () => {
    const seconds = [...same(5), ...same(10, { ok: 1, lost: { REFUSED: 10 } })]
    assert.deepEqual(results(seconds)[0].operationsLost, { REFUSED: 110 - 10 })
    const [first] = results(seconds, [fault(), fault({ fromMs: 10_000, toMs: 11_000 })])
    assert.deepEqual(first.operationsLost, { REFUSED: 50 })
  })

  it('is a rush of clients that connect again', () => {
    const reconnects = new Map([
      [3, 100],
      [5, 4],
      [7, 40],
      [14, 9]
    ])
    const [result] = results([...same(5), {}, {}, ...same(8)], [fault()], { reconnects })
    assert.deepEqual(result.reconnects, { dials: 44, peakPerSecond: 40 })
  })
})

const HOUR = 3_600_000

/** @param {(minute: number) => number} value @param {number} [ms] @returns {{ atMs: number, value: number }[]} one a second */
const everySecond = (value, ms = HOUR) =>
  Array.from({ length: ms / 1000 }, (_, second) => ({ atMs: second * 1000, value: value(second / 60) }))

describe('a trend', () => {
  const time = { fromMs: 0, toMs: HOUR, stretch: 60_000 }
  const noise = makeSubStream(7, 'noise')
  /** @type {[string, (minute: number) => number, string, number][]} */
  const cases = [
    ['of memory that grows by 60 MB an hour', minute => 100 + minute + 5 * noise(), 'growing', 60],
    ['of memory that shrinks', minute => 100 - minute / 2 + noise(), 'shrinking', -30],
    ['of memory that only swings', minute => 100 + 5 * Math.sin(minute), 'not shown to grow', 0],
    ['that is sure but of no account', minute => 100 + minute / 60, 'not shown to grow', 1]
  ]
  for (const [name, value, verdict, perHour] of cases)
    it(`${name} is ${verdict}`, () => {
      const trend = findTrend(everySecond(value), time)
      assert.equal(trend?.verdict, verdict, JSON.stringify(trend))
      assert.ok(Math.abs(trend.perHour - perHour) < 2, `${trend.perHour}`)
      assert.ok(trend.low <= trend.perHour && trend.perHour <= trend.high)
    })

  it('is not known of too few readings', () => assert.equal(findTrend([{ atMs: 0, value: 1 }], time), null))
})

describe('a long run', () => {
  const MS = 600_000
  /** @param {(second: number) => { us: number, failed?: number }} at @returns {Parameters<typeof makeSoakResult>[0]['perSecond']} */
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

  it('of less than 5 minutes is none', () =>
    assert.equal(makeSoakResult({ ...flat, durationMs: 299_000 }), null))

  it('tells memory that a process took at first from memory that it goes on to take', () => {
    const settles = everySecond(minute => 1e8 + 2e7 * Math.min(minute, 3), MS)
    const actual = makeSoakResult({ ...flat, serverMemory: settles })?.serverBytes?.verdict
    assert.equal(actual, 'not shown to grow')
    const grows = everySecond(minute => 1e8 + 2e7 * minute, MS)
    assert.equal(makeSoakResult({ ...flat, serverMemory: grows })?.serverBytes?.verdict, 'growing')
  })

  describe('tells what our own processes have in use', () => {
    const noise = makeSubStream(7, 'own')
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
        const [own] = makeSoakResult({ ...flat, ownMemory })?.ownBytes ?? []
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
      const [{ process, trend, inUse }] = makeSoakResult({ ...flat, ownMemory })?.ownBytes ?? []
      const actual = [process, trend?.verdict, inUse?.verdict]
      assert.deepEqual(actual, ['main process', 'growing', 'not shown to grow'])
    })
  })

  /** @type {[number, number[]][]} seconds of a point, operations and errors of each third */
  const points = [
    [1, [10_000, 0, 10_000, 0, 10_200, 200]],
    [8, [1250, 0, 1250, 0, 1275, 25]]
  ]
  for (const [secondsPerPoint, thirds] of points)
    it(`tells times that become longer, and when operations failed, by points of ${secondsPerPoint} s`, () => {
      const longer = perSecond(second => ({ us: 2000 + 5 * second, failed: second >= 400 ? 1 : 0 }))
      const kept = longer.filter(({ second }) => second % secondsPerPoint === 0)
      const soak = makeSoakResult({ ...flat, perSecond: kept, secondsPerPoint })
      const [{ type, trend }] = soak?.p50Ms ?? []
      assert.deepEqual([type, trend?.verdict], ['DISCOVER', 'growing'])
      assert.ok(Math.abs(Number(trend?.perHour) - 18) < 0.5, `${trend?.perHour} ms`)
      const actual = soak?.errors.flatMap(({ operations, errors }) => [operations, errors])
      assert.deepEqual(actual, thirds)
    })

  it('without readings of the server says nothing of it', () =>
    assert.equal(makeSoakResult({ ...flat, serverMemory: [] })?.serverBytes, null))
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

/** @param {number[]} succeeded - by client @param {Record<string, Record<string, number>>} types - counts by outcome @param {import('../../../src/load/clients.js').ClientRole[]} [roles] */
const fairness = (succeeded, types, roles) =>
  makeFairness(
    {
      succeeded: new Map(succeeded.entries()),
      load: /** @type {any} */ ({
        types: Object.keys(types),
        byOutcome: (/** @type {string} */ _, /** @type {string} */ type) =>
          new Map(Object.entries(types[type]).map(([outcome, count]) => [outcome, { count }]))
      })
    },
    roles
  )

describe('fairness', () => {
  it('between clients is 1 where all had as much, and 1/n where one had everything', () =>
    assert.deepEqual([fairness([5, 5, 5, 5], {}).clients, fairness([20, 0, 0, 0], {}).clients], [1, 1 / 4]))

  it('between types goes by the share that succeeded, however many there were of each; CONNECT is none of them', () => {
    const even = {
      REGISTER: { OK: 9, TIMEOUT: 1 },
      DISCOVER: { OK: 900, TIMEOUT: 100 },
      CONNECT: { LOST: 7 }
    }
    assert.equal(fairness([], even).types, 1)
    const starved = { REGISTER: { TIMEOUT: 10 }, DISCOVER: { OK: 1000 } }
    assert.equal(fairness([], starved).types, 1 / 2)
  })

  it('with roles is within each, and that of clients is the lower one: they send at rates of their own', () => {
    const roles = listRoles({ providers: 2, discoverers: 3 })
    const { clients, ...others } = fairness([5, 5, 40, 40, 0], {}, roles)
    assert.deepEqual(others, { types: null, providers: 1, discoverers: clients })
    assert.ok(Math.abs(Number(clients) - 2 / 3) < 1e-12)
  })

  it('is not known of a role of one client', () =>
    assert.deepEqual(fairness([5, 40, 40], {}, listRoles({ providers: 1, discoverers: 2 })), {
      clients: 1,
      types: null,
      providers: null,
      discoverers: 1
    }))

  it('is not known of one client and one type', () =>
    assert.deepEqual(fairness([7], { REGISTER: { OK: 7 } }), { clients: null, types: null }))
})
