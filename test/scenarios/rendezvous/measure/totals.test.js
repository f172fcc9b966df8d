import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../../../src/kit/random.js'
import { encodedHistogram } from '../../../../src/measure/distribution.js'
import { Meter } from '../../../../src/measure/operations.js'
import { Totals } from '../../../../src/scenarios/rendezvous/measurement.js'
import { range } from '../../../measure/samples.js'

/**
 * @typedef {import('../../../../src/measure/operations.js').Interval} Interval
 * @typedef {import('../../../../src/report/schema.js').OperationType} OperationType
 * @typedef {{ second: number, type: OperationType, outcome: string, us: number }} Operation
 */

const random = subStream(7, 'totals')
/** @template T @param {T[]} list @returns {T} */
const oneOf = list => list[Math.floor(random() * list.length)]

/** @type {Operation[]} */
const operations = range(1, 4000).map(() => ({
  second: Math.floor(random() * 6),
  type: oneOf(['REGISTER', 'DISCOVER', 'CONNECT']),
  outcome: oneOf(['OK', 'OK', 'OK', 'E_UNAVAILABLE', 'TIMEOUT', 'LOST']),
  us: Math.floor(2 ** (8 + random() * 16))
}))

/** @param {Operation[]} list @returns {Interval[]} what one worker hands over */
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

/** @param {Interval[]} intervals */
function totalsOf(intervals) {
  const totals = new Totals()
  for (const interval of intervals) totals.add(interval)
  return totals
}

/** @param {import('../../../../src/measure/client-overhead.js').Overheads} overheads */
const overheadsOf = overheads => [
  overheads.count,
  ...[1000, 60_000, 1e6, 1e8].map(us => overheads.near(us)),
  encodedHistogram(overheads.histogram())
]

/** Everything that totals say, in one order. @param {Totals} totals */
function told(totals) {
  const types = totals.types.toSorted()
  return {
    types,
    operations: totals.operations,
    replies: totals.replies,
    bytes: types.map(type => totals.replyBytes(type)),
    histograms: types.map(type =>
      [...totals.byOutcome('rt', type)]
        .map(([outcome, { count, sum, max }]) => ({ outcome, count, sum, max }))
        .sort((a, b) => (a.outcome < b.outcome ? -1 : 1))
    ),
    encoded: types.map(type => {
      const { all, answered } = totals.pools('rt', type)
      return [encodedHistogram(all), encodedHistogram(answered)]
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

  for (const workers of [2, 3, 7]) {
    it(`are the same from ${workers} workers as from one`, () => {
      assert.deepEqual(told(totalsOf(dealtTo(workers).flatMap(intervalsOf))), alone)
    })
  }

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
    for (const type of totals.types) {
      for (const [outcome, { count }] of totals.byOutcome('rt', type)) {
        assert.equal(
          count,
          operations.filter(other => other.type === type && other.outcome === outcome).length
        )
      }
    }
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
    assert.deepEqual(totals.replyBytes('REGISTER'), { count: 1, bytes: 6 })
    assert.equal(totals.replies, 3)
  })
})
