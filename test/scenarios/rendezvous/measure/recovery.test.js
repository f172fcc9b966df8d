import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultResults } from '../../../../src/scenarios/rendezvous/outcome.js'

/**
 * @typedef {import('../../../../src/scenarios/rendezvous/outcome.js').FaultEvent} FaultEvent
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
 * @param {Partial<Parameters<typeof faultResults>[1]>} [more]
 */
const results = (seconds, events = [fault()], more = {}) =>
  faultResults(events, {
    perSecond: perSecond(seconds),
    reconnects: new Map(),
    measuredMs: seconds.length * 1000,
    timeoutMs: 1000,
    secondsPerPoint: 1,
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
