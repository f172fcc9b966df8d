import { enumerated } from '../../../kit/lists.js'
import { change, changeSpan } from '../../../report/change.js'
import { percent, seenWords } from '../../../report/rule-line.js'
import { smallestShown } from '../../statistics/power.js'

/**
 * @typedef {import('../comparison.js').Comparison} Comparison
 * @typedef {import('../compare-metrics.js').MetricComparison} MetricComparison
 */

/** A title in mid-sentence: its first letter is small, unless it is an abbreviation. @param {MetricComparison} comparison */
const nameOf = ({ figure }) => figure.title.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())

/** The plans of ab are A and B; what they are stands behind. @param {{ label: string }} side */
const sideName = ({ label }) => label.replace(/^([AB]) (.+)$/, '$1 ($2)')

/** @param {MetricComparison} comparison */
function moved(comparison) {
  const ratio = Number(comparison.ratio)
  return `${nameOf(comparison)} ${change(ratio).slice(1)} ${ratio > 1 ? 'higher' : 'lower'}`
}

/** @param {MetricComparison} comparison */
function spanned(comparison) {
  const { interval, seen, verdict } = comparison
  if (interval === null) return nameOf(comparison)
  const could = verdict === 'undecided' && seen !== null ? `: ${seenWords(seen)}` : ''
  return `${nameOf(comparison)} (${changeSpan(interval)}${could})`
}

/** @param {Comparison} comparison @returns {string[]} */
function tooFew({ base, candidate, pairs, leastPairs, metrics }) {
  const soFar = metrics.filter(({ ratio }) => ratio !== null)
  return [
    `Too few runs to tell whether ${sideName(candidate)} differs from ${sideName(base)}: ${pairs} of the ${leastPairs} pairs that are needed.`,
    ...(soFar.length === 0
      ? []
      : [
          `So far, and the next run may turn it round: ${enumerated(soFar.map(metric => `${nameOf(metric)} ${change(Number(metric.ratio))}`))}.`
        ])
  ]
}

/** @param {string} what @param {MetricComparison[]} metrics @returns {string[]} */
const spans = (what, metrics) =>
  metrics.length === 0
    ? []
    : [
        `${what} ${enumerated(metrics.map(spanned))}; in brackets how large a difference could still be, with 95 % confidence.`
      ]

/** @param {MetricComparison[]} metrics @returns {string[]} */
const missing = metrics =>
  metrics.length === 0 ? [] : [`Not measured in every run: ${enumerated(metrics.map(nameOf))}.`]

/**
 * comparisonSentences say a comparison as a person would: what changed and by how much, that it is the same, that it is open, or that
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
  const undecided = found('undecided')
  const alike =
    undecided.length === 0
      ? `${pairs} pairs of runs show ${sideName(base)} and ${sideName(candidate)} to be the same within 5 %.`
      : `${pairs} pairs of runs leave open whether ${sideName(base)} and ${sideName(candidate)} differ.`
  const main =
    different.length === 0
      ? alike
      : `Compared with ${sideName(base)}, ${sideName(candidate)} has ${enumerated(different.map(moved))}.`
  return [
    main,
    ...spans('The same within 5 %:', found('same within 5 %')),
    ...spans('Undecided:', undecided),
    ...missing(found('not measured'))
  ]
}

/** How far the ratios of pairs may scatter, as a share: what they will is not known before they are run. */
const SCATTERS = [0.05, 0.1]

/**
 * powerBeforehand says, before anything is run, what pairs of runs can show.
 *
 * @param {number} pairs
 * @param {number} least - that are needed to tell anything
 */
export function powerBeforehand(pairs, least) {
  if (pairs < least)
    return `${pairs} ${pairs === 1 ? 'pair is' : 'pairs are'} too few to tell anything, ${least} are needed: every rule will be UNDECIDED.`
  const shown = SCATTERS.map(
    scatter => `${percent(smallestShown(pairs, scatter))} where their ratios scatter by ${percent(scatter)}`
  )
  return `${pairs} pairs show a change of ${shown.join(', of ')}; a smaller one is left undecided.`
}
