// Whether a load has reached a steady state: the end of warm-up, drift, trends, growing queues.
import { computeSum, findLargest, median, omitMissing } from '../kit/collections.js'
import { Histogram, mergeHistograms } from './histogram.js'
import { estimateTheilSen } from './statistics.js'

/** LONGEST: a warm-up lasts at most so many times as long as was asked for. */
const LONGEST = 5

const SECOND_MS = 1000

/** computeRewarmMs is how long it takes to come to another rate where all is warm. @param {{ warmupMs: number }} plan */
export const computeRewarmMs = ({ warmupMs }) => Math.min(SECOND_MS, warmupMs)

/** Three stretches make a warm-up that is shorter than three seconds. */
const STRETCHES = 3
const SHORTEST_STRETCH_MS = 50
/** Times are counted in µs. */
const MIN_MS = 0.001

/** So many operations compile what they run through, on both sides: with fewer, each takes up to ten times the CPU. */
const COMPILED_OPERATIONS = 5000

/**
 * @typedef {import('../report/schema.js').WarmUp} WarmUp
 *
 * @typedef {object} WarmUpStretch - a second of a warm-up, or less of a short one
 * @property {number} operations
 * @property {Readonly<Record<string, [number, number][]>>} times - by type of operation: µs and count
 */

/** computeWarmUpStretchMs is how long a stretch of a warm-up of some length is. @param {number} warmupMs */
export const computeWarmUpStretchMs = warmupMs =>
  Math.max(SHORTEST_STRETCH_MS, Math.min(SECOND_MS, warmupMs / STRETCHES))

/**
 * lastDrifts are those of the last three stretches, by the rule that measurements go by, of each type of operation.
 *
 * @param {readonly WarmUpStretch[]} stretches
 */
function lastDrifts(stretches) {
  const last = stretches.slice(-STRETCHES)
  if (last.length < STRETCHES) return []
  const types = [...new Set(last.flatMap(({ times }) => Object.keys(times)))]
  return omitMissing(
    types.map(type => findDrift(last.map(({ times }, second) => ({ second, histogram: times[type] ?? [] }))))
  )
}

/**
 * isWarmUpOver says whether a warm-up has lasted long enough: as long as was asked for, and until p50 has settled over its last three stretches;
 * at full load also until code is compiled; at most five times as long. Where all is warm and but the rate is another, it lasts as long as was
 * asked for.
 *
 * @param {{ warmupMs: number, ms: number, stretches: readonly WarmUpStretch[], again?: boolean, fullLoad?: boolean }} soFar - `ms`: it has lasted;
 *   `again`: all is warm; `fullLoad`: as many operations are sent as can be
 */
export function isWarmUpOver({ warmupMs, ms, stretches, again = false, fullLoad = false }) {
  if (ms < warmupMs) return false
  if (again || ms >= LONGEST * warmupMs) return true
  if (fullLoad && operationsIn(stretches) < COMPILED_OPERATIONS) return false
  return stretches.length >= STRETCHES && lastDrifts(stretches).every(({ settled }) => settled)
}

/** @param {readonly WarmUpStretch[]} stretches */
const operationsIn = stretches => computeSum(stretches, ({ operations }) => operations)

/**
 * summarizeWarmUp is what a result says of a warm-up that is over.
 *
 * @param {{ ms: number, stretches: readonly WarmUpStretch[] }} soFar
 * @returns {WarmUp | null} null: there was none
 */
export function summarizeWarmUp({ ms, stretches }) {
  if (stretches.length === 0) return null
  const drifts = lastDrifts(stretches)
  const moveOf = (/** @type {Drift} */ { firstMs, lastMs }) =>
    Math.abs(lastMs - firstMs) / Math.max(firstMs, MIN_MS)
  return {
    durationMs: ms,
    operations: operationsIn(stretches),
    lastMove: drifts.length === 0 ? null : findLargest(drifts, moveOf),
    settled: drifts.length > 0 && drifts.every(({ settled }) => settled)
  }
}

/** A median that moves by less than this share of itself, from the first third of a time to its last, has settled. */
const MOVES = 0.1
/** A third with fewer operations says nothing about its median. */
const MIN_OPERATIONS = 20
/** Parts of a third, as far as it has so many points: a median that moves more within a third than from one to the other has settled. */
const PARTS = 3
/** Quantile of the standard normal distribution for an interval of 95 %. */
const Z = 1.96

/**
 * @typedef {object} Median
 * @property {number} ms
 * @property {number} lowMs - of its 95 % interval
 * @property {number} highMs
 *
 * @typedef {{ firstMs: number, lastMs: number, settled: boolean }} Drift - medians of the first third and of the last
 */

/**
 * findDrift says whether the median had settled: that of the last third of a time differs from that of the first by less than a tenth, or by
 * no more than chance explains (their 95 % intervals overlap), or than it moves within the thirds. Warm-ups and measurements go by it.
 *
 * @param {readonly { second: number, histogram: readonly (readonly [number, number])[] }[]} points - of one operation type, ascending
 * @param {number} [width] - seconds that each covers
 * @returns {Drift | null} null: too little to tell
 */
export function findDrift(points, width = 1) {
  if (points.length === 0) return null
  const begin = points[0].second
  const third = (points[points.length - 1].second + width - begin) / 3
  const first = histogramsOf(points.filter(({ second }) => second + width <= begin + third + 1e-9))
  const last = histogramsOf(points.filter(({ second }) => second >= begin + 2 * third - 1e-9))
  const [before, after] = [mergeHistograms(first), mergeHistograms(last)]
  if (Math.min(before.count, after.count) < MIN_OPERATIONS) return null
  const [from, to] = [readMedian(before), readMedian(after)]
  const moved =
    Math.abs(to.ms - from.ms) > MOVES * from.ms &&
    (areBelow([from], [to]) || areBelow([to], [from])) &&
    (areBelow(partsOf(first), partsOf(last)) || areBelow(partsOf(last), partsOf(first)))
  return { firstMs: from.ms, lastMs: to.ms, settled: !moved }
}

/**
 * findDriftOfType is that of the operations of a type that succeeded.
 *
 * @param {Pick<import('../report/schema.js').Result['outcome'], 'perSecond' | 'secondsPerPoint'>} outcome
 * @param {string} type
 */
export const findDriftOfType = ({ perSecond, secondsPerPoint }, type) =>
  findDrift(
    perSecond.filter(entry => entry.type === type && entry.outcome === 'OK'),
    secondsPerPoint
  )

/**
 * readMedian reads the median of a distribution, with the interval between the order statistics n / 2 ± 1.96 · √n / 2, which holds
 * the true one with 95 % confidence (the normal approximation of the sign test's).
 *
 * @param {{ count: number, bucketAt: (share: number) => number }} times - in µs
 * @returns {Median}
 */
export function readMedian(times) {
  const half = Z / (2 * Math.sqrt(times.count))
  const ms = (/** @type {number} */ share) => times.bucketAt(Math.min(1, Math.max(0, share))) / 1000
  return { ms: ms(0.5), lowMs: ms(0.5 - half), highMs: ms(0.5 + half) }
}

/** @param {readonly { histogram: readonly (readonly [number, number])[] }[]} points */
const histogramsOf = points =>
  points.map(({ histogram }) => {
    const counts = new Histogram()
    counts.addPairs(histogram)
    return counts
  })

/** Medians of the parts of a third. @param {readonly Histogram[]} points @returns {Median[]} without intervals: these are for few operations */
function partsOf(points) {
  const size = Math.ceil(points.length / PARTS)
  const parts = Array.from({ length: Math.ceil(points.length / size) }, (_, i) =>
    mergeHistograms(points.slice(i * size, (i + 1) * size))
  )
  return parts.map(part => {
    const { ms } = readMedian(part)
    return { ms, lowMs: ms, highMs: ms }
  })
}

/** @param {readonly Median[]} some @param {readonly Median[]} others */
const areBelow = (some, others) =>
  findLargest(some, ({ highMs }) => highMs) < Math.min(...others.map(({ lowMs }) => lowMs))

/**
 * @typedef {import('../report/schema.js').Trend} Trend
 * @typedef {{ atMs: number, value: number }} TrendReading
 */

const HOUR_MS = 3_600_000

/** A stretch of time whose readings become one: shorter ones tell of chance, more of them of nothing new. */
const SHORTEST_MS = 15_000
const MAX_STRETCHES = 60

/** A change of less than this share in the whole time is of no interest, however sure it is. */
const MATERIAL = 0.02

/**
 * computeTrendStretchMs is how long the stretches are that a run is looked at in.
 *
 * @param {number} durationMs
 */
export const computeTrendStretchMs = durationMs =>
  Math.max(SHORTEST_MS, Math.ceil(durationMs / MAX_STRETCHES))

/**
 * findTrend tells whether readings rise over time: the slope of the medians of equal stretches of time, or of their lowest readings, with
 * its interval.
 *
 * @param {readonly TrendReading[]} readings - ascending in time
 * @param {{ fromMs: number, toMs: number, stretch: number }} time - stretches that lie within
 * @param {{ lowest?: boolean, material?: number }} [how] - `material`: less than this share in the whole time is of no interest
 * @returns {Trend | null} null: too few to tell
 */
export function findTrend(readings, { fromMs, toMs, stretch }, { lowest = false, material = MATERIAL } = {}) {
  const count = Math.floor((toMs - fromMs) / stretch + 1e-9)
  /** @type {number[][]} */
  const stretches = Array.from({ length: Math.max(0, count) }, () => [])
  for (const { atMs, value } of readings) stretches[Math.floor((atMs - fromMs) / stretch)]?.push(value)
  const points = stretches.flatMap((values, x) =>
    values.length === 0 ? [] : [{ x, y: lowest ? Math.min(...values) : median(values) }]
  )
  const slope = estimateTheilSen(points)
  if (slope === null) return null
  const perHour = HOUR_MS / stretch
  const typical = median(points.map(({ y }) => y))
  const span = points[points.length - 1].x - points[0].x + 1
  const matters = Math.abs(slope.slope * span) >= material * Math.abs(typical)
  return {
    perHour: slope.slope * perHour,
    low: slope.low * perHour,
    high: slope.high * perHour,
    median: typical,
    points: points.length,
    verdict:
      matters && slope.low > 0 ? 'growing' : matters && slope.high < 0 ? 'shrinking' : 'not shown to grow'
  }
}

/**
 * countWaitingOverTime counts the operations that were due and had not ended, at the end of each second of a schedule.
 *
 * @param {readonly { second: number, count: number }[]} ended - operations by the second they ended in, in any order
 * @param {number} due - operations over the whole duration, evenly spread
 * @param {number} seconds - of the duration
 * @returns {number[]}
 */
export function countWaitingOverTime(ended, due, seconds) {
  const counts = new Array(seconds).fill(0)
  for (const { second, count } of ended) if (second < seconds) counts[Math.max(0, second)] += count
  let done = 0
  return counts.map((count, second) => {
    done += count
    return Math.max(0, Math.round((due * (second + 1)) / seconds) - done)
  })
}

/** Fewer wait for other reasons than a load that is too high. */
const MIN_WAITING = 10
/** So much of a second's load is under way at any time. */
const MIN_SHARE = 0.1

/**
 * findGrowingQueue tells whether what waits grew all the while: more in each third of the time than in the one before, twice as much in
 * the last as in the first, and more than is under way at any time (10 operations, and a tenth of a second's).
 *
 * @param {readonly number[]} waiting - at the end of each second
 * @param {number} duePerSecond
 * @returns {number | null} operations that waited in the last third, on average; null: it did not grow, or the time is too short
 *   to tell
 */
export function findGrowingQueue(waiting, duePerSecond) {
  if (waiting.length < PARTS) return null
  const thirds = Array.from({ length: PARTS }, (_, part) => {
    const [from, to] = [part, part + 1].map(end => Math.round((waiting.length * end) / PARTS))
    return computeSum(waiting.slice(from, to)) / Math.max(1, to - from)
  })
  const last = thirds[PARTS - 1]
  const rising = thirds.every((count, part) => part === 0 || count > thirds[part - 1])
  const many = last >= Math.max(MIN_WAITING, MIN_SHARE * duePerSecond)
  return rising && many && last >= 2 * thirds[0] ? last : null
}
