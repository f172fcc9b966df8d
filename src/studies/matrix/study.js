// Runs the pending rows of a matrix, in turn or several at once.

import { dirname } from 'node:path'
import pLimit from 'p-limit'
import { median, omitMissing } from '../../kit/collections.js'
import { formatCount } from '../../kit/numbers.js'
import { makeSubStream, shuffle } from '../../kit/random.js'
import {
  END_CHECK_NAME,
  listFailedThresholds,
  makeThresholdChecks,
  summarizeThresholds
} from '../../report/checks.js'
import { describeRun } from '../../report/describe-run.js'
import { RESULT_FILE, removePerSecond } from '../../report/result-folder.js'
import { failsStrict } from '../../report/warnings.js'
import { runStudy } from '../study.js'
import { collectRunErrors, makeStudyRunTables } from '../study-views.js'
import { describeMatrix } from './describe.js'
import {
  areRunsDone,
  chooseResults,
  countRunsLeft,
  hasSeveralRuns,
  isRunDone,
  listRows,
  MATRIX_DOCUMENT,
  makeMatrixCommandLine,
  mergeRowResult,
  readRowResults,
  readRunPressure
} from './matrix-document.js'

/**
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('./matrix-document.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-document.js').TableRecord} TableRecord
 * @typedef {import('./matrix-document.js').RowRecord} RowRecord
 *
 * @typedef {{ table: TableRecord, row: RowRecord, run: number }} RowTurn - `run`: which of the row, from 1
 *
 * @typedef {object} MatrixRun - how a matrix is run
 * @property {Map<string, AnyResult>} results - by row id; is updated
 * @property {boolean} [keepGoing] - a failed row does not end the matrix
 * @property {number} [parallel] - number of rows that run side by side
 */

/**
 * runMatrix runs the pending rows of a matrix, one after the other or several side by side.
 *
 * @param {MatrixDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runStudy>[1] & MatrixRun} components
 */
export async function runMatrix(
  document,
  folder,
  { results, keepGoing = false, parallel = 1, ...components }
) {
  const { viewOf } = components
  const rows = listRows(document)
  const remaining = turnsOf(document.tables)
  await runStudy(
    {
      document,
      file: MATRIX_DOCUMENT,
      folder,
      open: () => openRows(rows),
      before: rows.flatMap(
        ({ plan, tookMs, attempts }) => attempts?.map(a => ({ ...a, plan })) ?? { plan, tookMs }
      ),
      parallel,
      async conduct(run) {
        await sideBySide(remaining, parallel, async (turn, index) => {
          const { row } = turn
          for (;;) {
            const left = remaining.slice(index).flatMap(turn => plansOf(turn, rows))
            const { status } = await run({
              ...turnAt(turn, { results, viewOf }),
              index: index + 1,
              total: remaining.length,
              left
            })
            if (status !== 'complete') return status !== 'failed' || keepGoing
            if (!hasSeveralRuns(row) || isRunDone(row, turn.run)) return true
          }
        })
      }
    },
    components
  )
}

/**
 * The runs to make: rows in their order. Rows of several runs are run once each, in shuffled order, then again in another order, so that a
 * drift of the machine affects all rows alike.
 *
 * @param {readonly TableRecord[]} tables
 * @returns {RowTurn[]}
 */
function turnsOf(tables) {
  const pending = tables.flatMap(table =>
    table.rows.filter(({ status }) => status === 'pending').map(row => ({ table, row }))
  )
  const maxRuns = Math.max(1, ...pending.map(({ row: { runs = 1 } }) => runs))
  if (maxRuns === 1) return pending.map(turn => ({ ...turn, run: 1 }))
  const { seed = 0 } = /** @type {{ seed?: number }} */ (pending[0].row.plan)
  return Array.from({ length: maxRuns }, (_, block) => block + 1).flatMap(run => {
    const turns = pending.filter(({ row }) => run <= (row.runs ?? 1) && !isRunDone(row, run))
    return shuffle(
      turns.map(turn => ({ ...turn, run })),
      makeSubStream(seed, 'rows', run)
    )
  })
}

/**
 * The plans that a turn will probably run, for the estimate: a first run without an attempt needs as many attempts as first runs of other rows.
 *
 * @param {RowTurn} turn
 * @param {readonly RowRecord[]} rows
 */
function plansOf({ row, run }, rows) {
  const made = rows.flatMap(each =>
    attemptsAt(each, 1) > 0 && isRunDone(each, 1) ? [attemptsAt(each, 1)] : []
  )
  const isFirst = run === 1 && hasSeveralRuns(row) && attemptsAt(row, 1) === 0
  return Array(isFirst && made.length > 0 ? Math.round(median(made)) : 1).fill(row.plan)
}

/** @param {RowRecord} row @param {number} run */
const attemptsAt = ({ attempts = [] }, run) => attempts.filter(attempt => attempt.run === run).length

/**
 * @param {RowTurn} turn
 * @param {{ results: Map<string, AnyResult>, viewOf: import('../../report/run-report.js').ViewOf }} components
 * @returns {Omit<import('../study.js').PlacedTurn, 'index' | 'total' | 'left'>}
 */
const turnAt = ({ table, row, run }, { results, viewOf }) => ({
  label: hasSeveralRuns(row)
    ? `${row.id}, run ${run} of ${row.runs}${attemptsAt(row, run) > 0 ? `, attempt ${attemptsAt(row, run) + 1}` : ''}`
    : row.id,
  plan: row.plan,
  part: table.id,
  name: row.name,
  begin(inside) {
    Object.assign(row, { status: 'running' }, !hasSeveralRuns(row) && { result: resultIn(inside) })
  },
  async keep({ status, reason, tookMs, result }, inside) {
    if (hasSeveralRuns(row))
      await keepAttempt(row, { run, status, tookMs, result, path: resultIn(inside) }, { results, viewOf })
    else {
      if (result === null) row.result = null
      else results.set(row.id, removePerSecond(result))
      const generatorLimited = result !== null && failsStrict(result)
      Object.assign(row, { status, tookMs, generatorLimited })
    }
    if (reason !== null || row.status === 'complete') row.reason = reason
  }
})

/** @param {string} inside */
const resultIn = inside => `${inside}/${RESULT_FILE}`

/**
 * @param {RowRecord} row - of several runs
 * @param {Pick<import('./matrix-document.js').Attempt, 'run' | 'status' | 'tookMs'> & { result: AnyResult | null, path: string }} made
 * @param {{ results: Map<string, AnyResult>, viewOf: import('../../report/run-report.js').ViewOf }} components
 */
async function keepAttempt(row, { run, status, tookMs, result, path }, { results, viewOf }) {
  if (result !== null) {
    results.set(path, removePerSecond(result))
    row.attempts = [
      ...(row.attempts ?? []),
      { run, status, result: path, tookMs, ...readRunPressure(result) }
    ]
  }
  const going = row.reason === null ? 'pending' : 'failed'
  row.status = status !== 'complete' ? status : areRunsDone(row) ? 'complete' : going
  row.tookMs = Number(row.tookMs) + tookMs
  const counted = await mergeRowResult(row, results, viewOf(row.plan).scenario)
  if (counted === null) return
  row.result = counted.path
  results.set(row.id, counted.result)
  row.generatorLimited = chooseResults([row], results).some(([, each]) => failsStrict(each))
}

/** @param {RowRecord[]} rows @returns {import('../../report/schema.js').Reason | null} */
function openRows(rows) {
  const open = rows.filter(({ status }) => !['complete', 'blocked'].includes(status))
  return open.length === 0
    ? null
    : { code: 'ROWS_FAILED', message: `${open.length} of ${formatCount(rows.length, 'row')} not measured` }
}

/**
 * Runs tasks side by side. After a task that says stop or fails no further task is started; running tasks are awaited.
 *
 * @template T
 * @param {readonly T[]} remaining
 * @param {number} parallel
 * @param {(what: T, index: number) => Promise<boolean>} each - returns whether to start further tasks
 * @throws the first error of a task
 */
async function sideBySide(remaining, parallel, each) {
  const side = pLimit(parallel)
  let stopped = false
  const attempt = async (/** @type {T} */ what, /** @type {number} */ index) => {
    if (stopped) return
    try {
      if (!(await each(what, index))) stopped = true
    } catch (error) {
      stopped = true
      throw error
    }
  }
  const ended = await Promise.allSettled(remaining.map((what, index) => side(attempt, what, index)))
  for (const row of ended) if (row.status === 'rejected') throw row.reason
}

/** @typedef {import('../../report/checks.js').ReportCheck} ReportCheck */

/** A row that a threshold ended did as its plan demands. @param {RowRecord} row @returns {ReportCheck['verdict']} */
function verdictOf({ status, reason }) {
  if (status === 'complete' || reason?.code === 'THRESHOLD_FAILED') return 'pass'
  return ['failed', 'interrupted'].includes(status) ? 'error' : 'not tested'
}

/**
 * The checks of a matrix, a group for each row: that it ended without errors, and its thresholds.
 *
 * @param {import('./matrix-document.js').MatrixDocument} document
 * @param {ReadonlyMap<string, import('../../scenarios/index.js').AnyResult> | null} results - by row id, those of attempts by their paths
 * @returns {ReportCheck[]}
 */
const matrixChecks = (document, results) =>
  listRows(document).flatMap(row => [
    {
      group: row.id,
      name: END_CHECK_NAME,
      verdict: verdictOf(row),
      observed: row.reason?.message ?? row.blocked ?? (row.status === 'complete' ? '' : 'was not run'),
      ...(row.tookMs !== null && { ms: row.tookMs })
    },
    ...chooseResults([row], results ?? new Map()).flatMap(([name, result]) =>
      makeThresholdChecks(name, result)
    )
  ])

/** @typedef {ReadonlyMap<string, AnyResult>} Results - by row id */

/** @param {MatrixDocument} document @param {Results | null} loaded */
function verdict(document, loaded) {
  const rows = listRows(document)
  const results = chooseResults(rows, loaded ?? new Map())
  const ended = rows.flatMap(({ status, reason }) => (status === 'failed' ? [reason?.code] : []))
  return {
    // the other rows were not run because a threshold ended the row before
    brokenOff: ended.length > 0 && ended.every(code => code === 'THRESHOLD_FAILED'),
    ...collectRunErrors(results),
    notMet: results.some(([, result]) => listFailedThresholds(result).length > 0),
    generatorLimited: rows.some(({ generatorLimited }) => generatorLimited)
  }
}

/** MATRIX_STUDY runs the rows of matrix files. @type {import('../study-views.js').StudyInterface<MatrixDocument, Results>} */
export const MATRIX_STUDY = {
  document: MATRIX_DOCUMENT,
  run: runMatrix,
  shown: ({ tables }) => tables,
  plans: document =>
    listRows(document).flatMap(row =>
      row.status === 'pending' ? Array(countRunsLeft(row)).fill(row.plan) : []
    ),
  runs: document =>
    listRows(document).flatMap(({ result, attempts = [] }) => {
      const paths = [...omitMissing([result]), ...attempts.map(attempt => attempt.result)]
      return [...new Set(paths.map(path => dirname(path)))]
    }),
  load: async (folder, document, find) =>
    new Map((await Promise.all(listRows(document).map(row => readRowResults(folder, row, find)))).flat()),
  describe: (document, results, viewOf) =>
    describeMatrix(document, {
      runs: new Map([...results].map(([row, result]) => [row, describeRun(result, viewOf(result))])),
      scenarioOf: name => viewOf({ scenario: name }).scenario,
      verdicts: new Map(
        [...results].flatMap(([row, result]) => {
          const verdict = summarizeThresholds(result)
          return verdict === null ? [] : [[row, verdict]]
        })
      )
    }),
  about: (_, results) => makeStudyRunTables([...results.values()][0]),
  command: makeMatrixCommandLine,
  verdict,
  checks: matrixChecks,
  inLine: document => {
    const rows = listRows(document)
    const done = rows.filter(({ status }) => status === 'complete').length
    return [
      `matrix: ${document.tables.map(({ title }) => title).join('; ')}`,
      `${done} of ${rows.length} rows`
    ]
  }
}
