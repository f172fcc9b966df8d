import { present, sumOf } from '../../../kit/lists.js'
import { recoveredAfterMs, stretchAt } from '../../../load/hostile-stretches.js'
import { isCensored } from '../../../load/outcomes.js'
import { Histogram } from '../../../measure/histogram.js'
import { hodgesLehmann } from '../../../measure/hodges-lehmann.js'
import { signFlip } from '../../../measure/sign-flip.js'
import { summarize } from '../../../measure/summary.js'

/**
 * @typedef {import('../../../result/types.js').HostileOutcome} HostileOutcome
 * @typedef {HostileOutcome['pairs'][number]} Pair
 * @typedef {Pair['quiet']} Stretch
 * @typedef {NonNullable<HostileOutcome['p50']>} Ratio
 *
 * @typedef {object} Observed - of a stretch, beside its operations
 * @property {number | null} longestTurnMs
 * @property {number} [notSent]
 */

/** Of fewer operations the slowest tenth is a matter of chance. */
const MIN_OPERATIONS = 10
const SHARE = 0.9
const MAX_RECOVERY_SECONDS = 30

/** The operations that were due in one stretch, behind its lead-in. */
class StretchOperations {
  all = new Histogram()
  answered = new Histogram()
  /** @type {Record<string, number>} */
  failures = {}

  /** @param {string} outcome @param {number} us @param {number} count */
  add(outcome, us, count) {
    this.all.addPairs([[us, count]])
    this.all.max = Math.max(this.all.max, us)
    if (!isCensored(outcome)) this.answered.addPairs([[us, count]])
    this.answered.max = Math.max(this.answered.max, us)
    if (outcome !== 'OK') this.failures[outcome] = (this.failures[outcome] ?? 0) + count
  }
}

/** StretchResults sorts the operations of a load into quiet and hostile stretches, by when they were due. */
export class StretchResults {
  #everyMs
  #pairs
  /** @type {Map<string, StretchOperations>} */
  #operations = new Map()
  /** @type {Map<number, Histogram>} by second in which they were due */
  #seconds = new Map()
  /** @type {Map<string, Observed>} */
  #observed = new Map()

  /** @param {{ everyMs: number, pairs: number }} schedule */
  constructor({ everyMs, pairs }) {
    this.#everyMs = everyMs
    this.#pairs = pairs
  }

  /** add takes an interval of a worker. @param {import('../../../measure/meter.js').Interval} interval */
  add({ second, cells }) {
    for (const { metric, type, outcome, data } of cells) {
      if (metric !== 'rt' || type === 'CONNECT' || type === 'PUBLISH') continue
      const { values, counts } = /** @type {import('../../../measure/histogram.js').HistogramData} */ (data)
      for (let i = 0; i < values.length; i++) this.#count(second, outcome, values[i], counts[i])
    }
  }

  /** An interval has operations by the second in which they ended. @param {number} second @param {string} outcome @param {number} us @param {number} count */
  #count(second, outcome, us, count) {
    const dueMs = Math.max(0, second * 1000 + 500 - us / 1000)
    const { pair, hostile, counted } = stretchAt(dueMs, this.#everyMs)
    const dueSecond = Math.floor(dueMs / 1000)
    const ofSecond = this.#seconds.get(dueSecond) ?? new Histogram()
    this.#seconds.set(dueSecond, ofSecond)
    // an operation that failed took longer than any that did not
    ofSecond.addPairs([[outcome === 'OK' ? us : Infinity, count]])
    if (!counted || pair >= this.#pairs) return
    const key = keyOf(pair, hostile)
    const stretch = this.#operations.get(key) ?? new StretchOperations()
    this.#operations.set(key, stretch)
    stretch.add(outcome, us, count)
  }

  /** observe takes what was measured of the server or the hostile peers in a stretch. @param {number} pair @param {boolean} hostile @param {Observed} observed */
  observe(pair, hostile, observed) {
    this.#observed.set(keyOf(pair, hostile), observed)
  }

  /**
   * result gives the stretches that are over, in pairs, and their figures.
   *
   * @param {readonly import('../../../measure/resource-series.js').Sample[]} samples - of the server, `atMs` since the load began
   */
  result(samples) {
    const pairs = Array.from({ length: this.#pairs }, (_, pair) => {
      const hostile = this.#observed.get(keyOf(pair, true))
      if (hostile === undefined) return null
      return {
        quiet: this.#stretch(pair, false, samples),
        hostile: {
          ...this.#stretch(pair, true, samples),
          notSent: hostile.notSent ?? 0,
          recoveryMs: this.#recovery(pair)
        }
      }
    }).filter(each => each !== null)
    return { pairs, ...figuresOf(pairs) }
  }

  /** @param {number} pair @param {boolean} hostile @param {readonly import('../../../measure/resource-series.js').Sample[]} samples @returns {Stretch} */
  #stretch(pair, hostile, samples) {
    const { all, answered, failures } = this.#operations.get(keyOf(pair, hostile)) ?? new StretchOperations()
    const { p50, p99 } = summarize(all, { answered })
    const own = samples.filter(({ atMs }) => {
      const at = stretchAt(atMs, this.#everyMs)
      return at.counted && at.pair === pair && at.hostile === hostile
    })
    return {
      count: all.count,
      failed: sumOf(Object.values(failures)),
      failures,
      p50Ms: p50?.ms ?? null,
      p99Ms: p99?.ms ?? null,
      censored: { p50: p50?.censored ?? false, p99: p99?.censored ?? false },
      longestTurnMs: this.#observed.get(keyOf(pair, hostile))?.longestTurnMs ?? null,
      rssBytes: most(own.map(({ rssBytes }) => rssBytes)),
      cpuPercent: own.length === 0 ? null : sumOf(own, ({ cpuPercent }) => cpuPercent) / own.length
    }
  }

  /** @param {number} pair */
  #recovery(pair) {
    const seconds = [...this.#seconds].sort(([a], [b]) => a - b)
    const endSecond = Math.floor(((2 * pair + 2) * this.#everyMs) / 1000)
    const nextMs = (2 * pair + 3) * this.#everyMs
    const limit = Math.min(endSecond + MAX_RECOVERY_SECONDS, Math.floor(nextMs / 1000))
    const p90 = (/** @type {Histogram} */ all) => (all.count < MIN_OPERATIONS ? null : all.bucketAt(SHARE))
    const quiet = seconds.flatMap(([second, all]) => {
      const { hostile, counted } = stretchAt(second * 1000, this.#everyMs)
      const value = second < endSecond && !hostile && counted ? p90(all) : null
      return value === null || value === Infinity ? [] : [value]
    })
    const since = Array.from({ length: Math.max(0, limit - endSecond) }, (_, i) => {
      const all = this.#seconds.get(endSecond + i)
      return all === undefined ? null : p90(all)
    })
    return recoveredAfterMs(since, most(quiet))
  }
}

/** @param {number} pair @param {boolean} hostile */
const keyOf = (pair, hostile) => `${pair} ${hostile}`

/** @param {readonly number[]} values @returns {number | null} null: there are none */
const most = values => (values.length === 0 ? null : Math.max(...values))

/** @param {readonly number[]} values @returns {number | null} null: there are none */
const centre = values => (values.length === 0 ? null : hodgesLehmann(values))

/**
 * @template {number | null} T
 * @param {readonly Pair[]} pairs
 * @param {(stretch: Stretch) => number | null} read
 * @param {(values: readonly number[]) => T} join
 */
const bothOf = (pairs, read, join) => ({
  quiet: join(present(pairs.map(({ quiet }) => read(quiet)))),
  hostile: join(present(pairs.map(({ hostile }) => read(hostile))))
})

/** figuresOf are the figures of all pairs. @param {readonly Pair[]} pairs */
function figuresOf(pairs) {
  // the quiet stretch behind the last hostile one may be too short to tell
  const recoveries = present(pairs.map(({ hostile }) => hostile.recoveryMs))
  const known = pairs.slice(0, -1).every(({ hostile }) => hostile.recoveryMs !== null)
  return {
    p50: ratioOf(pairs, 'p50'),
    p99: ratioOf(pairs, 'p99'),
    count: bothOf(pairs, ({ count }) => count, sumOf),
    failed: bothOf(pairs, ({ failed }) => failed, sumOf),
    longestTurnMs: bothOf(pairs, ({ longestTurnMs }) => longestTurnMs, most),
    rssBytes: bothOf(pairs, ({ rssBytes }) => rssBytes, most),
    cpuPercent: bothOf(pairs, ({ cpuPercent }) => cpuPercent, centre),
    recoveryMs: known ? most(recoveries) : null,
    notSent: most(pairs.map(({ hostile }) => hostile.notSent)) ?? 0
  }
}

/**
 * ratioOf is how many times as long operations take beside hostile peers, by pairs of stretches.
 *
 * @param {readonly Pair[]} pairs
 * @param {'p50' | 'p99'} which
 * @returns {Ratio | null} null: one of them is not known, or of a quiet one only a lower bound
 */
export function ratioOf(pairs, which) {
  const times = pairs.map(({ quiet, hostile }) => [quiet[`${which}Ms`], hostile[`${which}Ms`]])
  const known = times.every(pair => pair.every(ms => ms !== null && ms > 0))
  if (pairs.length === 0 || !known || pairs.some(({ quiet }) => quiet.censored[which])) return null
  const both = /** @type {[number, number][]} */ (times)
  const logs = both.map(([quiet, hostile]) => Math.log(hostile / quiet))
  const { low, high } = signFlip(logs).interval
  const bounded = Number.isFinite(low + high)
  return {
    quietMs: hodgesLehmann(both.map(([quiet]) => quiet)),
    hostileMs: hodgesLehmann(both.map(([, hostile]) => hostile)),
    ratio: Math.exp(hodgesLehmann(logs)),
    low: bounded ? Math.exp(low) : null,
    high: bounded ? Math.exp(high) : null,
    atLeast: pairs.some(({ hostile }) => hostile.censored[which])
  }
}
