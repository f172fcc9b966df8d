import { change, changeSpan } from '../../../report/change.js'

/**
 * @typedef {import('../comparison.js').Comparison} Comparison
 * @typedef {import('../compare-metrics.js').MetricComparison} MetricComparison
 */

/** A title in mid-sentence: its first letter is small, unless it is an abbreviation. @param {MetricComparison} comparison */
const nameOf = ({ figure }) => figure.title.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())

/** The plans of ab are A and B; what they are stands behind. @param {{ label: string }} side */
const sideName = ({ label }) => label.replace(/^([AB]) (.+)$/, '$1 ($2)')

/** @param {readonly string[]} items */
const listed = items =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`

/** @param {MetricComparison} comparison */
function moved(comparison) {
  const ratio = Number(comparison.ratio)
  return `${nameOf(comparison)} ${change(ratio).slice(1)} ${ratio > 1 ? 'higher' : 'lower'}`
}

/** @param {MetricComparison} comparison */
const spanned = comparison =>
  `${nameOf(comparison)}${comparison.interval === null ? '' : ` (${changeSpan(comparison.interval)})`}`

/** @param {Comparison} comparison @returns {string[]} */
function tooFew({ base, candidate, pairs, leastPairs, metrics }) {
  const soFar = metrics.filter(({ ratio }) => ratio !== null)
  return [
    `Too few runs to tell whether ${sideName(candidate)} differs from ${sideName(base)}: ${pairs} of the ${leastPairs} pairs that are needed.`,
    ...(soFar.length === 0
      ? []
      : [
          `So far, and the next run may turn it round: ${listed(soFar.map(metric => `${nameOf(metric)} ${change(Number(metric.ratio))}`))}.`
        ])
  ]
}

/** @param {MetricComparison[]} metrics that showed no difference @returns {string[]} */
const stillPossible = metrics =>
  metrics.length === 0
    ? []
    : [
        `No difference was shown in ${listed(metrics.map(spanned))}; in brackets how large it could still be, with 95 % confidence.`
      ]

/** @param {MetricComparison[]} metrics @returns {string[]} */
const missing = metrics =>
  metrics.length === 0 ? [] : [`Not measured in every run: ${listed(metrics.map(nameOf))}.`]

/**
 * comparisonSentences say a comparison as a person would: what changed and by how much, or that nothing was shown, or that
 * the runs are too few.
 *
 * @param {Comparison} comparison
 * @returns {string[]} the first is the main thing
 */
export function comparisonSentences(comparison) {
  const { base, candidate, pairs, metrics } = comparison
  /** @param {MetricComparison['verdict']} verdict */
  const found = verdict => metrics.filter(metric => metric.verdict === verdict)
  const different = found('different')
  if (metrics.every(({ ratio }) => ratio === null))
    return [`${sideName(base)} and ${sideName(candidate)} have no figure in common that could be compared.`]
  if (pairs < comparison.leastPairs) return tooFew(comparison)
  const main =
    different.length === 0
      ? `${pairs} pairs of runs show no difference between ${sideName(base)} and ${sideName(candidate)}.`
      : `Compared with ${sideName(base)}, ${sideName(candidate)} has ${listed(different.map(moved))}.`
  return [main, ...stillPossible(found('no difference shown')), ...missing(found('not measured'))]
}
