import { largestOf, sumOf } from '../../../kit/lists.js'
import { summarize } from '../../../measure/summary.js'
import { waitingOverTime } from '../../../measure/waiting.js'
import { pooledTimes } from '../../../result/pooled-times.js'
import { failsStrict } from '../../../result/strict.js'
import { limitedRun } from '../measure/limited-run.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 *
 * @typedef {Pick<Summary, 'avg' | 'p50' | 'p90' | 'p95' | 'p99' | 'max'>} Times
 *
 * @typedef {object} LoadPoint - what a server made of one load, of all types of operations together; CONNECT, which is part of the
 *   operation after it, is not counted
 * @property {number} durationMs - that operations were due for
 * @property {number} due - operations
 * @property {number} achieved - operations that succeeded within the duration
 * @property {number} [underWay] - of those that succeeded later: under way at its end, as many as are at any time; absent: of an earlier release
 * @property {number} failed - operations that did not succeed at all
 * @property {number[]} waiting - operations that were due and had not ended, at the end of each second
 * @property {Times} rt - response time
 * @property {number | null} serverCpuPercent - average; 100 is one core; of several servers all together
 * @property {import('../../../result/types.js').LimitedBy} [limitedBy] - absent: nothing was measured, or the trial is of an earlier release
 * @property {number | null} serverMemoryBytes - maximum of the samples
 * @property {number | null} utilization - of the busiest worker's event loop, 0 to 1
 * @property {boolean} generatorLimited - --strict fails for the run
 */

/**
 * loadPointOf reads from the result of a run in the open model what its load came to.
 *
 * @param {Result} result - with a duration
 * @returns {LoadPoint}
 */
export function loadPointOf({ plan, outcome, run, ...result }) {
  const operations = Object.entries(outcome.operations).filter(([type]) => type !== 'CONNECT')
  const figures = operations.map(([, figures]) => figures)
  const durationMs = plan.durationMs ?? outcome.measuredMs
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  const ended = outcome.perSecond
    .filter(({ type }) => type !== 'CONNECT')
    .flatMap(entry => inSeconds(entry, outcome.secondsPerPoint))
  const due = sum(figures.map(({ count }) => count))
  const succeeded = ended.filter(({ second, outcome }) => outcome === 'OK' && second < seconds)
  const inTime = sum(succeeded.map(({ count }) => count))
  const successes = sum(figures.map(({ outcomes }) => outcomes.OK ?? 0))
  const rt = timesOf(figures)
  return {
    durationMs,
    due,
    achieved: inTime,
    underWay: underWayAtEnd({ due, durationMs, rt, later: successes - inTime }),
    failed: sum(figures.map(({ errors }) => errors)),
    waiting: waitingOverTime(ended, due, seconds),
    rt,
    serverCpuPercent: outcome.server?.cpu.averagePercent ?? null,
    serverMemoryBytes: outcome.server?.memory.maxBytes ?? outcome.server?.memory.averageBytes ?? null,
    utilization: run.health.length === 0 ? null : largestOf(run.health, ({ utilization }) => utilization),
    limitedBy: outcome.limitedBy ?? limitedRun({ plan, outcome, run }),
    generatorLimited: failsStrict({ run, ...result })
  }
}

/** Of what was due: more are no usual time of a reply, but a backlog. */
const MAX_UNDER_WAY = 0.1

/**
 * Operations that were under way when the duration was over, and had been no longer than any other (Little's law): they are not held against
 * the load.
 *
 * @param {{ due: number, durationMs: number, rt: Times, later: number }} load - `later`: succeeded after the duration
 */
function underWayAtEnd({ due, durationMs, rt, later }) {
  const usual = (due / durationMs) * ((rt.p50 ?? rt.avg)?.ms ?? 0)
  return Math.min(later, Math.ceil(Math.min(usual, MAX_UNDER_WAY * due)))
}

/** @param {number[]} numbers */
const sum = numbers => sumOf(numbers)

/** @param {[number, number][]} histogram */
const countOf = histogram => sum(histogram.map(([, count]) => count))

/**
 * A point of a long run covers several seconds: its operations count as ended evenly over them.
 *
 * @param {Result['outcome']['perSecond'][number]} entry
 * @param {number} width - s
 */
function inSeconds({ second, outcome, histogram }, width) {
  const upTo = (/** @type {number} */ seconds) => Math.round((countOf(histogram) * seconds) / width)
  return Array.from({ length: width }, (_, i) => ({
    second: second + i,
    outcome,
    count: upTo(i + 1) - upTo(i)
  }))
}

/** @param {Summary} summary @returns {Times} */
const times = ({ avg, p50, p90, p95, p99, max }) => ({ avg, p50, p90, p95, p99, max })

/** @type {Times} */
const NO_TIMES = { avg: null, p50: null, p90: null, p95: null, p99: null, max: null }

/** Of several types together, the figures of all operations. @param {OperationResult[]} figures @returns {Times} */
function timesOf(figures) {
  if (figures.length === 0) return NO_TIMES
  if (figures.length === 1) return times(figures[0].rt.all)
  const { all, answered } = pooledTimes(figures.map(({ histograms }) => histograms))
  return times(summarize(all, { answered }))
}
