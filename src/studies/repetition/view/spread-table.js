import { MISSING } from '../../../kit/numbers.js'
import { change } from '../../../report/change.js'
import { written } from '../../../report/figure-cell.js'
import { doubtMark } from '../../../report/table.js'
import { comparedFigures, pool } from '../../comparison/compared-figures.js'
import { inUnit } from '../../comparison/view/comparison-page.js'
import { spreadOf } from '../spread.js'

/**
 * @typedef {import('../../comparison/comparison.js').Side} Side
 * @typedef {import('../../../measure/figure.js').Figure} Figure
 * @typedef {import('../../../measure/doubt.js').Cause} Cause
 *
 * @typedef {object} Spreading - a figure of all runs
 * @property {Figure} figure
 * @property {import('../spread.js').Spread} spread
 * @property {{ atLeast: boolean, doubtful: boolean, cause?: Cause }} marks - of any of the runs
 * @property {string} [doubt] - why it is doubtful, where the figure itself tells
 */

/**
 * One mark stands for all runs: that of the generator, where it had a part in any.
 *
 * @param {Figure} figure
 * @param {Side['results']} results
 * @returns {{ doubt?: string, cause?: Cause }}
 */
function doubtOf({ read }, results) {
  const doubts = results.flatMap(({ outcome, run }) => {
    const { doubt, cause = 'generator' } = read(outcome, run, pool)
    return doubt === undefined ? [] : [{ doubt, cause }]
  })
  return doubts.find(({ cause }) => cause === 'generator') ?? doubts[0] ?? {}
}

/**
 * spreadsOf are the figures that every run has.
 *
 * @param {Side} side
 * @param {readonly Figure[]} figures
 * @returns {Spreading[]}
 */
export function spreadsOf({ results }, figures) {
  const runs = results.map(result => comparedFigures(result, figures))
  return figures.flatMap(figure => {
    const found = runs.flatMap(run => run[figure.name] ?? [])
    if (found.length < runs.length) return []
    const { doubt, cause } = doubtOf(figure, results)
    const marks = {
      atLeast: found.some(({ atLeast }) => atLeast),
      doubtful: found.some(({ doubtful }) => doubtful),
      cause
    }
    return [{ figure, spread: spreadOf(found.map(({ value }) => value)), marks, doubt }]
  })
}

/**
 * spreadTable has a row for each figure.
 *
 * @param {readonly Spreading[]} spreads
 * @returns {import('../../../kit/table.js').Table}
 */
export const spreadTable = spreads => ({
  headings: ['Figure', 'Median', 'Least', 'Greatest', 'Greatest ÷ least'],
  align: ['l', 'r', 'r', 'r', 'r'],
  rows: spreads.map(({ figure, spread: { median, least, most }, marks }) => [
    inUnit(figure),
    ...[median, least, most].map(value => written({ value, ...marks }, figure)),
    least > 0 ? (most / least).toFixed(3) : MISSING
  ])
})

/**
 * spreadLegend says what the marks of doubtful figures mean, each only where it stands.
 *
 * @param {readonly Spreading[]} spreads
 * @param {import('../../../measure/figure.js').Comparable} compared
 * @returns {string[]}
 */
export function spreadLegend(spreads, compared) {
  const marked = spreads.filter(({ marks: { doubtful } }) => doubtful)
  // a figure that no time is in is doubtful with its whole run
  const legend = marked.map(({ marks, doubt }) =>
    doubt === undefined
      ? `${doubtMark(marks)} doubtful: ${compared.doubtful('it', ';')}`
      : `${doubtMark(marks)} ${doubt}.`
  )
  return [...new Set(legend)]
}

/**
 * spreadWarnings name runs that lie far out, and figures that drift.
 *
 * @param {readonly Spreading[]} spreads
 * @returns {string[]}
 */
export const spreadWarnings = spreads =>
  spreads.flatMap(({ figure: { title }, spread: { outliers, drift } }) => [
    ...outliers.map(place => `${title}: run ${place + 1} lies far from the others`),
    ...(drift === null
      ? []
      : [`${title} drifts from run to run: ${change(drift)} from the first to the last`])
  ])
