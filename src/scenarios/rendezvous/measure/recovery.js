import { largestOf, sumOf } from '../../../kit/lists.js'
import { median } from '../../../kit/median.js'
import { Histogram } from '../../../measure/histogram.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').FaultResult} FaultResult
 * @typedef {Result['outcome']['perSecond'][number]} Entry
 *
 * @typedef {object} FaultEvent - what was done to the server; times in ms since the measurement began
 * @property {import('../plan/fault-option.js').FaultKind} kind
 * @property {number} atMs - as planned
 * @property {number} [server] - of several, from 1
 * @property {number} fromMs
 * @property {number | null} toMs - the server could do its work again; null: that was not seen
 * @property {number | null} cpus - that were left to it
 * @property {number | null} registrationsLost - by the server's own count; null: not counted
 *
 * @typedef {object} Measured
 * @property {readonly Entry[]} perSecond
 * @property {number} secondsPerPoint - that each of them covers
 * @property {ReadonlyMap<number, number>} reconnects - dials by point
 * @property {number} measuredMs
 * @property {number} timeoutMs - what was sent during a fault may end as late as this after it
 * @property {(second: number) => number} dueIn - operations that are due in the point that begins then, in any unit; for a rate that
 *   changes
 *
 * @typedef {object} Second - or more, in a run so long that its points cover more
 * @property {number} ok - operations that succeeded
 * @property {Histogram} times - of all operations
 * @property {Map<string, number>} lost - by outcome
 */

/** The state before a fault is that of so many seconds at most. */
const MOST_BEFORE = 10
/** Of fewer, nothing can be said. */
const LEAST_BEFORE = 3
/** Workers end their seconds a little late, so that what a fault did at once may stand in the second before it. */
const LATE_MS = 100
/** A second alone may be good by chance. */
const TOGETHER = 2
/** Throughput is back at this share of what it was. */
const THROUGHPUT_SHARE = 0.9
/** The 99th percentile is back below so many times what it was. */
const P99_TIMES = 2

/**
 * faultResults say what faults did to the load: how long it took until throughput and p99 were back, and what was lost. A second is
 * judged together with the one after it; where a point of the run covers more than a second, so does everything here.
 *
 * @param {readonly FaultEvent[]} events - in order
 * @param {Measured} measured
 * @returns {FaultResult[]}
 */
export function faultResults(events, measured) {
  const seconds = inSeconds(measured)
  let settledMs = 0
  return events.map((event, i) => {
    const nextMs = events[i + 1]?.fromMs ?? measured.measuredMs
    const result = faultResult(event, { seconds, measured, settledMs, nextMs })
    settledMs =
      (event.toMs ?? nextMs) + Math.max(result.recoveredThroughputMs ?? 0, result.recoveredP99Ms ?? 0)
    return result
  })
}

/** @param {Measured} measured @returns {Second[]} whole ones */
function inSeconds({ perSecond, measuredMs, secondsPerPoint }) {
  const seconds = Array.from({ length: Math.floor(measuredMs / (1000 * secondsPerPoint)) }, () => ({
    ok: 0,
    times: new Histogram(),
    lost: new Map()
  }))
  for (const { second, type, outcome, histogram } of perSecond) {
    const into = seconds[second / secondsPerPoint]
    if (type === 'CONNECT' || into === undefined) continue
    const count = sumOf(histogram, ([, n]) => n)
    if (outcome === 'OK') into.ok += count
    else into.lost.set(outcome, (into.lost.get(outcome) ?? 0) + count)
    into.times.merge(asData(histogram, count))
  }
  return seconds
}

/** @param {[number, number][]} histogram @param {number} count */
const asData = (histogram, count) => ({
  values: Float64Array.from(histogram, ([value]) => value),
  counts: Uint32Array.from(histogram, ([, n]) => n),
  count,
  sum: 0,
  max: 0
})

/**
 * @param {FaultEvent} event
 * @param {{ seconds: Second[], measured: Measured, settledMs: number, nextMs: number }} around
 * @returns {FaultResult}
 */
function faultResult(event, { seconds, measured, settledMs, nextMs }) {
  const { fromMs, toMs } = event
  const { secondsPerPoint } = measured
  const pointMs = 1000 * secondsPerPoint
  const first = Math.max(0, Math.floor((fromMs - LATE_MS) / pointMs))
  const from = Math.max(first - MOST_BEFORE, Math.ceil(settledMs / pointMs))
  const before = stateOf(seconds.slice(from, first), from, measured)
  const end = Math.min(seconds.length, Math.ceil(nextMs / pointMs))
  /** @param {(state: State) => boolean} isBack */
  const recovered = isBack =>
    before === null || toMs === null ? null : backAfter({ seconds, toMs, end, measured }, isBack)
  const recoveredThroughputMs = recovered(
    ({ share }) => share >= THROUGHPUT_SHARE * /** @type {State} */ (before).share
  )
  const recoveredP99Ms = recovered(({ p99Ms }) => p99Ms <= P99_TIMES * /** @type {State} */ (before).p99Ms)
  const back = [recoveredThroughputMs, recoveredP99Ms]
  const over =
    toMs === null || back.includes(null)
      ? nextMs
      : toMs + Math.max(measured.timeoutMs, ...back.map(ms => ms ?? 0))
  const last = Math.min(end, Math.ceil(over / pointMs))
  return {
    ...event,
    before: before === null ? null : { throughputPerSecond: before.throughputPerSecond, p99Ms: before.p99Ms },
    recoveredThroughputMs,
    recoveredP99Ms,
    operationsLost: lostIn(seconds.slice(first, last)),
    reconnects: dialsIn(measured.reconnects, first * secondsPerPoint, last * secondsPerPoint)
  }
}

/**
 * @typedef {object} State - of some seconds
 * @property {number} throughputPerSecond
 * @property {number} share - of what was due
 * @property {number} p99Ms
 */

/**
 * @param {Second[]} seconds
 * @param {number} from - the first of them
 * @param {Measured} measured
 * @param {number} [least] - of fewer, nothing is said
 * @returns {State | null}
 */
function stateOf(seconds, from, { dueIn, secondsPerPoint }, least = LEAST_BEFORE) {
  const times = new Histogram()
  for (const second of seconds) times.add(second.times)
  if (seconds.length < least || times.count === 0) return null
  const rates = seconds.map(({ ok }) => ok)
  const shares = rates.map((ok, i) => ok / Math.max(Number.MIN_VALUE, dueIn((from + i) * secondsPerPoint)))
  return {
    throughputPerSecond: median(rates) / secondsPerPoint,
    share: median(shares),
    p99Ms: times.bucketAt(0.99) / 1000
  }
}

/**
 * @param {{ seconds: Second[], toMs: number, end: number, measured: Measured }} after
 * @param {(state: State) => boolean} isBack
 * @returns {number | null} ms after the end of the fault; null: not as far as is known
 */
function backAfter({ seconds, toMs, end, measured }, isBack) {
  const pointMs = 1000 * measured.secondsPerPoint
  for (let second = Math.ceil(toMs / pointMs); second + TOGETHER <= end; second++) {
    // the middle of two values is their mean
    const state = stateOf(seconds.slice(second, second + TOGETHER), second, measured, TOGETHER)
    if (state !== null && isBack(state)) return second * pointMs - toMs
  }
  return null
}

/** @param {Second[]} seconds @returns {Record<string, number>} */
function lostIn(seconds) {
  /** @type {Record<string, number>} */
  const lost = {}
  for (const second of seconds)
    for (const [outcome, count] of second.lost) lost[outcome] = (lost[outcome] ?? 0) + count
  return lost
}

/** @param {ReadonlyMap<number, number>} reconnects @param {number} first @param {number} last */
function dialsIn(reconnects, first, last) {
  const within = [...reconnects]
    .filter(([second]) => second >= first && second < last)
    .map(([, dials]) => dials)
  return {
    dials: sumOf(within),
    peakPerSecond: largestOf(within)
  }
}
