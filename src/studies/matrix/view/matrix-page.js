import { grouped, significant } from '../../../kit/numbers.js'
import { inWords, signs } from '../../../report/notes.js'
import { thresholdLine } from '../../../report/threshold-lines.js'
import { failedThresholds } from '../../../result/thresholds/judge.js'
import { endWords } from '../../study-progress.js'
import {
  completeOf,
  countedOf,
  hasRuns,
  isPressed,
  LEAST_SPREAD,
  MOST_PRESSURE_PERCENT,
  MOST_REPEATS,
  MOST_STEAL_PERCENT,
  ownPressurePercent
} from '../row-runs.js'
import { matrixHead } from './matrix-head.js'
import { matrixTable } from './matrix-table.js'

/**
 * @typedef {import('../../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../../result/types.js').Warning} Warning
 * @typedef {import('../matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../../report/view.js').View} View
 */

const ROWS_NAMED = 5

/** At the begin of a line, markdown would take some signs for its own. @param {string} note */
const literal = note => note.replace(/^([^\s\w⚠]) /, '`$1` ')

/** @param {TableRecord} table */
const ownNotes = ({ rows }) => rows.flatMap(({ name, note }) => (note === null ? [] : [`${name}: ${note}`]))

/** @param {TableRecord} table */
const wholeResults = ({ id, rows }) =>
  rows.some(({ result }) => result !== null)
    ? [
        `The whole result of a row is in the folder of its name in [${id}](${id}); if it was run more than once, matrix.json says in which.`
      ]
    : []

/** @type {Partial<Record<string, string>>} */
const STATE_WORDS = { blocked: 'cannot be run here' }

/** @param {TableRecord} table */
const reasons = ({ rows }) =>
  rows.flatMap(({ name, status, reason }) =>
    reason === null
      ? []
      : [`${name} ${endWords(STATE_WORDS[status] ?? status, reason.message.split('\n')[0])}`]
  )

/** @param {TableRecord} table @param {ReadonlyMap<string, AnyResult>} results */
const missed = ({ rows }, results) =>
  rows.flatMap(({ id, name }) => {
    const result = results.get(id)
    return (result === undefined ? [] : failedThresholds(result)).map(
      threshold => `${name}: ${thresholdLine(threshold)}`
    )
  })

/**
 * What was under pressure, and what was made of it.
 *
 * @param {TableRecord} table
 * @param {boolean} merges - several runs are one result
 * @returns {string[]}
 */
function pressed({ rows }, merges) {
  const several = rows.filter(hasRuns)
  const spread = several.some(({ runs = 1 }) => runs >= LEAST_SPREAD)
  const merged = merges
    ? [
        'A row of several runs has the operations of all of them, each run on a server of its own, in shuffled order: histograms are merged, times and counts added up.'
      ]
    : []
  if (several.length === 0) return []
  if (!spread) return merged
  const lines = several.flatMap(row => [
    ...ownPressureWords(row),
    ...repeatedRuns(row).map(counted => repeatedWords(row, counted))
  ])
  return [
    ...merged,
    `${merges ? `Of three runs or more the second line has the least of each column, the third the greatest.` : 'Of rows of several runs the first line has the median of each column, the next ones the least and the greatest. They ran in shuffled order.'} A run is repeated, at most ${MOST_REPEATS} times, when something waited for a core for more than ${MOST_PRESSURE_PERCENT} % of the time, or other guests of the host took more than ${MOST_STEAL_PERCENT} %, until two attempts show how much of it the load makes itself; all attempts are kept.`,
    ...lines
  ]
}

/** @param {RowRecord} row */
function ownPressureWords(row) {
  const own = ownPressurePercent(row, Number(row.attempts?.at(-1)?.run))
  return own === null || own <= MOST_PRESSURE_PERCENT
    ? []
    : [
        `${row.name}: something waited for a core for ${significant(own)} % of the time, made by the load itself, since a repeat had no less.`
      ]
}

/** @param {RowRecord} row */
const repeatedRuns = row => countedOf(row).filter(({ run }) => completeOf(row, run).length > 1)

/** @param {RowRecord} row @param {import('../row-runs.js').Attempt} counted */
function repeatedWords(row, counted) {
  const made = completeOf(row, counted.run)
  const all = made.length > MOST_REPEATS && isPressed(row, counted)
  return `${row.name}, run ${counted.run} was under pressure, and repeated: ${made.map(pressureWords).join('; ')}.${all ? ' All were: the one with the least counts.' : ''}`
}

/** @param {import('../row-runs.js').Attempt} attempt */
const pressureWords = ({ pressurePercent, stealPercent }) =>
  [
    pressurePercent === null ? 'not known' : `${significant(pressurePercent)} % waited`,
    ...(stealPercent === null ? [] : [`${significant(stealPercent)} % taken`])
  ].join(', ')

/** @param {string[]} names */
function listed(names) {
  const more = names.length - ROWS_NAMED
  return [...names.slice(0, ROWS_NAMED), ...(more > 0 ? [`${grouped(more)} more`] : [])].join(', ')
}

/**
 * The warnings of all rows, one line for each kind: its values stand in the results.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, AnyResult>} results
 */
function warnings({ rows }, results) {
  /** @type {Map<string, { example: Warning, of: AnyResult, names: string[] }>} */
  const kinds = new Map()
  for (const { id, name } of rows) {
    const result = results.get(id)
    for (const warning of result?.run.warnings ?? []) {
      const of = /** @type {AnyResult} */ (result)
      const { names, ...first } = kinds.get(warning.code) ?? { example: warning, of, names: [] }
      kinds.set(warning.code, { ...first, names: names.includes(name) ? names : [...names, name] })
    }
  }
  return [...kinds.values()].map(({ example, of, names }) => {
    const where =
      names.length === 1 ? names[0] : `${grouped(names.length)} rows (${listed(names)}), for example`
    return `⚠ ${where}: ${inWords(example, of)}`
  })
}

/**
 * matrixNotes are the lines under the table of a matrix.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, AnyResult>} results - by row id
 * @param {string} measured - what was measured, in markdown
 * @param {View} view
 * @returns {string[]}
 */
export function matrixNotes(table, results, measured, view) {
  const { signs: ofScenario, remarks } = view.matrix
  return [
    ...signs(measured, ofScenario),
    ...(remarks?.(table, results) ?? []),
    ...pressed(table, view.scenario.merged !== undefined),
    ...ownNotes(table),
    ...reasons(table),
    ...missed(table, results),
    ...warnings(table, results)
  ]
}

/**
 * matrixPage is the markdown file of one table of a matrix.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, AnyResult>} results - by row id
 * @param {import('../../../plan/scale.js').Scales} scales
 * @param {View} view
 * @returns {string}
 */
export function matrixPage(table, results, scales, view) {
  const { text, measured } = matrixTable(table, results, view)
  const ofTable = table.rows.flatMap(({ id }) => results.get(id) ?? [])
  const notes = [...wholeResults(table), ...matrixNotes(table, results, measured, view).map(literal)]
  const under = notes.length === 0 ? [] : ['', ...notes.map(note => `- ${note}`)]
  return `${[...matrixHead(table, ofTable, scales, view), '', text, ...under].join('\n')}\n`
}
