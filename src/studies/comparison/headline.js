import { enumerated } from '../../kit/lists.js'
import { counted, significant } from '../../kit/numbers.js'
import { UNITS, withUnit } from '../../kit/units.js'
import { differInStack } from '../../libp2p/stacks.js'
import { baselineLine } from '../../report/baseline-lines.js'
import { tuningOf } from '../../report/stack-words.js'
import { SMALLEST_CHANGE } from './compare-metrics.js'
import { letterOf } from './comparison-document.js'

/**
 * @typedef {import('./comparison.js').Against} Against
 * @typedef {import('./comparison.js').Comparison} Comparison
 * @typedef {import('./compare-metrics.js').MetricComparison} MetricComparison
 */

/** A title within a sentence: an abbreviation keeps its capitals. @param {Pick<MetricComparison, 'figure'>} comparison */
const nameOf = ({ figure }) => figure.title.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())

/** @param {MetricComparison} comparison */
function changed(comparison) {
  const percent = 100 * (Number(comparison.ratio) - 1)
  const size = Math.abs(percent)
  return `${nameOf(comparison)} ${size < 99.95 ? size.toFixed(1) : significant(size)} % ${percent > 0 ? 'higher' : 'lower'}`
}

/** How a side compares with the first one. @param {Against} against @param {string} letter */
function clause({ pairs, leastPairs, metrics }, letter) {
  const found = (/** @type {MetricComparison['verdict']} */ verdict) =>
    metrics.filter(metric => metric.verdict === verdict)
  const different = found('different')
  if (metrics.every(({ ratio }) => ratio === null)) return `A and ${letter} have no figure in common`
  if (pairs < leastPairs)
    return `too few runs to tell whether ${letter} differs from A: ${counted(pairs, 'pair')} of the ${leastPairs} needed`
  if (different.length > 0)
    return `compared with A, ${letter} has ${enumerated(different.map(changed))} (${counted(pairs, 'pair')} of runs)`
  const open = [...found('undecided'), ...found('not measured')]
  if (open.length === 0)
    return `A and ${letter} are the same within ${100 * SMALLEST_CHANGE} % (${counted(pairs, 'pair')} of runs)`
  return `${counted(pairs, 'pair')} of runs leave open whether A and ${letter} differ in ${enumerated(open.map(nameOf))}`
}

/** @param {Comparison} comparison @param {number} asked - runs */
function ofOneSide({ sides: [{ results }], spreads: [spreads] }, asked) {
  const complete = results.length === asked ? '' : `${results.length} of `
  const runs = `${complete}${counted(asked, 'run')} of one plan`
  if (spreads.length === 0) return runs
  const [{ figure, spread }] = spreads
  const unit = figure.unit ?? UNITS[figure.quantity].own
  const written = (/** @type {number} */ value) => withUnit(value, unit)
  return `${runs}: median ${nameOf({ figure })} ${written(spread.median)}, from ${written(spread.least)} to ${written(spread.most)}`
}

/** Which sides are libp2p as published, where sides differ in it or in its generation. @param {Comparison} comparison @returns {string[]} */
function stockWords({ sides }) {
  const plans = sides.map(({ results }) => /** @type {any} */ (results[0].plan))
  const words = plans.map(tuningOf)
  const isSame = words.every(word => word === words[0])
  if (!('stock' in sides[0].scenario.options) || (isSame && !differInStack(plans))) return []
  // stacks are not tuned alike: what one is changed in, another may have as it is
  if (isSame && words[0] === 'tuned') return ['tuned, and stacks are not tuned alike: see --stock']
  return isSame
    ? [`${words[0]} on ${sides.length === 2 ? 'both' : 'all'} sides`]
    : [words.map((word, place) => `${letterOf(place)} ${word}`).join(', ')]
}

/**
 * comparisonHeadline says in one sentence what a comparison showed.
 *
 * @param {Comparison} comparison
 * @param {import('./comparison-document.js').ComparisonDocument | null} document - of its study
 */
export function comparisonHeadline(comparison, document) {
  const { against, sides, baseline } = comparison
  const clauses =
    against.length === 0
      ? [ofOneSide(comparison, document?.sides[0].runs.length ?? sides[0].results.length)]
      : against.map((each, i) => clause(each, letterOf(i + 1)))
  const text = [
    ...clauses,
    ...stockWords(comparison),
    ...(baseline === null ? [] : [baselineLine(baseline)])
  ].join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
