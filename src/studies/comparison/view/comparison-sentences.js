import { enumerated } from '../../../kit/lists.js'
import { change } from '../../../report/change.js'
import { percent, seenWords } from '../../../report/rule-line.js'
import { smallestShown } from '../../statistics/power.js'
import { letterOf } from '../comparison-document.js'

/**
 * @typedef {import('../comparison.js').Against} Against
 * @typedef {import('../compare-metrics.js').MetricComparison} MetricComparison
 */

/** A title in mid-sentence: its first letter is small, unless it is an abbreviation. @param {MetricComparison} comparison */
const nameOf = ({ figure }) => figure.title.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())

/** @param {MetricComparison} comparison */
function moved(comparison) {
  const ratio = Number(comparison.ratio)
  return `${nameOf(comparison)} ${change(ratio).slice(1)} ${ratio > 1 ? 'higher' : 'lower'}`
}

/** @param {Against} against @param {string} base @param {string} candidate @returns {string[]} */
function tooFew({ pairs, leastPairs, metrics }, base, candidate) {
  const soFar = metrics.filter(({ ratio }) => ratio !== null)
  return [
    `Too few runs to tell whether ${candidate} differs from ${base}: ${pairs} of the ${leastPairs} pairs that are needed; ab makes them.`,
    ...(soFar.length === 0
      ? []
      : [
          `So far, and the next run may turn it round: ${enumerated(soFar.map(metric => `${nameOf(metric)} ${change(Number(metric.ratio))}`))}.`
        ])
  ]
}

/**
 * comparisonSentences say how a side compares with the first one as a person would: what changed and by how much, that it is the same, that
 * it is open, or that the runs are too few.
 *
 * @param {Against} against
 * @param {readonly { label: string }[]} sides - the first one, and this one
 * @param {number} place - of this one
 * @returns {string[]} the first is the main thing
 */
export function comparisonSentences(against, sides, place) {
  const [base, candidate] = [0, place].map((at, i) => `${letterOf(at)} (${sides[i].label})`)
  const { pairs, metrics } = against
  const found = (/** @type {MetricComparison['verdict']} */ verdict) =>
    metrics.filter(metric => metric.verdict === verdict)
  const different = found('different')
  if (metrics.every(({ ratio }) => ratio === null))
    return [`${base} and ${candidate} have no figure in common that could be compared.`]
  if (pairs < against.leastPairs) return tooFew(against, base, candidate)
  if (different.length > 0)
    return [`Compared with ${base}, ${candidate} has ${enumerated(different.map(moved))}.`]
  return found('undecided').length === 0
    ? [`${pairs} pairs of runs show ${base} and ${candidate} to be the same within 5 %.`]
    : [`${pairs} pairs of runs leave open whether ${base} and ${candidate} differ.`]
}

/**
 * seenLines say what could have been seen of figures that are undecided.
 *
 * @param {Against} against
 * @param {string} whose - letter of the side, a colon and a space; empty: there is only one
 */
export const seenLines = ({ metrics }, whose) =>
  metrics.flatMap(({ figure, verdict, seen }) =>
    verdict === 'undecided' && seen !== null
      ? [`${whose}${figure.title} is undecided: ${seenWords(seen)}.`]
      : []
  )

/**
 * repetitionSentence says how often a plan was run.
 *
 * @param {readonly unknown[]} runs - null: not complete
 */
export function repetitionSentence(runs) {
  const complete = runs.filter(run => run !== null).length
  return `${complete === runs.length ? complete : `${complete} of ${runs.length}`} runs of one plan: medians over the runs, with the least and the greatest.`
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
