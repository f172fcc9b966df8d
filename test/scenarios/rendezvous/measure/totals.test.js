import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../../../src/kit/random.js'
import { Meter } from '../../../../src/measure/meter.js'
import { Totals } from '../../../../src/scenarios/rendezvous/measure/totals.js'
import { range } from '../../../measure/samples.js'

/**
 * @typedef {import('../../../../src/measure/meter.js').Interval} Interval
 * @typedef {import('../../../../src/result/types.js').OperationType} OperationType
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
      meter.record('added', type, '', us * 10)
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

/** Everything that totals say, in one order. @param {Totals} totals */
function told(totals) {
  const types = totals.types.toSorted()
  const said = {
    types,
    operations: totals.operations,
    replies: totals.replies,
    bytes: types.map(type => totals.replyBytes(type)),
    histograms: types.map(type =>
      [...totals.byOutcome('rt', type)]
        .map(([outcome, { count, sum, max }]) => ({ outcome, count, sum, max }))
        .sort((a, b) => (a.outcome < b.outcome ? -1 : 1))
    ),
    encoded: types.map(type =>
      totals.withPools('rt', type, ({ all, answered }) => [all.encode(), answered.encode()])
    ),
    added: totals.withPools('added', null, ({ all }) => [all.count, all.sum, all.encode()]),
    perSecond: totals
      .perSecond()
      .sort((a, b) => (`${a.second} ${a.type} ${a.outcome}` < `${b.second} ${b.type} ${b.outcome}` ? -1 : 1))
  }
  totals.destroy()
  return said
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
    totals.destroy()
  })

  it('part operations with a reply from those without', () => {
    const totals = totalsOf(intervalsOf(operations))
    totals.withPools('rt', 'DISCOVER', ({ all, answered }) => {
      const own = operations.filter(({ type }) => type === 'DISCOVER')
      assert.equal(all.count, own.length)
      assert.equal(answered.count, own.filter(({ outcome }) => !['TIMEOUT', 'LOST'].includes(outcome)).length)
    })
    totals.destroy()
  })

  it('give seconds in order, to two digits', () => {
    const totals = totalsOf(intervalsOf(operations).reverse())
    const seconds = totals.perSecond().map(({ second }) => second)
    assert.deepEqual(
      seconds,
      seconds.toSorted((a, b) => a - b)
    )
    totals.destroy()
  })

  it('are empty before anything was measured', () => {
    const totals = new Totals()
    assert.deepEqual(
      [totals.types, totals.operations, totals.replies, totals.replyBytes('DISCOVER'), totals.perSecond()],
      [[], 0, 0, { count: 0, bytes: 0 }, []]
    )
    totals.withPools('rt', 'DISCOVER', ({ all, answered }) => assert.equal(all.count + answered.count, 0))
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
