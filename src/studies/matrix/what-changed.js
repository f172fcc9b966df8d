import { sumOf } from '../../kit/lists.js'
import { comparedFigures } from '../comparison/compared-figures.js'
import { NO_MATTER } from '../comparison/differences.js'
import { equivalence } from '../statistics/equivalence.js'
import { studentT } from '../statistics/student-t.js'
import { countedOf, hasRuns } from './row-runs.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../measure/figure.js').Figure} Figure
 * @typedef {import('./matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../report/scenario-matrix.js').Varied} Varied
 *
 * @typedef {object} ChangedFigure
 * @property {Figure} figure
 * @property {number} ratio - geometric mean over pairs
 * @property {{ low: number, high: number } | null} interval - 95 %; null: of a single pair
 * @property {import('../statistics/equivalence.js').Equivalent | null} same - where no difference is claimed, or is of interest
 *
 * @typedef {object} Changed - what a parameter changed, all else being the same
 * @property {Varied} varied
 * @property {number} from
 * @property {number} to
 * @property {number} rows - pairs of rows
 * @property {number} runs - pairs of runs
 * @property {ChangedFigure[]} figures
 *
 * @typedef {{ row: RowRecord, place: number, value: number }} Placed - `place`: of its table
 */

/** MARGIN within which figures are the same. */
export const MARGIN = 0.1

/** Figures of a run that are told. */
const FIGURES = 3

/** What two rows must agree in. @param {RowRecord} row @param {string} key */
const restOf = ({ plan }, key) =>
  JSON.stringify(
    Object.entries(plan)
      .filter(([name]) => name !== key && !NO_MATTER.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )

/**
 * Rows that follow one another in a parameter and agree in all else, the later of them in the last table.
 *
 * @param {readonly TableRecord[]} tables
 * @param {string} key
 * @returns {[Placed, Placed][]}
 */
function neighbours(tables, key) {
  /** @type {Map<string, Placed[]>} */
  const alike = new Map()
  for (const [place, { rows }] of tables.entries())
    for (const row of rows) {
      const value = /** @type {Record<string, unknown>} */ ({ ...row.plan })[key]
      if (typeof value !== 'number' || row.status !== 'complete') continue
      const rest = restOf(row, key)
      alike.set(rest, [...(alike.get(rest) ?? []), { row, place, value }])
    }
  return [...alike.values()].flatMap(rows => {
    const inOrder = [...rows].sort((a, b) => a.value - b.value)
    return inOrder.slice(1).flatMap((row, i) => {
      const before = inOrder[i]
      const isOfTable = Math.max(row.place, before.place) === tables.length - 1
      return row.value > before.value && isOfTable ? [/** @type {[Placed, Placed]} */ ([before, row])] : []
    })
  })
}

/** @param {RowRecord} row @param {ReadonlyMap<string, AnyResult>} results @returns {AnyResult[]} of each of its runs */
const runsOf = (row, results) =>
  (hasRuns(row) ? countedOf(row).map(({ result }) => result) : [row.id]).flatMap(
    key => results.get(key) ?? []
  )

/** @param {readonly number[]} logs */
function spanOf(logs) {
  const centre = sumOf(logs) / logs.length
  if (logs.length < 2) return { ratio: Math.exp(centre), interval: null }
  const deviation = Math.sqrt(sumOf(logs, log => (log - centre) ** 2) / (logs.length - 1))
  const width = (studentT(logs.length - 1) * deviation) / Math.sqrt(logs.length)
  return {
    ratio: Math.exp(centre),
    interval: { low: Math.exp(centre - width), high: Math.exp(centre + width) }
  }
}

/**
 * @param {Figure} figure
 * @param {readonly (readonly (readonly [AnyResult, AnyResult])[])[]} pairs - of runs, for each pair of rows
 * @param {boolean} decided - by equivalence
 * @returns {ChangedFigure[]} none: not measured
 */
function changedFigure(figure, pairs, decided) {
  const read = (/** @type {AnyResult} */ result) => comparedFigures(result, [figure])[figure.name]?.value ?? 0
  const values = pairs
    .map(runs => runs.map(([one, other]) => /** @type {const} */ ([read(one), read(other)])))
    .map(runs => runs.filter(([one, other]) => one > 0 && other > 0))
    .filter(runs => runs.length > 0)
  if (values.length === 0) return []
  const logs = values.map(runs => runs.map(([one, other]) => Math.log(other / one)))
  // runs of a pair of rows are not independent of one another: they are one pair where there are others
  const each = logs.length > 1 ? logs.map(runs => sumOf(runs) / runs.length) : logs[0]
  const all = values.flat()
  const same =
    decided && all.length > 1 ? equivalence(all, { low: 1 / (1 + MARGIN), high: 1 + MARGIN }) : null
  return [{ figure, ...spanOf(each), same }]
}

/**
 * whatChanged tells what parameters changed, between rows of the last of some tables, or of it and one before it, that agree in
 * all else.
 *
 * @param {readonly TableRecord[]} tables - of a scenario, in their order
 * @param {ReadonlyMap<string, AnyResult>} results - by row id, those of attempts by their paths
 * @param {{ varied: readonly Varied[], figures: readonly Figure[] }} how - `figures`: that comparisons go by
 * @returns {Changed[]}
 */
export function whatChanged(tables, results, { varied, figures }) {
  return varied.flatMap(what => {
    /** @type {Map<string, [Placed, Placed][]>} */
    const steps = new Map()
    for (const pair of neighbours(tables, what.key)) {
      const step = pair.map(({ value }) => value).join(' ')
      steps.set(step, [...(steps.get(step) ?? []), pair])
    }
    return [...steps.values()].flatMap(rows => {
      const pairs = rows.map(([before, after]) => {
        const [one, other] = [before, after].map(({ row }) => runsOf(row, results))
        return one.slice(0, other.length).map((run, i) => /** @type {const} */ ([run, other[i]]))
      })
      const told = figures
        .slice(0, FIGURES)
        .flatMap(figure => changedFigure(figure, pairs, what.decided === true))
      const runs = sumOf(pairs, each => each.length)
      const [[{ value: from }, { value: to }]] = rows
      return told.length === 0 ? [] : [{ varied: what, from, to, rows: rows.length, runs, figures: told }]
    })
  })
}
