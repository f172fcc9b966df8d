import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { DueSlots, Meter, OperationRecorder, startTiming } from '../../src/measure/operations.js'

/** @param {import('../../src/measure/operations.js').MeterInterval} interval */
const cellsOf = ({ cells }) =>
  Object.fromEntries(
    cells.map(({ metric, type, outcome, data }) => [`${metric} ${type} ${outcome}`.trim(), data.sum])
  )

describe('an interval', () => {
  it('holds what was measured since the last one, in µs', () => {
    const meter = new Meter()
    meter.record('rt', 'DISCOVER', 'OK', 5000)
    meter.record('rt', 'DISCOVER', 'OK', 7400)
    meter.record('turn', '', '', 1000)
    assert.deepEqual(cellsOf(meter.take(0)), { 'rt DISCOVER OK': 12, turn: 1 })
    meter.record('rt', 'DISCOVER', 'OK', 3000)
    assert.deepEqual(cellsOf(meter.take(1)), { 'rt DISCOVER OK': 3 })
  })

  it('has a number and its second, also when nothing was measured', () => {
    const meter = new Meter()
    assert.deepEqual(meter.take(4), {
      seq: 0,
      second: 4,
      cells: [],
      replies: 0,
      reconnects: 0,
      failovers: 0,
      limited: 0,
      replyBytes: {}
    })
    assert.equal(meter.take(4).seq, 1)
  })

  it('counts replies and their bytes', () => {
    const meter = new Meter()
    meter.reply('REGISTER', 10)
    meter.reply('REGISTER', 20)
    const { replies, replyBytes } = meter.take(0)
    assert.deepEqual([replies, replyBytes], [2, { REGISTER: { count: 2, bytes: 30 } }])
    assert.deepEqual(meter.take(1).replyBytes, {})
  })

  it('does not grow with the number of operations', () => {
    const meter = new Meter()
    for (let i = 0; i < 100_000; i++) meter.record('rt', 'DISCOVER', 'OK', 1_000_000 + (i % 50_000))
    const [{ data }] = meter.take(0).cells
    assert.equal(data.count, 100_000)
    assert.ok(data.values.length <= 51)
  })
})

describe('an operation', () => {
  const sentNs = 10_000_000n
  const repliedNs = 14_000_000n
  /** @type {[string, bigint | null, Record<string, number>][]} */
  const cases = [
    ['counts from when it was sent if closed', null, { 'rt DISCOVER OK': 4000, 'overhead DISCOVER OK': 500 }],
    [
      'counts from when it was due in the open model',
      7_000_000n,
      {
        ...{ 'rt DISCOVER OK': 7000, 'overhead DISCOVER OK': 3500 },
        ...{ 'service DISCOVER OK': 4000, 'lag DISCOVER': 3000 }
      }
    ],
    [
      'that was sent when it was due has no lag',
      sentNs,
      {
        ...{ 'rt DISCOVER OK': 4000, 'overhead DISCOVER OK': 500 },
        ...{ 'service DISCOVER OK': 4000, 'lag DISCOVER': 0 }
      }
    ]
  ]
  for (const [name, dueNs, expected] of cases) {
    it(name, () => {
      const meter = new Meter()
      new OperationRecorder(meter).record(
        { type: 'DISCOVER', dueNs, sentNs, repliedNs, overheadNs: 500_000 },
        'OK'
      )
      assert.deepEqual(cellsOf(meter.take(0)), expected)
    })
  }

  it('has no more overhead than it took', () => {
    const meter = new Meter()
    const timing = { type: /** @type {const} */ ('DISCOVER'), dueNs: null, sentNs, repliedNs }
    new OperationRecorder(meter).record({ ...timing, overheadNs: 9e6 }, 'OK')
    assert.deepEqual(cellsOf(meter.take(0)), { 'rt DISCOVER OK': 4000, 'overhead DISCOVER OK': 4000 })
  })

  it('that was never sent counts among those with an overhead, of nothing: each that has a time has one', () => {
    const meter = new Meter()
    new OperationRecorder(meter).dropped(startTiming('DISCOVER', sentNs))
    const { cells } = meter.take(0)
    const rows = cells.flatMap(({ metric, outcome, data: { count, sum } }) => [metric, outcome, count, sum])
    assert.deepEqual(rows, ['rt', 'DROPPED', 1, 0, 'overhead', 'DROPPED', 1, 0])
  })

  it('stays in the distribution under its outcome when it failed', () => {
    const meter = new Meter()
    const timing = /** @type {const} */ ({ type: 'REGISTER', dueNs: null, sentNs, repliedNs, overheadNs: 0 })
    new OperationRecorder(meter).record(timing, 'TIMEOUT')
    assert.equal(cellsOf(meter.take(0))['rt REGISTER TIMEOUT'], 4000)
  })

  it('is told to the log of samples as it is', () => {
    const timing = /** @type {const} */ ({ type: 'CONNECT', dueNs: null, sentNs, repliedNs, overheadNs: 0 })
    /** @type {unknown[]} */
    const log = []
    new OperationRecorder(new Meter(), (...sample) => log.push(sample)).record(timing, 'REFUSED')
    assert.deepEqual(log, [[timing, 'REFUSED']])
  })
})

/** @param {number | null} dueMs @param {number} sentMs @param {number} repliedMs @param {any} [type] */
const timing = (dueMs, sentMs, repliedMs, type = 'DISCOVER') => {
  const [sentNs, repliedNs] = [sentMs, repliedMs].map(ms => BigInt(ms * 1e6))
  return { type, dueNs: dueMs === null ? null : BigInt(dueMs * 1e6), sentNs, repliedNs, overheadNs: 0 }
}

test('requests are counted in the slot in which they were due, wherever they end', () => {
  const slots = new DueSlots(250, 1_000_000_000n)
  slots.add(timing(1100, 1130, 4100), 'OK')
  slots.add(timing(1249, 1249, 1250), 'OK')
  slots.add(timing(null, 1600, 1700), 'TIMEOUT')
  for (const type of ['CONNECT', 'PUBLISH']) slots.add(timing(null, 1600, 1700, type), 'OK')
  const taken = slots.take().map(({ slot, outcome, data }) => [slot, outcome, data.count, data.max])
  assert.deepEqual(taken, [
    [0, 'OK', 2, 3_000_000],
    [2, 'TIMEOUT', 1, 100_000]
  ])
  assert.deepEqual(slots.take(), [])
})
