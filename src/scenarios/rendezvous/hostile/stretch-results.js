import { present, sumOf } from '../../../kit/lists.js'
import {
  MAX_RECOVERY_MS,
  recoveredAt,
  SLOT_MS,
  slotFrom,
  slotsEach,
  slowest
} from '../../../load/hostile-stretches.js'
import { Histogram, merged } from '../../../measure/histogram.js'
import { hodgesLehmann } from '../../../measure/hodges-lehmann.js'
import { signFlip } from '../../../measure/sign-flip.js'
import { isSure } from '../../../measure/summary.js'

/**
 * @typedef {import('../../../result/types.js').HostileOutcome} HostileOutcome
 * @typedef {HostileOutcome['pairs'][number]} Pair
 * @typedef {Pair['quiet']} Stretch
 * @typedef {NonNullable<HostileOutcome['p50']>} Ratio
 *
 * @typedef {object} MeasuredStretch
 * @property {boolean} hostile
 * @property {number} from - its first slot
 * @property {number} to - the slot behind its last one
 * @property {import('./server-watch.js').Cost} cost - of the server
 * @property {boolean} isCalm - the server had nothing left to do of the stretch before
 * @property {number | null} notSent - share of what was due that hostile peers were too late for; null: they have not ended
 * @property {number} endMs - of it, since the load began: hostile peers were told to end
 * @property {number} watchedMs - until when recovery is read: the next stretch begins, or the load ends
 *
 * @typedef {Map<string, Histogram>} Slot - response times in µs, by outcome
 */

/** StretchResults are the operations of a load that were due in quiet and in hostile stretches. */
export class StretchResults {
  /** @type {Map<number, Slot>} */
  #slots = new Map()
  /** @type {MeasuredStretch[]} */
  #stretches = []
  /** Of pairs that are over: what others of the host took of the cores, in percent; null: this system does not tell. @type {(number | null)[]} */
  #stolen = []

  /** count takes operations of a worker. @param {readonly import('../../../measure/due-slots.js').DueSlot[]} slots */
  count(slots) {
    for (const { slot, outcome, data } of slots) {
      const outcomes = this.#slots.get(slot) ?? new Map()
      this.#slots.set(slot, outcomes)
      const times = outcomes.get(outcome) ?? new Histogram()
      outcomes.set(outcome, times)
      times.merge(data)
    }
  }

  /** add takes the next stretch, once its operations were due; what is known of it later is written into it. @param {MeasuredStretch} stretch */
  add(stretch) {
    this.#stretches.push(stretch)
  }

  /** end ends a pair. @param {number | null} stealPercent */
  end(stealPercent) {
    this.#stolen.push(stealPercent)
  }

  /** quietPercent is the most that the server took of a core in quiet stretches; 0: there were none, or it does not say. */
  get quietPercent() {
    return Math.max(0, ...this.#of(false).map(({ cost }) => cost.cpuPercent ?? 0))
  }

  /** hasRecovered says whether operations are as fast again as in quiet stretches. */
  get hasRecovered() {
    const last = this.#of(true).at(-1)
    return last !== undefined && this.#recovery(last).recovered
  }

  /** @param {boolean} hostile */
  #of(hostile) {
    return this.#stretches.filter(stretch => stretch.hostile === hostile)
  }

  /**
   * result gives the pairs of stretches that are over, and their figures: of those that nothing else disturbed, or of all where there is
   * none.
   *
   * @param {number} maxStealPercent - more than this, and a pair is set aside
   */
  result(maxStealPercent) {
    const pairs = this.#stolen.map((stealPercent, i) => {
      const both = this.#stretches.slice(2 * i, 2 * i + 2)
      const [quiet, hostile] = both.toSorted((a, b) => Number(a.hostile) - Number(b.hostile))
      return {
        hostileFirst: both[0].hostile,
        stealPercent,
        setAside: setAside(both, Number(stealPercent) > maxStealPercent),
        quiet: this.#stretch(quiet),
        hostile: {
          ...this.#stretch(hostile),
          notSent: hostile.notSent,
          ...this.#recovery(hostile)
        }
      }
    })
    const undisturbed = pairs.filter(pair => pair.setAside === null)
    return { pairs, ...figuresOf(undisturbed.length > 0 ? undisturbed : pairs) }
  }

  /** @param {MeasuredStretch} stretch @returns {Stretch} */
  #stretch({ from, to, cost }) {
    const operations = Array.from({ length: to - from }, (_, i) => [
      ...(this.#slots.get(from + i) ?? [])
    ]).flat()
    const answered = merged(operations.flatMap(([outcome, times]) => (outcome === 'OK' ? times : [])))
    /** @type {Record<string, number>} */
    const failures = {}
    for (const [outcome, { count }] of operations)
      if (outcome !== 'OK') failures[outcome] = (failures[outcome] ?? 0) + count
    const count = sumOf(operations, ([, times]) => times.count)
    const longestMs = Math.max(0, ...operations.map(([, { max }]) => max)) / 1000
    const [p50, p99] = [0.5, 0.99].map(share => percentile(share, { count, answered, longestMs }))
    return {
      count,
      failed: sumOf(Object.values(failures)),
      failures,
      p50Ms: p50.ms,
      p99Ms: p99.ms,
      censored: { p50: p50.censored, p99: p99.censored },
      ...cost
    }
  }

  /**
   * Until two intervals one after the other are in the range of quiet ones again.
   *
   * @param {MeasuredStretch} hostile
   * @returns {{ recoveryMs: number | null, recovered: boolean }} null: it is not known what is usual; not recovered: a lower bound
   */
  #recovery({ endMs, watchedMs }) {
    const quiet = this.#of(false)
    const all = quiet.flatMap(({ from, to }) => this.#intervals(from, to, 1))
    const each = slotsEach(sumOf(all, ({ count }) => count) / all.length)
    const known = present(quiet.flatMap(({ from, to }) => this.#intervals(from, to, each).map(slowest)))
    const finite = known.filter(Number.isFinite)
    if (finite.length === 0) return { recoveryMs: null, recovered: false }
    const from = slotFrom(endMs)
    const to = Math.min(slotFrom(watchedMs), slotFrom(endMs + MAX_RECOVERY_MS), this.#behindLast)
    const at = recoveredAt(this.#intervals(from, to, each).map(slowest), Math.max(...finite))
    // to the slot: it may have been at any time in the one before
    if (at !== null) return { recoveryMs: at * each * SLOT_MS, recovered: true }
    return { recoveryMs: Math.max(0, to - from) * SLOT_MS, recovered: false }
  }

  /** The slot behind the last that has operations. */
  get #behindLast() {
    return Math.max(-1, ...this.#slots.keys()) + 1
  }

  /** Whole intervals of some slots each. @param {number} from @param {number} to @param {number} each @returns {Histogram[]} */
  #intervals(from, to, each) {
    return Array.from({ length: Math.max(0, Math.floor((to - from) / each)) }, (_, i) => {
      const operations = new Histogram()
      for (let slot = from + i * each; slot < from + (i + 1) * each; slot++)
        for (const [outcome, times] of this.#slots.get(slot) ?? [])
          operations.addPairs(outcome === 'OK' ? times.counts : [[Infinity, times.count]])
      return operations
    })
  }
}

/**
 * An operation that failed counts as longer than any that was answered: a percentile that they reach into is at least the longest time that
 * was waited.
 *
 * @param {number} share
 * @param {{ count: number, answered: Histogram, longestMs: number }} of
 */
function percentile(share, { count, answered, longestMs }) {
  if (!isSure(share, count)) return { ms: null, censored: false }
  const ofAnswered = (share * count) / answered.count
  if (ofAnswered > 1 + Number.EPSILON) return { ms: longestMs, censored: true }
  return { ms: answered.quantile(Math.min(1, ofAnswered)) / 1000, censored: false }
}

/** @param {readonly MeasuredStretch[]} stretches @param {boolean} isStolen @returns {'NOT_CALM' | 'STOLEN' | null} */
function setAside(stretches, isStolen) {
  if (stretches.some(({ isCalm }) => !isCalm)) return 'NOT_CALM'
  return isStolen ? 'STOLEN' : null
}

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

/** @param {readonly Pair[]} pairs */
function figuresOf(pairs) {
  const recoveries = pairs.map(({ hostile }) => hostile.recoveryMs)
  return {
    p50: ratioOf(pairs, 'p50'),
    p99: ratioOf(pairs, 'p99'),
    count: bothOf(pairs, ({ count }) => count, sumOf),
    failed: bothOf(pairs, ({ failed }) => failed, sumOf),
    longestTurnMs: bothOf(pairs, ({ longestTurnMs }) => longestTurnMs, most),
    rssBytes: bothOf(pairs, ({ rssBytes }) => rssBytes, most),
    cpuPercent: bothOf(pairs, ({ cpuPercent }) => cpuPercent, centre),
    recoveryMs: recoveries.includes(null) ? null : most(present(recoveries)),
    recovered: pairs.every(({ hostile }) => hostile.recovered),
    notSent: most(present(pairs.map(({ hostile }) => hostile.notSent)))
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
