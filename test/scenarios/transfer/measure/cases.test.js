import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { casesOf } from '../../../../src/scenarios/transfer/figures.js'

/** @typedef {import('../../../../src/scenarios/transfer/plan/transfer-plan.js').Protocol} Way */

const ROUND = { latencyMs: 50, bytesPerSecond: 10e6 }
const SIDE = { cpuMs: 100, wallMs: 1000, peakBytes: 5e7 }

/** @param {Way} way @param {number} repeat @param {(number | null)[]} spans - of the requestors @param {object} [more] */
const batch = (way, repeat, spans, more) => ({
  way,
  ...ROUND,
  repeat,
  payloadBytes: 1e6,
  provider: { ...SIDE, wallMs: Math.max(...spans.map(Number)) },
  requestors: spans.map(spanMs => ({
    ...SIDE,
    wallMs: Number(spanMs),
    connectMs: 300,
    roundTripMs: 100,
    spanMs,
    wireBytes: 1.1e6
  })),
  ...more
})

/** @param {any[]} batches */
const casesIn = batches =>
  casesOf({ rounds: [ROUND], ways: ['http', 'stream'], transport: 'tcp' }, { batches, transfers: [] })

describe('the cases of a run', () => {
  test('hold each way against http in the same repeat, with an interval from six repeats on', () => {
    // seconds that are exact in binary
    const times = [125, 250, 500, 1000, 2000, 4000]
    const batches = times.flatMap((ms, repeat) => [
      batch('http', repeat, [ms]),
      batch('stream', repeat, [3 * ms])
    ])
    const [http, stream] = casesIn(batches)
    assert.equal(http.factorToHttp, null)
    assert.deepEqual(stream.factorToHttp, { median: 3, low: 3, high: 3 })
    assert.deepEqual(http.seconds, { median: 0.75, low: 0.125, high: 4, slowest: 4 })
    assert.deepEqual(casesIn(batches.slice(0, 10))[1].factorToHttp, { median: 3, low: null, high: null })
  })

  test('of several requestors last as long as the slowest; goodput is of each, and its fairness Jain’s', () => {
    const [http] = casesIn([batch('http', 0, [1000, 500])])
    assert.equal(http.seconds.median, 1)
    assert.equal(http.goodput.median, 1.5e6)
    assert.equal(http.fairness, (1 + 2) ** 2 / (2 * (1 + 4)))
    // 2 MB in all
    assert.deepEqual(http.cpuSecondsPerGB, { provider: 50, requestors: 100 })
  })

  test('of which a repeat did not end count what did', () => {
    const [http] = casesIn([batch('http', 0, [null]), batch('http', 1, [400])])
    assert.equal(http.batches, 2)
    assert.equal(http.seconds.median, 0.4)
    const [none] = casesIn([batch('http', 0, [null])])
    assert.equal(none.seconds.median, null)
    assert.equal(none.verdict.limit, 'nothing')
  })

  /** @type {[string, Way, number, object, string][]} */
  const LIMITED = [
    ['95 % of the line', 'http', 105, {}, 'line'],
    ['three round trips', 'stream', 290, {}, 'round trips'],
    ['more than a first window under way', 'stream', 420, {}, 'growing window'],
    ['no window, four round trips, idle sides', 'http', 420, {}, 'waiting'],
    [
      'a busy requestor',
      'stream',
      420,
      {
        requestors: [
          { ...SIDE, cpuMs: 400, wallMs: 420, connectMs: 300, roundTripMs: 100, spanMs: 420, wireBytes: 1 }
        ]
      },
      'CPU of the requestor'
    ]
  ]
  for (const [what, way, ms, more, limit] of LIMITED)
    test(`are limited, with ${what}, by: ${limit}`, () => {
      const measured = casesIn([batch(way, 0, [ms], more)])
      assert.equal(measured[0].verdict.limit, limit, measured[0].verdict.text)
      assert.equal(measured[0].model.bytesPerSecond, 10e6)
    })

  test('in which most of the time was over when the first byte came are limited by round trips', () => {
    const transfers = /** @type {any[]} */ ([
      { way: 'stream', ...ROUND, repeat: 0, outcome: 'OK', firstByteMs: 220 }
    ])
    const [, stream] = casesOf(
      { rounds: [ROUND], ways: ['http', 'stream'], transport: 'tcp' },
      { batches: /** @type {any[]} */ ([batch('http', 0, [420]), batch('stream', 0, [420])]), transfers }
    )
    assert.match(
      stream.verdict.text,
      /^round trips: it took 4\.20 of them, the first byte came after 220 ms$/
    )
  })

  test('of many files at once have a window for each stream', () => {
    const transfers = Array.from({ length: 10 }, (_, file) => ({
      way: 'stream',
      ...ROUND,
      repeat: 0,
      file,
      firstByteMs: 100
    }))
    const [stream] = casesOf(
      { rounds: [ROUND], ways: ['stream'], transport: 'tcp' },
      {
        batches: /** @type {any[]} */ ([batch('stream', 0, [420])]),
        transfers: /** @type {any[]} */ (transfers)
      }
    )
    assert.equal(stream.windowBytes, 10 * (16 << 20))
    // 240 kB under way are little for ten windows of 256 KiB
    assert.equal(stream.verdict.limit, 'waiting')
  })
})
