import { present } from '../../kit/lists.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 *
 * @typedef {object} Attempt - at one of the runs of a row
 * @property {number} run - which of them, from 1
 * @property {'complete' | 'failed' | 'interrupted'} status
 * @property {string} result - path of its result document in the matrix folder
 * @property {number} tookMs
 * @property {number | null} pressurePercent - of the measured time something was ready to run and had no core; null: not known
 * @property {number | null} stealPercent - of all cores, taken by other guests of the host
 *
 * @typedef {Pick<RowRecord, 'runs' | 'attempts'>} Runs
 */

/** A run under more pressure than this is repeated: its figures are the machine's. */
export const MOST_PRESSURE_PERCENT = 10
export const MOST_STEAL_PERCENT = 1
/** SAME_PRESSURE: pressures of attempts that differ by no more than this agree. */
export const SAME_PRESSURE = 1.25
/** LEAST_SPREAD: runs of a row from which on a run under pressure is repeated, and least and greatest are shown. Fewer are merged as they are. */
export const LEAST_SPREAD = 3
/** MOST_REPEATS of a run under pressure; then the attempt with the least counts. */
export const MOST_REPEATS = 3

/** pressureIn reads how much the machine was in want of cores. @param {AnyResult | null} result */
export const pressureIn = result => ({
  pressurePercent: result?.run.lateness?.pressurePercent ?? null,
  stealPercent: result?.run.lateness?.stealPercent ?? null
})

/** @param {Runs} row */
const complete = ({ attempts = [] }) => attempts.filter(({ status }) => status === 'complete')

/**
 * What was known of a row when the last attempt at one of its runs was made: what comes later opens no run that was over.
 *
 * @param {Runs} row
 * @param {number} run - from 1
 */
const knownAt = (row, run) =>
  complete(row).slice(0, complete(row).findLastIndex(made => made.run === run) + 1)

/**
 * ownPressurePercent is what the load of a row makes itself, since a closed loop keeps few cores busy: the second least of the attempts
 * at any of its runs, once two agree. A repeat cannot have less.
 *
 * @param {Runs} row
 * @param {number} run - the last one, from 1, of which is known
 * @returns {number | null} null: no two attempts agree, or the system does not tell
 */
export function ownPressurePercent(row, run) {
  const pressures = present(knownAt(row, run).map(({ pressurePercent }) => pressurePercent))
  const [least, second] = pressures.sort((a, b) => a - b)
  return second !== undefined && second <= SAME_PRESSURE * least ? second : null
}

/** isPressed says whether an attempt was under pressure that its load did not make. What is not known is none. @param {Runs} row @param {Attempt} attempt */
export function isPressed(row, { run, pressurePercent, stealPercent }) {
  if ((row.runs ?? 1) < LEAST_SPREAD) return false
  const most = Math.max(MOST_PRESSURE_PERCENT, SAME_PRESSURE * Number(ownPressurePercent(row, run)))
  return Number(pressurePercent) > most || Number(stealPercent) > MOST_STEAL_PERCENT
}

/** hasRuns says whether a row is more than one run. @param {Runs} row */
export const hasRuns = ({ runs = 1 }) => runs > 1

/** completeOf are the attempts at a run of a row that came to their end. @param {Runs} row @param {number} run */
export const completeOf = (row, run) => complete(row).filter(attempt => attempt.run === run)

/** isOver says whether nothing is left to do of a run of a row. @param {Runs} row @param {number} run - from 1 */
export function isOver(row, run) {
  const made = completeOf(row, run)
  return made.length > MOST_REPEATS || made.some(attempt => !isPressed(row, attempt))
}

/** runsOf numbers the runs of a row. @param {Runs} row */
const runsOf = ({ runs = 1 }) => Array.from({ length: runs }, (_, i) => i + 1)

/** runsLeft is how many runs of a row are not over. @param {Runs} row */
export const runsLeft = row => runsOf(row).filter(run => !isOver(row, run)).length

/** allOver says whether all runs of a row are over. @param {Runs} row */
export const allOver = row => runsLeft(row) === 0

/**
 * countedOf are the attempts that count, one for each run that was made: the first that was not under pressure, or where all were the
 * one that was least. Never what it measured decides.
 *
 * @param {Runs} row
 * @returns {Attempt[]}
 */
export const countedOf = row =>
  present(
    runsOf(row).map(run => {
      const made = completeOf(row, run)
      const [least] = [...made].sort((a, b) => Number(a.pressurePercent) - Number(b.pressurePercent))
      return made.find(attempt => !isPressed(row, attempt)) ?? least
    })
  )

/**
 * countedResults are the results that a matrix stands for: of each row, or of each of its runs.
 *
 * @param {readonly RowRecord[]} rows
 * @param {ReadonlyMap<string, AnyResult>} results - by row id, those of attempts by their paths
 * @returns {[name: string, result: AnyResult][]}
 */
export const countedResults = (rows, results) =>
  rows.flatMap(row => {
    const named = hasRuns(row)
      ? countedOf(row).map(({ run, result }) => [`${row.id} run ${run}`, results.get(result)])
      : [[row.id, results.get(row.id)]]
    return /** @type {[string, AnyResult][]} */ (named.filter(([, result]) => result !== undefined))
  })

/**
 * rowResult is what stands for a row of several runs: one result of all, or that of the median run where they cannot be merged.
 *
 * @param {Runs} row
 * @param {ReadonlyMap<string, AnyResult>} results - by paths
 * @param {Pick<import('../../scenarios/scenario.js').Scenario, 'compared' | 'merged'>} scenario
 * @returns {Promise<{ path: string, result: AnyResult } | null>} `path`: of the run that is linked; null: nothing was measured
 */
export async function rowResult(row, results, { compared, merged }) {
  const path = merged === undefined ? medianRun(row, results, { compared }) : countedOf(row)[0]?.result
  if (path == null) return null
  const counted = present(countedOf(row).map(({ result }) => results.get(result)))
  const merge = await merged?.()
  return { path, result: merge?.(counted) ?? /** @type {AnyResult} */ (results.get(path)) }
}

/**
 * medianRun is the run that stands for a row where one must: the one whose first figure that comparisons go by is the median.
 *
 * @param {Runs} row
 * @param {ReadonlyMap<string, AnyResult>} results - by paths
 * @param {Pick<import('../../scenarios/scenario.js').Scenario, 'compared'>} scenario
 * @returns {string | null} path of its result; null: nothing was measured
 */
function medianRun(row, results, { compared }) {
  const figure = compared?.figures[0]
  const headline = (/** @type {Attempt} */ { result: path }) => {
    const result = /** @type {AnyResult} */ (results.get(path))
    return figure?.read(result.outcome, result.run).value ?? null
  }
  const inOrder = countedOf(row)
    .filter(attempt => figure === undefined || headline(attempt) !== null)
    .sort((a, b) => Number(headline(a)) - Number(headline(b)))
  return inOrder[Math.floor((inOrder.length - 1) / 2)]?.result ?? null
}
