import { MISSING } from '../../../kit/numbers.js'
import { UNITS } from '../../../kit/units.js'
import { change, changeSpan } from '../../../report/change.js'
import { written } from '../../../report/figure-cell.js'
import { doubtMark } from '../../../report/table.js'
import { letterOf } from '../comparison-document.js'

/**
 * @typedef {import('../comparison.js').Comparison} Comparison
 * @typedef {import('../compare-metrics.js').MetricComparison} MetricComparison
 * @typedef {import('../spread.js').Spreading} Spreading
 * @typedef {import('../../../measure/figure.js').Figure} Figure
 */

/** @param {number} p */
const chance = p => (p < 0.001 ? '< 0.001' : p.toFixed(3))

/**
 * inUnit is a figure as the heading of a column.
 *
 * @param {Figure} figure
 */
export const inUnit = ({ title, unit, quantity }) =>
  [title, unit ?? UNITS[quantity].own].filter(text => text !== '').join(', ')

/**
 * verdictWords says what was found of a metric, and whether a difference is for the better.
 *
 * @param {Pick<MetricComparison, 'figure' | 'ratio' | 'verdict'>} comparison
 */
export function verdictWords({ verdict, ratio, figure }) {
  if (verdict === 'not measured' && ratio !== null) return 'not measured in every run'
  if (verdict !== 'different' || ratio === null) return verdict
  const better = figure.better === 'higher' ? ratio > 1 : ratio < 1
  return `different: ${better ? 'better' : 'worse'}`
}

/** @template T @param {T | null} value @param {(value: T) => string} write */
const orMissing = (value, write) => (value === null ? MISSING : write(value))

/** @param {MetricComparison | undefined} metric - undefined: of the base */
const againstCells = metric =>
  metric === undefined
    ? ['', '', '', '', '']
    : [
        orMissing(metric.ratio, change),
        orMissing(metric.interval, changeSpan),
        orMissing(metric.p, chance),
        orMissing(metric.adjustedP, chance),
        verdictWords(metric)
      ]

/**
 * figureTable has the figures of each side: medians, how far the runs lie apart, and what changed from the first side.
 *
 * @param {Pick<Comparison, 'sides' | 'spreads' | 'against'>} comparison
 * @returns {import('../../../kit/table.js').Table}
 */
export function figureTable({ sides, spreads, against }) {
  const alone = sides.length === 1
  const isRepeated = sides.some(({ results }) => results.length > 1)
  const [first] = against
  const figures = (first?.metrics ?? spreads[0]).map(({ figure }) => figure)
  const headings = [
    'Figure',
    ...(alone ? [] : ['Of']),
    ...(isRepeated ? ['Median', 'Least', 'Greatest'] : ['Value']),
    ...(alone ? ['Greatest ÷ least'] : ['Change', '95 % interval', 'p', 'p (Holm)', 'Verdict'])
  ]
  return {
    headings,
    align: headings.map(heading => (['Figure', 'Of', 'Verdict'].includes(heading) ? 'l' : 'r')),
    rows: figures.flatMap(figure =>
      sides.map((_, place) => {
        const found = spreads[place].find(spreading => spreading.figure.name === figure.name)
        const { median = null, least = null, most = null } = found?.spread ?? {}
        const marks = found?.marks ?? { atLeast: false, doubtful: false }
        const values = isRepeated ? [median, least, most] : [median]
        return [
          inUnit(figure),
          ...(alone ? [] : [letterOf(place)]),
          ...values.map(value => written({ value, ...marks }, figure)),
          ...(alone
            ? [Number(least) > 0 ? (Number(most) / Number(least)).toFixed(3) : MISSING]
            : againstCells(against[place - 1]?.metrics.find(({ metric }) => metric === figure.name)))
        ]
      })
    )
  }
}

/**
 * markLegend says what the marks of doubtful figures mean, each only where it stands.
 *
 * @param {readonly Spreading[]} spreads
 * @param {import('../../../measure/figure.js').Comparable} compared
 * @returns {string[]}
 */
export function markLegend(spreads, compared) {
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
 * @param {readonly Spreading[]} spreads - of a side
 * @param {string} whose - letter of the side and a space; empty: there is only one
 * @returns {string[]}
 */
export const spreadWarnings = (spreads, whose) =>
  spreads.flatMap(({ figure: { title }, spread: { outliers, drift } }) => [
    ...outliers.map(place => `${whose}${title}: run ${place + 1} lies far from the others`),
    ...(drift === null
      ? []
      : [`${whose}${title} drifts from run to run: ${change(drift)} from the first to the last`])
  ])
