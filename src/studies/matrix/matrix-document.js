// The document of a matrix: its rows, the runs of each.

import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { present } from '../../kit/collections.js'
import { PROGRAM } from '../../kit/runtime.js'
import { quoted } from '../../plan/command-line.js'
import { readResult } from '../../report/read-result.js'
import { failsStrict } from '../../report/warnings.js'
import { optionFlags } from '../saturate/saturation-document.js'
import { newHead, studyFile } from '../study.js'

/**
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('./matrix-file.js').MatrixRow} MatrixRow
 * @typedef {import('./matrix-file.js').MatrixTable} MatrixTable
 *
 * @typedef {object} Kept - what an earlier run of the matrix left of a row
 * @property {AnyResult} result - the one that stands for it
 * @property {ReadonlyMap<string, AnyResult>} results - all: its own by its id, those of attempts by their paths
 * @property {RowRecord} record
 */

/** @param {MatrixRow} row @returns {RowRecord} */
const pending = row => ({
  ...row,
  status: row.blocked === null ? 'pending' : 'blocked',
  reason: row.blocked === null ? null : { code: 'BLOCKED', message: row.blocked },
  result: null,
  generatorLimited: false,
  tookMs: null
})

/** A run that was made when a row was to be run once is the first of several. @param {Kept} kept @returns {Attempt[]} */
const attemptsOf = ({ result, record: { attempts, result: path, tookMs } }) =>
  attempts ?? [
    { run: 1, status: 'complete', result: String(path), tookMs: Number(tookMs), ...pressureIn(result) }
  ]

/** @param {MatrixRow} row @param {Kept} kept @returns {RowRecord} */
function goneOn(row, kept) {
  const { result, record } = kept
  const state = {
    reason: null,
    result: record.result,
    generatorLimited: failsStrict(result),
    tookMs: record.tookMs
  }
  if (!hasRuns(row)) return { ...row, status: 'complete', ...state }
  const several = { ...row, attempts: attemptsOf(kept) }
  return { ...several, status: allOver(several) ? 'complete' : 'pending', ...state }
}

/** @param {MatrixRow} row @param {Kept | undefined} kept @param {boolean} chosen @returns {RowRecord[]} */
function rowRecords(row, kept, chosen) {
  if (kept !== undefined && isFinished(row.plan, kept.result)) return [goneOn(row, kept)]
  if (chosen) return [pending(row)]
  return kept?.record.status === 'complete' ? [kept.record] : []
}

/**
 * matrixDocument begins the document of a matrix. Rows that an earlier run finished with the same plan stay so, and so do
 * those with another plan that are not chosen; all others that are chosen are to be run.
 *
 * @param {object} parts
 * @param {string} parts.id
 * @param {string} parts.startedAt
 * @param {MatrixRequest} parts.request
 * @param {MatrixTable[]} parts.tables
 * @param {(row: MatrixRow) => boolean} parts.chosen
 * @param {ReadonlyMap<string, Kept>} [parts.kept] - by row id
 * @returns {MatrixDocument}
 */
export const matrixDocument = ({ id, startedAt, request, tables, chosen, kept = new Map() }) => ({
  ...newHead(id, new Date(startedAt)),
  request,
  tables: tables
    .map(table => ({
      ...table,
      rows: table.rows.flatMap(row => rowRecords(row, kept.get(row.id), chosen(row)))
    }))
    .filter(({ rows }) => rows.length > 0)
})

/**
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
const MAX_PRESSURE_PERCENT = 10
export const MAX_STEAL_PERCENT = 1
/** SAME_PRESSURE: pressures of attempts that differ by no more than this agree. */
const SAME_PRESSURE = 1.25
/** MIN_SPREAD: runs of a row from which on a run under pressure is repeated, and least and greatest are shown. Fewer are merged as they are. */
export const MIN_SPREAD = 3
/** MAX_REPEATS of a run under pressure; then the attempt with the least counts. */
export const MAX_REPEATS = 3

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
  if ((row.runs ?? 1) < MIN_SPREAD) return false
  const most = Math.max(MAX_PRESSURE_PERCENT, SAME_PRESSURE * Number(ownPressurePercent(row, run)))
  return Number(pressurePercent) > most || Number(stealPercent) > MAX_STEAL_PERCENT
}

/** hasRuns says whether a row is more than one run. @param {Runs} row */
export const hasRuns = ({ runs = 1 }) => runs > 1

/** completeOf are the attempts at a run of a row that came to their end. @param {Runs} row @param {number} run */
const completeOf = (row, run) => complete(row).filter(attempt => attempt.run === run)

/** isOver says whether nothing is left to do of a run of a row. @param {Runs} row @param {number} run - from 1 */
export function isOver(row, run) {
  const made = completeOf(row, run)
  return made.length > MAX_REPEATS || made.some(attempt => !isPressed(row, attempt))
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
 * @param {Pick<import('../../scenarios/index.js').Scenario, 'compared' | 'merged'>} scenario
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
 * @param {Pick<import('../../scenarios/index.js').Scenario, 'compared'>} scenario
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

/**
 * @typedef {import('../../report/schema.js').Reason} Reason
 * @typedef {object} RowState
 * @property {'pending' | 'running' | 'complete' | 'failed' | 'interrupted' | 'blocked'} status - `running` is left behind only by a
 *   process that was killed; `blocked`: it cannot be run here, and needs not be for the matrix to be complete
 * @property {Reason | null} reason - why it is not complete
 * @property {string | null} result - path of its result document in the matrix folder; of several runs that of one of them
 * @property {boolean} generatorLimited - --strict fails for it
 * @property {number | null} tookMs
 * @property {Attempt[]} [attempts] - of a row of several runs, in the order they were made
 *
 * @typedef {MatrixRow & RowState} RowRecord
 * @typedef {Omit<MatrixTable, 'rows'> & { rows: RowRecord[] }} TableRecord
 *
 * @typedef {object} MatrixRequest - what was asked for, so that --resume can ask for it again
 * @property {string[]} files - as they were given; none: those of the package
 * @property {Record<string, unknown>} flags - options of the plans
 * @property {string[]} only
 * @property {number} scale
 * @property {number} [runs] - of each row; default: as the files say
 * @property {number} [scaleTime] - default: 1
 * @property {number} [scaleRate] - default: 1
 *
 * @typedef {object} MatrixParts
 * @property {MatrixRequest} request
 * @property {TableRecord[]} tables
 *
 * @typedef {import('../study.js').Head & MatrixParts} MatrixDocument - `matrix.json`
 */

/**
 * rowsOf lists the rows of all tables of a matrix.
 *
 * @param {MatrixDocument} document
 */
export const rowsOf = ({ tables }) => tables.flatMap(({ rows }) => rows)

/** What rows had before there were other scenarios. @param {any} row */
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
export const MATRIX_DOCUMENT = studyFile({ file: 'matrix.json', current })

/**
 * readRowResults reads the results that are kept of a row.
 *
 * @param {string} folder - of the matrix
 * @param {Pick<RowRecord, 'id' | 'result' | 'runs' | 'attempts' | 'plan'>} row
 * @param {import('../../scenarios/index.js').FindScenario} find
 * @returns {Promise<[key: string, result: AnyResult][]>} its own by its id, those of attempts by their paths
 * @throws {import('../../report/read-result.js').ResultFileError}
 */
export async function readRowResults(folder, row, find) {
  const { id, result, attempts = [], plan } = row
  const kept = [...(result === null ? [] : [[id, result]]), ...attempts.map(({ result }) => [result, result])]
  const read = await Promise.all(
    kept.map(async ([key, path]) => /** @type {const} */ ([key, await readResult(join(folder, path), find)]))
  )
  const results = new Map(read.map(([key, result]) => [key, /** @type {AnyResult} */ (result)]))
  const scenario = hasRuns(row) ? await find(plan.scenario) : undefined
  const counted = scenario === undefined ? null : await rowResult(row, results, scenario)
  return counted === null ? [...results] : [...results.set(id, counted.result)]
}

/**
 * isFinished says whether a row of a matrix need not be run again: its plan has a complete result, and it is the same plan
 * in every parameter.
 *
 * @param {Readonly<import('../../scenarios/index.js').AnyPlan>} plan
 * @param {import('../../scenarios/index.js').AnyResult | null} result - that is kept of the row
 * @returns {boolean}
 */
export const isFinished = (plan, result) =>
  result?.status === 'complete' && isDeepStrictEqual(result.plan, { ...plan })

/** An option that was given several times. @param {[string, unknown]} option */
const flagsOf = ([name, value]) => [value].flat().flatMap(each => optionFlags({ [name]: each }))

/** @param {MatrixRequest} request */
const sharesOf = ({ scale, scaleTime = 1, scaleRate = 1 }) =>
  Object.entries({ scale, scaleTime, scaleRate })
    .filter(([, share]) => share !== 1)
    .map(([name, share]) => `--${name} ${share}`)

/**
 * matrixCommandLine runs the rows of a matrix again.
 *
 * @param {{ request: MatrixRequest }} document
 */
export const matrixCommandLine = ({ request }) =>
  present([
    `${PROGRAM} matrix`,
    ...request.files.map(quoted),
    ...request.only.map(pattern => `--only ${quoted(pattern)}`),
    ...sharesOf(request),
    request.runs !== undefined && `--runs ${request.runs}`,
    ...Object.entries(request.flags).flatMap(flagsOf)
  ]).join(' ')
