import { present } from '../../../kit/lists.js'
import { MISSING } from '../../../kit/numbers.js'
import { asMarkdown, tableFrom } from '../../../kit/table.js'
import { thresholdVerdict } from '../../../report/threshold-lines.js'
import { countedOf, hasRuns, LEAST_SPREAD } from '../row-runs.js'
import { spreadOfTexts } from './spread-of-texts.js'

/**
 * @typedef {import('../../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../report/scenario-matrix.js').Column} Column
 * @typedef {import('../../../report/scenario-matrix.js').Line} Line
 * @typedef {import('../../../kit/table.js').Table} Table
 * @typedef {import('../../../report/view.js').View} View
 */

/** What a row is marked with that is not complete. */
const STATES = {
  pending: ' not run',
  running: ' not finished',
  complete: '',
  failed: ' **failed**',
  interrupted: ' **interrupted**',
  blocked: ' cannot be run here'
}

/** Only where a row has thresholds; which of them failed stands under the table. @type {Column} */
const THRESHOLDS = {
  heading: 'Thresholds',
  align: 'l',
  cell: ({ result }) => (result === undefined ? MISSING : (thresholdVerdict(result) ?? MISSING))
}

/** @type {Column} */
const ROW = {
  heading: 'Row',
  align: 'l',
  cell: ({ row }) => `${row.name}${STATES[row.status]}`
}

/** @param {TableRecord} table @param {View} view @returns {Column[]} */
function columnsOf({ rows }, { matrix: { columns, namesFirst = false } }) {
  return present([
    namesFirst && ROW,
    ...columns(rows),
    rows.some(({ plan }) => plan.thresholds.length > 0) && THRESHOLDS,
    rows.some(hasRuns) && RUNS,
    !namesFirst && ROW
  ])
}

/** How many runs stand behind a row, and how many were made. @type {Column} */
const RUNS = {
  heading: 'Runs',
  cell({ row }) {
    const { length: made = 0 } = row.attempts ?? []
    const counted = countedOf(row).length
    return `${counted}${made > counted ? ` of ${made}` : ''}`
  }
}

/**
 * A row of one run has its lines, and so has one of two runs, which are merged. One of more has each three times: what all runs have together,
 * or the median of every column where runs cannot be merged, the least and the greatest. These say nothing where all runs agree.
 *
 * @param {RowRecord} row
 * @param {Column[]} columns
 * @param {{ results: ReadonlyMap<string, AnyResult>, view: View }} of
 * @returns {{ cells: string[], measured: boolean }[]}
 */
function linesOf(row, columns, { results, view }) {
  const runs = (row.runs ?? 1) < LEAST_SPREAD ? [] : countedOf(row).map(({ result }) => results.get(result))
  const made = present(runs)
  const merges = view.scenario.merged !== undefined
  const whole = view.matrix.lines(row, results.get(row.id))
  const lines = made.length > 1 ? made.map(result => view.matrix.lines(row, result)) : [whole]
  return lines[0].flatMap((line, place) => {
    const measured = line.result !== undefined
    const cells = lines.map(of => columns.map(({ cell }) => cell(of[place] ?? { row })))
    if (cells.length === 1) return [{ cells: cells[0], measured }]
    const spread = columns.map((_, column) => spreadOfTexts(cells.map(each => each[column])))
    const { name } = row
    const named =
      (/** @type {string} */ which) => (/** @type {string} */ text, /** @type {number} */ column) =>
        columns[column] === ROW ? `${name} ${which}` : text
    return [
      {
        cells: merges
          ? columns.map(({ cell }) => cell(whole[place] ?? { row }))
          : spread.map(({ median }) => median),
        measured
      },
      { cells: spread.map(({ least }) => least).map(named('least')), measured },
      { cells: spread.map(({ most }) => most).map(named('greatest')), measured }
    ]
  })
}

/**
 * matrixTable is the table of a matrix file: each measured figure beside the published one of its case.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, AnyResult>} results - by row id
 * @param {View} view
 * @returns {{ cells: Table, text: string, measured: string, nameColumn: number }} `text`: the cells as markdown; `measured`: only
 *   what was measured, to look for signs in; `nameColumn`: where the names of rows stand
 */
export function matrixTable(table, results, view) {
  const columns = columnsOf(table, view)
  const lines = table.rows.flatMap(row => linesOf(row, columns, { results, view }))
  const head = tableFrom(columns, [])
  const cells = { ...head, rows: lines.map(line => line.cells) }
  const measured = { ...head, rows: lines.filter(line => line.measured).map(line => line.cells) }
  return {
    cells,
    text: asMarkdown(cells),
    measured: asMarkdown(measured),
    nameColumn: columns.indexOf(ROW)
  }
}
