import { counted, grouped } from '../../../kit/numbers.js'
import { LEAST_PAIRS } from '../../statistics/equivalence.js'
import { MARGIN, whatChanged } from '../what-changed.js'

/**
 * @typedef {import('../what-changed.js').Changed} Changed
 * @typedef {import('../what-changed.js').ChangedFigure} ChangedFigure
 * @typedef {import('../matrix-folder.js').TableRecord} TableRecord
 */

/** @param {number} ratio */
const times = ratio => (ratio >= 100 ? grouped(ratio) : ratio.toFixed(2))

/** @param {ChangedFigure} changed */
const figureWords = ({ figure: { title }, ratio, interval }) =>
  `${title} × ${times(ratio)}${interval === null ? '' : ` [${times(interval.low)}, ${times(interval.high)}]`}`

/** @type {Record<string, string>} */
const VERDICTS = { agrees: 'the same', differs: 'not the same', undecided: 'undecided' }

/** @param {ChangedFigure} changed @param {number} runs @returns {string[]} */
function sameWords({ figure: { title }, same }, runs) {
  if (same === null) return []
  const { verdict, interval, more } = same
  const span = interval === null ? '' : ` (90 % interval [${times(interval.low)}, ${times(interval.high)}])`
  const needs =
    verdict !== 'undecided' || more === null
      ? ''
      : `, about ${counted(Math.max(more, LEAST_PAIRS - runs), 'more pair')} of runs would decide`
  return [`${title} is ${VERDICTS[verdict]}${span}${needs}`]
}

/** @param {Changed} changed @returns {string[]} */
function sentencesOf({ varied: { what }, from, to, rows, runs, figures }) {
  const pairs =
    rows === runs
      ? counted(rows, 'pair of rows', 'pairs of rows')
      : `${counted(rows, 'pair of rows', 'pairs of rows')}, ${counted(runs, 'pair')} of runs`
  const lone = figures.every(({ interval }) => interval === null) ? '; one run of each has no interval' : ''
  const same = figures.flatMap(figure => sameWords(figure, runs))
  return [
    `What ${what} changed, ${grouped(from)} → ${grouped(to)} (${pairs}): ${figures.map(figureWords).join(', ')}${lone}.`,
    ...(same.length === 0
      ? []
      : [
          `Is it the same with ${grouped(from)} and ${grouped(to)}, within ± ${MARGIN * 100} %? ${same.join('; ')}.`
        ])
  ]
}

/** What the intervals of sentences are. */
const INTERVALS =
  'In brackets: 95 % intervals of ratios over pairs of rows that agree in all else, or of runs where there is one such pair (Student, of logarithms).'

/**
 * changedSentences say what parameters changed between rows of a table, or of it and one before it, that agree in all else.
 *
 * @param {TableRecord} table
 * @param {readonly TableRecord[]} tables - of the matrix
 * @param {ReadonlyMap<string, import('../../../result/types.js').AnyResult>} results
 * @param {import('../../../report/view.js').View} view - of the table
 * @returns {string[]}
 */
export function changedSentences(
  table,
  tables,
  results,
  { matrix: { varied = [] }, scenario: { compared } }
) {
  if (varied.length === 0 || compared === null) return []
  const own = tables.filter(({ scenario }) => scenario === table.scenario)
  const upTo = own.slice(0, own.indexOf(table) + 1)
  const changed = whatChanged(upTo, results, { varied, figures: compared.figures })
  const bracketed = changed.some(({ figures }) => figures.some(({ interval }) => interval !== null))
  return [...changed.flatMap(sentencesOf), ...(bracketed ? [INTERVALS] : [])]
}
