import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Histogram } from '../../../../src/measure/histogram.js'
import { compareStretches } from '../../../../src/scenarios/rendezvous/figures.js'
import { ServerWatch, StretchResults } from '../../../../src/scenarios/rendezvous/hostile/hostile-peers.js'
import { until } from '../../../until.js'

/** Slots of a stretch. */
const LENGTH = 20

/** @param {number} slot @param {number} us @param {number} [count] @param {string} [outcome] */
function operations(slot, us, count = 100, outcome = 'OK') {
  const times = new Histogram()
  for (let i = 0; i < count; i++) times.record(us)
  return { slot, outcome, data: times.toData() }
}

const COST = { cpuPercent: 10, rssBytes: 5, longestTurnMs: 3 }

/**
 * Two pairs: quiet, hostile, hostile, quiet, of LENGTH slots each, and as many behind each hostile one.
 *
 * @param {(slot: number) => number} us - response time of a slot
 * @param {object} [more] - of the first hostile stretch
 */
function measured(us, more = {}) {
  const results = new StretchResults()
  results.count(Array.from({ length: 6 * LENGTH }, (_, slot) => operations(slot, us(slot))))
  const stretch = (
    /** @type {boolean} */ hostile,
    /** @type {number} */ at,
    /** @type {object} */ own = {}
  ) =>
    results.add({
      ...{ hostile, from: at * LENGTH, to: (at + 1) * LENGTH, cost: COST, isCalm: true },
      ...{
        endMs: (at + 1) * LENGTH * 250,
        watchedMs: (at + 2) * LENGTH * 250,
        notSent: hostile ? 0.25 : null
      },
      ...own
    })
  stretch(false, 0)
  stretch(true, 1, more)
  results.end(0)
  stretch(true, 3)
  stretch(false, 5)
  results.end(0.2)
  return results
}

const isHostile = (/** @type {number} */ slot) => [1, 3].includes(Math.floor(slot / LENGTH))

describe('what clients experience in quiet and hostile stretches', () => {
  it('is compared by pairs, whichever came first', () => {
    const results = measured(slot => (isHostile(slot) ? 4000 : 1000))
    const { pairs, p50, p99, count, recoveryMs, recovered, notSent } = results.result(1)
    assert.deepEqual(count, { quiet: 4000, hostile: 4000 })
    for (const ratio of [p50, p99]) assert.ok(ratio !== null && Math.abs(ratio.ratio - 4) < 0.05)
    assert.equal(p99?.low, null, 'fewer than 6 pairs')
    assert.deepEqual([recoveryMs, recovered, notSent], [0, true, 0.25])
    const actual = pairs.map(({ hostileFirst, quiet, hostile }) => [hostileFirst, quiet.p50Ms, hostile.p50Ms])
    assert.deepEqual(actual, [
      [false, 1, 4],
      [true, 1, 4]
    ])
    assert.equal(results.quietPercent, 10)
  })

  it('has operations that failed as longer than any that was answered, and the longest that was waited as a lower bound', () => {
    const results = measured(() => 1000)
    results.count([operations(LENGTH, 3_000_000, 100, 'TIMEOUT'), operations(LENGTH, 1, 5, 'E_UNAVAILABLE')])
    const { pairs, p50, p99, failed } = results.result(1)
    assert.deepEqual(failed, { quiet: 0, hostile: 105 })
    const [{ hostile }] = pairs
    assert.deepEqual(hostile.failures, { TIMEOUT: 100, E_UNAVAILABLE: 5 })
    assert.deepEqual([hostile.p50Ms, hostile.p99Ms, p50?.atLeast, p99?.atLeast], [1, 3000, false, true])
  })

  it('recovers when intervals of a slot are as fast as quiet ones, at a resolution of 250 ms', () => {
    const slow = [0, 1, 3].map(i => 2 * LENGTH + i)
    const results = measured(slot => (isHostile(slot) || slow.includes(slot) ? 9000 : 1000))
    assert.equal(results.hasRecovered, true)
    const { pairs, recoveryMs } = results.result(1)
    const actual = pairs.map(({ hostile }) => hostile.recoveryMs)
    assert.deepEqual([actual, recoveryMs], [[1000, 0], 1000])
  })

  it('says how long recovery was watched for at least, where it was not seen', () => {
    const results = measured(slot => (slot < LENGTH || slot >= 5 * LENGTH ? 1000 : 9000))
    const { recoveryMs, recovered } = results.result(1)
    assert.deepEqual([recoveryMs, recovered], [LENGTH * 250, false])
  })

  it('is of pairs that nothing else disturbed', () => {
    const results = measured(() => 1000, { isCalm: false })
    const { pairs, count } = results.result(1)
    const actual = pairs.map(({ setAside }) => setAside)
    assert.deepEqual([actual, count], [['NOT_CALM', null], { quiet: 2000, hostile: 2000 }])
  })

  it('is of all pairs, where each was disturbed', () => {
    const { pairs, count } = measured(() => 1000, { isCalm: false }).result(0.1)
    const actual = pairs.map(({ setAside }) => setAside)
    assert.deepEqual([actual, count.quiet], [['NOT_CALM', 'STOLEN'], 4000])
  })

  it('is nothing before a pair is over', () => {
    const { pairs, p50, recoveryMs } = new StretchResults().result(1)
    assert.deepEqual([pairs, p50, recoveryMs], [[], null, null])
  })
})

/** @param {[quiet: number | null, hostile: number | null][]} times @param {object} [more] - of hostile ones */
const pairsOf = (times, more = {}) =>
  /** @type {any} */ (
    times.map(([quiet, hostile]) => ({
      quiet: { p99Ms: quiet, censored: { p99: false } },
      hostile: { p99Ms: hostile, censored: { p99: false }, ...more }
    }))
  )

describe('the ratio of response times', () => {
  it('is that of pairs, whatever one of them was like, with the interval that the pairs allow', () => {
    const times = /** @type {[number, number][]} */ ([
      [1, 2],
      [2, 4.1],
      [1, 1.9],
      [1.5, 3],
      [1, 2.2],
      [3, 5.8]
    ])
    const ratio = compareStretches(pairsOf(times), 'p99')
    assert.ok(ratio !== null && ratio.low !== null && ratio.high !== null)
    assert.ok(Math.abs(ratio.ratio - 2) < 0.1, String(ratio.ratio))
    assert.ok(ratio.low > 1.8 && ratio.high < 2.3, `${ratio.low} to ${ratio.high}`)
  })

  it('is not known where a stretch has too few operations, or a quiet one only a lower bound', () => {
    assert.equal(compareStretches([], 'p99'), null)
    assert.equal(compareStretches(pairsOf([[1, null]]), 'p99'), null)
    const censored = pairsOf([[5000, 1]])
    censored[0].quiet.censored.p99 = true
    assert.equal(compareStretches(censored, 'p99'), null)
    assert.equal(compareStretches(pairsOf([[1, 5000]], { censored: { p99: true } }), 'p99')?.atLeast, true)
  })
})

/** @param {{ control?: any, reading?: any }} target */
const watching = ({ control = null, reading = null }) => new ServerWatch({ control, reading })

/** @param {number[]} cpuMs - one after the other; the last one from then on */
function controlWith(cpuMs) {
  let looks = 0
  const takeUsage = async () => ({
    cpuMs: cpuMs[Math.min(looks++, cpuMs.length - 1)],
    rssBytes: 7,
    longestTurnMs: 4
  })
  return { control: { takeUsage }, looks: () => looks }
}

const UNKNOWN = { cpuPercent: null, rssBytes: null, longestTurnMs: null }

describe('what a server costs', { concurrency: true }, () => {
  it('is what it says itself, where it does: CPU since it was asked last', async () => {
    const { control } = controlWith([12, 12 + 1e6])
    const watch = watching({ control })
    assert.deepEqual(await watch.cost(), { cpuPercent: null, rssBytes: 7, longestTurnMs: 4 })
    const { cpuPercent } = await watch.cost()
    assert.ok(Number(cpuPercent) > 1e6, String(cpuPercent))
  })

  it('is not known of one that says nothing', async () => {
    const watch = watching({})
    assert.deepEqual(await watch.cost(), UNKNOWN)
    assert.equal(await watch.memory(), null)
  })

  it('is read of its process otherwise: the most memory since it was asked last, between readings too', async t => {
    const sizes = [5, 9, 3]
    let reads = 0
    const reading = async () => ({ cpuMs: 10 * ++reads, rssBytes: sizes.shift() ?? 2 })
    const watch = watching({ reading })
    t.after(() => watch.stop())
    await until(() => reads >= 2)
    const { rssBytes, longestTurnMs } = await watch.cost()
    assert.deepEqual([rssBytes, longestTurnMs], [9, null])
    watch.stop()
    assert.equal((await watch.cost()).rssBytes, 2)
  })

  it('goes on being read after a reading that failed', async t => {
    let reads = 0
    const reading = async () => {
      if (++reads === 1) throw new Error('it has just ended')
      return { cpuMs: 1, rssBytes: 6 }
    }
    const watch = watching({ reading })
    t.after(() => watch.stop())
    await until(() => reads >= 1)
    assert.equal((await watch.cost()).rssBytes, 6)
  })
})

describe('a server is calm', { concurrency: true }, () => {
  it('once it uses little more than without hostile peers', async () => {
    const { control, looks } = controlWith([0, 100_000, 200_000, 200_000])
    assert.equal(await watching({ control }).calm(30), true)
    assert.equal(looks(), 4)
  })

  it('after a moment, where it does not say what it does', async () => {
    const began = performance.now()
    assert.equal(await watching({}).calm(0), true)
    assert.ok(performance.now() - began > 900)
  })
})
