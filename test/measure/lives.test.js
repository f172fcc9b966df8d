import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { decodeHistogram } from '../../src/measure/distribution.js'
import { LifeRecords } from '../../src/measure/lives.js'

/** @typedef {import('../../src/measure/lives.js').RecordedLife & { thereMs: number | null }} Life */

/** @param {Partial<Life>} parts @returns {Life} */
const life = parts => ({
  ...{ node: 0, startDueMs: 1000, startedMs: 1000, thereMs: null },
  ...{ killDueMs: null, killedMs: null, error: null },
  ...parts
})

/** @param {Partial<Life>[]} lives @param {number | null} untilMs */
function sinceStart(lives, untilMs) {
  const all = new LifeRecords(
    lives.map((parts, node) => life({ ...parts, node })),
    0
  )
  const { summary, histogram } = all.sinceStart(({ thereMs }) => thereMs, untilMs)
  const { count, never, max } = summary
  return { count, never, max: [max?.ms, max?.censored], known: decodeHistogram(histogram).count }
}

describe('times from the start of a life', () => {
  it('are of those that were started meanwhile, and got there', () => {
    const of = sinceStart(
      [{ thereMs: 1300 }, { startDueMs: null, startedMs: null }, { startedMs: null }],
      9000
    )
    assert.deepEqual(of, { count: 1, never: 0, max: [300, false], known: 1 })
  })

  /** @type {[string, Partial<Life>, number][]} */
  const unknown = [
    ['was killed before', { killedMs: 1800, killDueMs: 1790 }, 800],
    ['was there until the end', {}, 4000],
    ['was to be killed behind the end', { killDueMs: 9000 }, 4000],
    ['could not be started, and so not killed', { error: 'EMFILE', killDueMs: 2500 }, 1500],
    ['was started behind the end', { startedMs: 5010 }, 0]
  ]
  for (const [who, parts, ms] of unknown)
    it(`are only known to be longer of one that ${who}`, () => {
      assert.deepEqual(sinceStart([parts], 5000), { count: 1, never: 1, max: [ms, true], known: 0 })
      const { count, never, max, known } = sinceStart([{ thereMs: 1300 }, parts], 5000)
      assert.deepEqual([count, never, max[1], known], [2, 1, true, 1])
    })

  it('are not told yet, while it goes on, of one that may still get there', () => {
    const lives = [{ thereMs: 1300 }, {}, { killDueMs: 2000 }, { killedMs: 1500 }]
    assert.deepEqual(sinceStart(lives, null), { count: 2, never: 1, max: [500, true], known: 1 })
  })
})

test('a life takes of a change what it keeps, with times since the measurement began', () => {
  const lives = new LifeRecords([life({ startedMs: null })], 1e9)
  lives.change([
    { node: 0, startedNs: 3e9, registeredNs: 4e9 },
    { node: 0, error: 'EMFILE', dialsFailed: 1 },
    { node: 9, killedNs: 5e9 }
  ])
  assert.deepEqual(lives.counts().listed, [life({ startedMs: 2000, error: 'EMFILE' })])
})
