/** @typedef {Pick<import('./answers.js').Answers, 'dueMs' | 'tookMs'>} Times */

const SHORTEST_MS = 250
/** Of fewer the slowest tenth is a matter of chance. */
const LEAST_REQUESTS = 10
const SHARE = 0.9
/** So many intervals after one another must be as before: one alone may be by chance. */
const IN_A_ROW = 2

/**
 * intervalMsOf is how long intervals are: as short as they may be with enough requests in each.
 *
 * @param {number} ratePerSecond - of requests
 */
export const intervalMsOf = ratePerSecond => Math.max(SHORTEST_MS, (1000 * LEAST_REQUESTS) / ratePerSecond)

/**
 * @typedef {object} Interval
 * @property {number} beganMs
 * @property {number} ms - that nine of ten requests were answered in
 */

/**
 * intervalsOf cuts a stretch into intervals; what is left at its end with too few requests is none.
 *
 * @param {Times} times
 * @param {number} intervalMs
 * @param {number} [offsetMs] - of when the stretch began
 * @returns {Interval[]}
 */
export function intervalsOf({ dueMs, tookMs }, intervalMs, offsetMs = 0) {
  /** @type {Map<number, number[]>} */
  const groups = new Map()
  for (const [i, due] of dueMs.entries()) {
    // a rate that does not divide evenly is off by rounding
    const at = Math.floor(due / intervalMs + 1e-9)
    groups.set(at, [...(groups.get(at) ?? []), tookMs[i]])
  }
  return [...groups].flatMap(([at, took]) => {
    if (took.length < LEAST_REQUESTS - 1) return []
    const sorted = took.sort((a, b) => a - b)
    return [{ beganMs: offsetMs + at * intervalMs, ms: sorted[Math.ceil(SHARE * sorted.length) - 1] }]
  })
}

/**
 * quietMostMs is the end of the range of quiet intervals.
 *
 * @param {readonly Interval[]} quiet
 * @returns {number | null} null: there are none
 */
export const quietMostMs = quiet => {
  const known = quiet.map(({ ms }) => ms).filter(Number.isFinite)
  return known.length === 0 ? null : Math.max(...known)
}

/**
 * recoveredMs is when intervals are in the range of quiet ones again, and stay there for a moment.
 *
 * @param {readonly Interval[]} since - the abuse ended, which was at 0
 * @param {number} mostMs - of quiet ones
 * @returns {number | null} null: not yet
 */
export function recoveredMs(since, mostMs) {
  const at = since.findIndex((_, i) => {
    const next = since.slice(i, i + IN_A_ROW)
    return next.length === IN_A_ROW && next.every(({ ms }) => ms <= mostMs)
  })
  return at === -1 ? null : since[at].beganMs
}
