import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { encodeHistogram } from '../../../src/measure/distribution.js'
import { Histogram } from '../../../src/measure/histogram.js'
import { Meter } from '../../../src/measure/operations.js'
import {
  MAX_POINTS_OVER_TIME,
  MAX_POINTS_WITH_FAULTS,
  Measurement,
  PointsOverTime,
  ServerDurations,
  Totals
} from '../../../src/scenarios/rendezvous/measurement.js'
import { createDurations } from '../../../src/server/process/metrics.js'
import { range } from '../../measure/samples.js'

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
    const actual = measurement.workerTotals.map(({ operations }) => operations)
    assert.deepEqual(actual, [0, 0])
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
    const actual = [resident, inUse].map(series => series?.readings.map(({ value }) => value))
    assert.deepEqual(actual, [[90, 90, 90], [30]])
  })

  it('keeps points over time of the load alone, which plots are made of', () => {
    const measurement = new Measurement(1, { points: 2 })
    for (const second of [0, 1, 2]) measurement.addLoad({ ...interval(1), second }, 0)
    const actual = [measurement.load, ...measurement.workerTotals].map(totals => totals.perSecond().length)
    assert.deepEqual([actual, measurement.load.secondsPerPoint], [[2, 0], 2])
  })

  it('covers, of the load under way, what every worker has told of', () => {
    const measurement = new Measurement(2)
    measurement.measuredMs = 400
    assert.equal(measurement.coveredMs, 400)
    measurement.addLoad(interval(1), 0)
    measurement.runningSinceNs = process.hrtime.bigint() - 1_000_000_000n
    assert.equal(measurement.coveredMs, 400)
    measurement.addLoad(interval(1), 0)
    assert.equal(measurement.coveredMs, 400, 'one worker has not reported of it')
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

/**
 * @typedef {import('../../../src/measure/operations.js').MeterInterval} MeterInterval
 * @typedef {import('../../../src/report/schema.js').OperationType} OperationType
 * @typedef {{ second: number, type: OperationType, outcome: string, us: number }} Operation
 */

const random = makeSubStream(7, 'totals')
/** @template T @param {T[]} list @returns {T} */
const oneOf = list => list[Math.floor(random() * list.length)]

/** @type {Operation[]} */
const operations = range(1, 4000).map(() => ({
  second: Math.floor(random() * 6),
  type: oneOf(['REGISTER', 'DISCOVER', 'CONNECT']),
  outcome: oneOf(['OK', 'OK', 'OK', 'E_UNAVAILABLE', 'TIMEOUT', 'LOST']),
  us: Math.floor(2 ** (8 + random() * 16))
}))

/** @param {Operation[]} list @returns {MeterInterval[]} what one worker hands over */
function intervalsOf(list) {
  const meter = new Meter()
  return range(0, 5).map(second => {
    for (const { type, outcome, us } of list.filter(operation => operation.second === second)) {
      meter.record('rt', type, outcome, us * 1000)
      meter.overhead(type, outcome, us * 1000, us * 10)
      if (outcome !== 'TIMEOUT' && outcome !== 'LOST') meter.reply(type, us % 1000)
    }
    return meter.take(second)
  })
}

/** @param {MeterInterval[]} intervals */
function totalsOf(intervals) {
  const totals = new Totals()
  for (const interval of intervals) totals.add(interval)
  return totals
}

/** @param {import('../../../src/measure/client-overhead.js').Overheads} overheads */
const overheadsOf = overheads => [
  overheads.count,
  ...[1000, 60_000, 1e6, 1e8].map(us => overheads.near(us)),
  encodeHistogram(overheads.histogram())
]

/** Everything that totals say, in one order. @param {Totals} totals */
function told(totals) {
  const types = totals.types.toSorted()
  return {
    ...{ types, operations: totals.operations, replies: totals.replies },
    bytes: types.map(type => totals.replyBytes(type)),
    histograms: types.map(type =>
      [...totals.byOutcome('rt', type)]
        .map(([outcome, { count, sum, max }]) => ({ outcome, count, sum, max }))
        .sort((a, b) => (a.outcome < b.outcome ? -1 : 1))
    ),
    encoded: types.map(type => {
      const { all, answered } = totals.pools('rt', type)
      return [encodeHistogram(all), encodeHistogram(answered)]
    }),
    overheads: [null, ...types].map(type => overheadsOf(totals.overheads(type))),
    perSecond: totals
      .perSecond()
      .sort((a, b) => (`${a.second} ${a.type} ${a.outcome}` < `${b.second} ${b.type} ${b.outcome}` ? -1 : 1))
  }
}

/** Deals a list out. @param {number} workers */
const dealtTo = workers => range(0, workers - 1).map(w => operations.filter((_, i) => i % workers === w))

describe('the totals of a run', () => {
  const alone = told(totalsOf(intervalsOf(operations)))

  for (const workers of [2, 3, 7])
    it(`are the same from ${workers} workers as from one`, () =>
      assert.deepEqual(told(totalsOf(dealtTo(workers).flatMap(intervalsOf))), alone))

  it('are the same in whatever order intervals arrive', () => {
    const intervals = dealtTo(3).flatMap(intervalsOf)
    for (let i = intervals.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      ;[intervals[i], intervals[j]] = [intervals[j], intervals[i]]
    }
    assert.deepEqual(told(totalsOf(intervals)), alone)
  })

  it('hold every operation once', () => {
    const totals = totalsOf(intervalsOf(operations))
    const inSeconds = totals
      .perSecond()
      .flatMap(({ histogram }) => histogram)
      .reduce((sum, [, count]) => sum + count, 0)
    assert.equal(inSeconds, operations.length)
    assert.equal(totals.operations, operations.filter(({ type }) => type !== 'CONNECT').length)
    for (const type of totals.types)
      for (const [outcome, { count }] of totals.byOutcome('rt', type))
        assert.equal(
          count,
          operations.filter(other => other.type === type && other.outcome === outcome).length
        )
  })

  it('part operations with a reply from those without', () => {
    const totals = totalsOf(intervalsOf(operations))
    const { all, answered } = totals.pools('rt', 'DISCOVER')
    const own = operations.filter(({ type }) => type === 'DISCOVER')
    assert.equal(all.count, own.length)
    assert.equal(answered.count, own.filter(({ outcome }) => !['TIMEOUT', 'LOST'].includes(outcome)).length)
  })

  it('have the overheads of the outcomes that are asked for', () => {
    const totals = totalsOf(intervalsOf(operations))
    const own = operations.filter(({ type, outcome }) => type === 'DISCOVER' && outcome === 'OK')
    assert.equal(totals.overheads('DISCOVER', outcome => outcome === 'OK').count, own.length)
    assert.equal(totals.overheads(null).count, operations.length)
  })

  it('give seconds in order, to two digits', () => {
    const totals = totalsOf(intervalsOf(operations).reverse())
    const seconds = totals.perSecond().map(({ second }) => second)
    assert.deepEqual(
      seconds,
      seconds.toSorted((a, b) => a - b)
    )
  })

  it('are empty before anything was measured', () => {
    const totals = new Totals()
    assert.deepEqual(
      [totals.types, totals.operations, totals.replies, totals.replyBytes('DISCOVER'), totals.perSecond()],
      [[], 0, 0, { count: 0, bytes: 0 }, []]
    )
    const { all, answered } = totals.pools('rt', 'DISCOVER')
    assert.equal(all.count + answered.count, 0)
  })

  it('know the size of replies by type', () => {
    const meter = new Meter()
    for (const bytes of [100, 200]) meter.reply('DISCOVER', bytes)
    meter.reply('REGISTER', 6)
    const totals = totalsOf([meter.take(0)])
    assert.deepEqual(totals.replyBytes('DISCOVER'), { count: 2, bytes: 300 })
    assert.deepEqual([totals.replyBytes('REGISTER'), totals.replies], [{ count: 1, bytes: 6 }, 3])
  })
})

/** @param {number[]} us @param {string} [outcome] */
function ended(us, outcome = 'OK') {
  const histogram = new Histogram()
  for (const value of us) histogram.record(value)
  return { type: 'DISCOVER', outcome, data: histogram.toData() }
}

/** @param {PointsOverTime} points @param {number} seconds */
function fill(points, seconds) {
  for (let second = 0; second < seconds; second++) {
    points.add(second, ended([1000, 2000 + second]))
    if (second % 100 === 0) points.reconnect(second, 1)
  }
  return points
}

/** @param {PointsOverTime} points */
const operationsPointsOverTime = points =>
  points.entries().map(({ histogram }) => histogram.reduce((sum, [, count]) => sum + count, 0))

describe('points over time', () => {
  /** @type {[string, number, number, number][]} run, its seconds, seconds of a point, points */
  const runs = [
    ['of a second', 1, 1, 1],
    ['of ten minutes', 600, 1, 600],
    ['just longer than that', 601, 2, 301],
    ['of an hour', 3600, 8, 450],
    ['of a day', 86_400, 256, 338]
  ]
  for (const [name, seconds, width, count] of runs)
    it(`of a run ${name} cover ${width} s, and hold every operation`, () => {
      const points = fill(new PointsOverTime(), seconds)
      const told = points.entries()
      assert.deepEqual([points.secondsPerPoint, told.length], [width, count])
      assert.ok(told.every(({ second }, i) => second === i * width))
      const actual = operationsPointsOverTime(points).reduce((sum, n) => sum + n, 0)
      assert.equal(actual, 2 * seconds)
      assert.equal(
        [...points.reconnects.values()].reduce((sum, n) => sum + n, 0),
        Math.ceil(seconds / 100)
      )
      assert.ok([...points.reconnects.keys()].every(second => second % width === 0))
    })

  it('are never more than there is room for, whatever is told', () => {
    const points = new PointsOverTime()
    for (let second = 0; second < 5000; second += 7) {
      points.add(second, ended([900]))
      points.reconnect(second + 6, 1)
      assert.ok(
        points.entries().length <= MAX_POINTS_OVER_TIME && points.reconnects.size <= MAX_POINTS_OVER_TIME
      )
    }
  })

  it('that hold many different times are joined sooner, and not below a third of their number', () => {
    const points = new PointsOverTime(60)
    const many = ended(Array.from({ length: 2000 }, (_, i) => 1.005 ** i))
    let [least, operationsSoFar] = [Number.POSITIVE_INFINITY, 0]
    for (let second = 0; second < 4000; second++) {
      points.add(second, { ...many, outcome: `E${second % 7}` })
      operationsSoFar += many.data.count
      if (second > 1000) least = Math.min(least, (second + 1) / points.secondsPerPoint)
    }
    assert.ok(least >= 10 && least <= 20, `${least}`)
    assert.ok(points.secondsPerPoint > 4000 / 60, `${points.secondsPerPoint}`)
    const actual = operationsPointsOverTime(points).reduce((sum, n) => sum + n, 0)
    assert.equal(actual, operationsSoFar)
  })

  it('take what comes late from another worker, in whatever order', () => {
    const points = new PointsOverTime(4)
    for (const [second, us] of [
      [3, 1000],
      [9, 5000],
      [0, 3000],
      [1, 1000],
      [1, 1000]
    ])
      points.add(second, ended([us]))
    assert.deepEqual(points.entries(), [
      {
        ...{ second: 0, type: 'DISCOVER', outcome: 'OK' },
        histogram: [
          [1000, 3],
          [2992, 1]
        ]
      },
      { second: 8, type: 'DISCOVER', outcome: 'OK', histogram: [[4992, 1]] }
    ])
  })

  it('part what succeeded from what did not', () => {
    const points = new PointsOverTime()
    points.add(0, ended([1000]))
    points.add(0, ended([9e9], 'TIMEOUT'))
    const actual = points.entries().flatMap(({ outcome, histogram }) => [outcome, histogram.length])
    assert.deepEqual(actual, ['OK', 1, 'TIMEOUT', 1])
  })

  it('are of a second for an hour where every second counts', () => {
    const points = fill(new PointsOverTime(MAX_POINTS_WITH_FAULTS), 3600)
    assert.deepEqual([points.secondsPerPoint, points.entries().length], [1, 3600])
  })

  it('are not kept where nobody draws them', () => {
    const points = fill(new PointsOverTime(0), 10)
    assert.deepEqual([points.entries(), points.reconnects.size], [[], 0])
  })
})
