// Format of the document of a matrix: its rows and their runs. Also decides which runs must be repeated because the
// machine was busy.

import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { omitMissing } from '../../kit/collections.js'
import { PROGRAM } from '../../kit/runtime.js'
import { quoteShellWord } from '../../plan/command-line.js'
import { readResultFile } from '../../report/read-result.js'
import { failsStrict } from '../../report/warnings.js'
import { formatOptionFlags } from '../saturate/saturation-document.js'
import { makeStudyFile, makeStudyHead } from '../study.js'

/**
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('./matrix-file.js').MatrixRow} MatrixRow
 * @typedef {import('./matrix-file.js').MatrixTable} MatrixTable
 *
 * @typedef {object} StoredRow - a row that an earlier run of the matrix stored
 * @property {AnyResult} result - of the row
 * @property {ReadonlyMap<string, AnyResult>} results - that of the row by its id, those of attempts by their paths
 * @property {RowRecord} record
 */

/** @param {MatrixRow} row @param {StoredRow} kept @returns {RowRecord} */
function resumedRow(row, { result, record }) {
  const { result: path, tookMs } = record
  const state = { reason: null, result: path, generatorLimited: failsStrict(result), tookMs }
  if (!hasSeveralRuns(row)) return { ...row, status: 'complete', ...state }
  // a row that was run once before, and is now to be run several times, has its first run
  const attempts = record.attempts ?? [
    { run: 1, status: 'complete', result: String(path), tookMs: Number(tookMs), ...readRunPressure(result) }
  ]
  const isDone = areRunsDone({ ...row, attempts })
  return { ...row, attempts, status: isDone ? 'complete' : 'pending', ...state }
}

/** @param {MatrixRow} row @param {StoredRow | undefined} previous @param {boolean} chosen @returns {RowRecord[]} */
function rowRecords(row, previous, chosen) {
  if (previous !== undefined && isRowComplete(row.plan, previous.result)) return [resumedRow(row, previous)]
  if (!chosen) return previous?.record.status === 'complete' ? [previous.record] : []
  const { blocked } = row
  const state = { result: null, generatorLimited: false, tookMs: null }
  if (blocked === null) return [{ ...row, status: 'pending', reason: null, ...state }]
  return [{ ...row, status: 'blocked', reason: { code: 'BLOCKED', message: blocked }, ...state }]
}

/**
 * makeMatrixDocument makes the document of a matrix. Rows that an earlier run completed with the same plan stay complete, and so do rows with
 * another plan that are not chosen. All other chosen rows are to be run.
 *
 * @param {object} parts
 * @param {string} parts.id
 * @param {string} parts.startedAt
 * @param {MatrixRequest} parts.request
 * @param {MatrixTable[]} parts.tables
 * @param {(row: MatrixRow) => boolean} parts.chosen
 * @param {ReadonlyMap<string, StoredRow>} [parts.previousRows] - by row id
 * @returns {MatrixDocument}
 */
export const makeMatrixDocument = ({
  id,
  startedAt,
  request,
  tables,
  chosen,
  previousRows: kept = new Map()
}) => ({
  ...makeStudyHead(id, new Date(startedAt)),
  request,
  tables: tables
    .map(table => ({
      ...table,
      rows: table.rows.flatMap(row => rowRecords(row, kept.get(row.id), chosen(row)))
    }))
    .filter(({ rows }) => rows.length > 0)
})

/**
 * @typedef {object} Attempt - an attempt to make one of the runs of a row
 * @property {number} run - which of them, from 1
 * @property {'complete' | 'failed' | 'interrupted'} status
 * @property {string} result - path of its result document in the matrix folder
 * @property {number} tookMs
 * @property {number | null} pressurePercent - share of the measured time in which a process waited for a core; null: not known
 * @property {number | null} stealPercent - share of the time of all cores that other guests of the host took
 *
 * @typedef {Pick<RowRecord, 'runs' | 'attempts'>} Runs
 */

/** A run under more pressure than this is repeated: its figures depend on other work of the machine. */
const MAX_PRESSURE_PERCENT = 10
export const MAX_STEAL_PERCENT = 1
/** Pressures of attempts agree if they differ by no more than this factor. */
const SAME_PRESSURE = 1.25
/** MIN_SPREAD_RUNS is the number of runs from which least and greatest are shown, and runs under pressure are repeated. */
export const MIN_SPREAD_RUNS = 3
/** MAX_REPEATS of a run under pressure; after them the attempt with the least pressure counts. */
export const MAX_REPEATS = 3

/** readRunPressure reads how long processes of the machine waited for cores. @param {AnyResult | null} result */
export const readRunPressure = result => ({
  pressurePercent: result?.run.lateness?.pressurePercent ?? null,
  stealPercent: result?.run.lateness?.stealPercent ?? null
})

/** @param {Runs} row */
const complete = ({ attempts = [] }) => attempts.filter(({ status }) => status === 'complete')

/**
 * The complete attempts of a row up to the last one at a run. Later attempts must not reopen a run that is done.
 *
 * @param {Runs} row
 * @param {number} run - from 1
 */
const knownAt = (row, run) =>
  complete(row).slice(0, complete(row).findLastIndex(made => made.run === run) + 1)

/**
 * estimateOwnPressure estimates the pressure that the load of a row causes itself: the second least pressure of its attempts, once the two
 * least agree. A repeated run cannot have less.
 *
 * @param {Runs} row
 * @param {number} run - attempts up to this run are used, from 1
 * @returns {number | null} null: no two attempts agree, or the pressure is not known
 */
export function estimateOwnPressure(row, run) {
  const pressures = omitMissing(knownAt(row, run).map(({ pressurePercent }) => pressurePercent))
  const [lowest, second] = pressures.sort((a, b) => a - b)
  return second !== undefined && second <= SAME_PRESSURE * lowest ? second : null
}

/** isUnderPressure says whether an attempt was under pressure that its load did not cause. Unknown pressure counts as none. @param {Runs} row @param {Attempt} attempt */
export function isUnderPressure(row, { run, pressurePercent, stealPercent }) {
  if ((row.runs ?? 1) < MIN_SPREAD_RUNS) return false
  const maxPercent = Math.max(MAX_PRESSURE_PERCENT, SAME_PRESSURE * Number(estimateOwnPressure(row, run)))
  return Number(pressurePercent) > maxPercent || Number(stealPercent) > MAX_STEAL_PERCENT
}

/** hasSeveralRuns says whether a row is more than one run. @param {Runs} row */
export const hasSeveralRuns = ({ runs = 1 }) => runs > 1

/** The complete attempts at a run of a row. @param {Runs} row @param {number} run */
const completeOf = (row, run) => complete(row).filter(attempt => attempt.run === run)

/** isRunDone says whether a run of a row needs no further attempt. @param {Runs} row @param {number} run - from 1 */
export function isRunDone(row, run) {
  const made = completeOf(row, run)
  return made.length > MAX_REPEATS || made.some(attempt => !isUnderPressure(row, attempt))
}

/** The numbers of the runs of a row. @param {Runs} row */
const runsOf = ({ runs = 1 }) => Array.from({ length: runs }, (_, i) => i + 1)

/** countRunsLeft is the number of runs of a row that still need an attempt. @param {Runs} row */
export const countRunsLeft = row => runsOf(row).filter(run => !isRunDone(row, run)).length

/** areRunsDone says whether no run of a row needs a further attempt. @param {Runs} row */
export const areRunsDone = row => countRunsLeft(row) === 0

/**
 * chooseAttempts chooses one attempt of each run: the first without pressure, else the one with the least pressure. The choice never depends on what
 * an attempt measured.
 *
 * @param {Runs} row
 * @returns {Attempt[]}
 */
export const chooseAttempts = row =>
  omitMissing(
    runsOf(row).map(run => {
      const made = completeOf(row, run)
      const [lowest] = [...made].sort((a, b) => Number(a.pressurePercent) - Number(b.pressurePercent))
      return made.find(attempt => !isUnderPressure(row, attempt)) ?? lowest
    })
  )

/**
 * chooseResults are the results by which a matrix is judged: one of each row, or one of each of its runs.
 *
 * @param {readonly RowRecord[]} rows
 * @param {ReadonlyMap<string, AnyResult>} results - by row id, those of attempts by their paths
 * @returns {[name: string, result: AnyResult][]}
 */
export const chooseResults = (rows, results) =>
  rows.flatMap(row => {
    const named = hasSeveralRuns(row)
      ? chooseAttempts(row).map(({ run, result }) => [`${row.id} run ${run}`, results.get(result)])
      : [[row.id, results.get(row.id)]]
    return /** @type {[string, AnyResult][]} */ (named.filter(([, result]) => result !== undefined))
  })

/**
 * mergeRowResult is the result of a row of several runs: all merged, or that of the median run if its scenario cannot merge results.
 *
 * @param {Runs} row
 * @param {ReadonlyMap<string, AnyResult>} results - by paths
 * @param {Pick<import('../../scenarios/index.js').Scenario, 'compared' | 'merged'>} scenario
 * @returns {Promise<{ path: string, result: AnyResult } | null>} `path`: of the run to link to; null: nothing was measured
 */
export async function mergeRowResult(row, results, { compared, merged }) {
  const path = merged === undefined ? medianRun(row, results, { compared }) : chooseAttempts(row)[0]?.result
  if (path == null) return null
  const counted = omitMissing(chooseAttempts(row).map(({ result }) => results.get(result)))
  const merge = await merged?.()
  return { path, result: merge?.(counted) ?? /** @type {AnyResult} */ (results.get(path)) }
}

/**
 * The run whose first compared figure is the median.
 *
 * @param {Runs} row
 * @param {ReadonlyMap<string, AnyResult>} results - by paths
 * @param {Pick<import('../../scenarios/index.js').Scenario, 'compared'>} scenario
 * @returns {string | null} path of its result; null: nothing was measured
 */
function medianRun(row, results, { compared }) {
  const figure = compared?.figures[0]
  const headline = (/** @type {Attempt} */ { result: path }) => {
    const result = /** @type {AnyResult} */ (results.get(path))
    return figure?.read(result.outcome, result.run).value ?? null
  }
  const inOrder = chooseAttempts(row)
    .filter(attempt => figure === undefined || headline(attempt) !== null)
    .sort((a, b) => Number(headline(a)) - Number(headline(b)))
  return inOrder[Math.floor((inOrder.length - 1) / 2)]?.result ?? null
}

/**
 * @typedef {import('../../report/schema.js').Reason} Reason
 * @typedef {object} RowState
 * @property {'pending' | 'running' | 'complete' | 'failed' | 'interrupted' | 'blocked'} status - a row stays `running` only if its
 *   process was killed; `blocked`: it cannot be run here, and the matrix is complete without it
 * @property {Reason | null} reason - why it is not complete
 * @property {string | null} result - path of its result document in the matrix folder; for several runs: of one of them
 * @property {boolean} generatorLimited - --strict fails for it
 * @property {number | null} tookMs
 * @property {Attempt[]} [attempts] - of a row of several runs, in the order they were made
 *
 * @typedef {MatrixRow & RowState} RowRecord
 * @typedef {Omit<MatrixTable, 'rows'> & { rows: RowRecord[] }} TableRecord
 *
 * @typedef {{ files: string[], flags: Record<string, unknown>, only: string[], scale: number, runs?: number }
 *   & import('../../plan/matrix-case.js').Scales} MatrixRequest - the command line, for --resume. `files`: as typed; empty: those of the package;
 *   `flags`: options of the plans; `runs`: of each row; default: as the files say
 *
 * @typedef {object} MatrixParts
 * @property {MatrixRequest} request
 * @property {TableRecord[]} tables
 *
 * @typedef {import('../study.js').StudyHead & MatrixParts} MatrixDocument - `matrix.json`
 */

/**
 * listRows lists the rows of all tables of a matrix.
 *
 * @param {MatrixDocument} document
 */
export const listRows = ({ tables }) => tables.flatMap(({ rows }) => rows)

/** Converts a row of a version that had the rendezvous scenario only. @param {any} row */
function currentRow({ caseOperations, ...row }) {
  const operations = row.plan?.benchmarkRuns
  const unscaled =
    caseOperations == null || caseOperations === operations ? {} : { benchmarkRuns: caseOperations }
  return { unscaled, atAnotherRate: null, blocked: null, ...row }
}

/** @param {any} document - of this version, as it was first or later @returns {MatrixDocument} */
const current = document => ({
  ...document,
  tables: (document.tables ?? []).map((/** @type {any} */ table) => ({
    scenario: 'rendezvous',
    ...table,
    rows: table.rows.map(currentRow)
  }))
})

/** MATRIX_DOCUMENT is the document of a matrix. @type {import('../study.js').StudyFile<MatrixDocument>} */
export const MATRIX_DOCUMENT = makeStudyFile({ file: 'matrix.json', current })

/**
 * readRowResults reads the stored results of a row.
 *
 * @param {string} folder - of the matrix
 * @param {Pick<RowRecord, 'id' | 'result' | 'runs' | 'attempts' | 'plan'>} row
 * @param {import('../../scenarios/index.js').LoadScenario} find
 * @returns {Promise<[key: string, result: AnyResult][]>} its own by its id, those of attempts by their paths
 * @throws {import('../../report/read-result.js').ResultFileError}
 */
export async function readRowResults(folder, row, find) {
  const { id, result, attempts = [], plan } = row
  const entries = [
    ...(result === null ? [] : [[id, result]]),
    ...attempts.map(({ result }) => [result, result])
  ]
  const read = await Promise.all(
    entries.map(
      async ([key, path]) => /** @type {const} */ ([key, await readResultFile(join(folder, path), find)])
    )
  )
  const results = new Map(read.map(([key, result]) => [key, /** @type {AnyResult} */ (result)]))
  const scenario = hasSeveralRuns(row) ? await find(plan.scenario) : undefined
  const counted = scenario === undefined ? null : await mergeRowResult(row, results, scenario)
  return counted === null ? [...results] : [...results.set(id, counted.result)]
}

/**
 * isRowComplete says whether a row need not be run again: there is a complete result of the same plan.
 *
 * @param {Readonly<import('../../scenarios/index.js').AnyPlan>} plan
 * @param {import('../../scenarios/index.js').AnyResult | null} result - that is kept of the row
 * @returns {boolean}
 */
export const isRowComplete = (plan, result) =>
  result?.status === 'complete' && isDeepStrictEqual(result.plan, { ...plan })

/**
 * makeMatrixCommandLine is the command that runs a matrix again.
 *
 * @param {{ request: MatrixRequest }} document
 */
export const makeMatrixCommandLine = ({
  request: { files, flags, only, scale, scaleTime = 1, scaleRate = 1, runs }
}) =>
  omitMissing([
    `${PROGRAM} matrix`,
    ...files.map(quoteShellWord),
    ...only.map(pattern => `--only ${quoteShellWord(pattern)}`),
    ...Object.entries({ scale, scaleTime, scaleRate }).map(
      ([name, share]) => share !== 1 && `--${name} ${share}`
    ),
    runs !== undefined && `--runs ${runs}`,
    // an option that can be repeated has a list of values
    ...Object.entries(flags).flatMap(([name, value]) =>
      [value].flat().flatMap(each => formatOptionFlags({ [name]: each }))
    )
  ]).join(' ')
