import { doubtfulFigures } from '../../measure/doubt.js'
import { doubtsOf } from '../../result/doubtful.js'
import { inWords } from '../notes.js'
import { grouped } from '../numbers.js'
import { FIGURES, operationsOf } from '../table.js'
import { html, phrase } from './html.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('./html.js').Html} Html
 *
 * @typedef {object} Statement - a part of the verdict
 * @property {'good' | 'mind' | 'bad'} tone
 * @property {string} text
 * @property {string} [to] - the section that says more
 */

/** @type {Record<Statement['tone'], string>} */
const SIGNS = { good: '✓', mind: '!', bad: '✗' }

/** Doubts that the figures carry marks of. */
const MARKED = new Set(['GENERATOR_BUSY', 'PERCENTILES_DOUBTFUL'])

/** @param {string} key */
const nameOf = key => FIGURES.find(([name]) => name === key)?.[1] ?? key

/** @param {Result} result @returns {Statement} */
function completeness({ status, reason }) {
  if (status === 'complete')
    return { tone: 'good', text: 'Complete: everything the plan asks for was measured.' }
  return {
    tone: 'bad',
    text: `Partial result: ${reason?.message ?? 'the run did not end'}. What follows was measured until then.`,
    to: 'about'
  }
}

/** @param {Result} result @returns {Statement[]} */
function thresholds({ outcome: { thresholds = [] } }) {
  if (thresholds.length === 0) return []
  const failed = thresholds.filter(({ passed }) => !passed)
  if (failed.length > 0)
    return [
      {
        tone: 'bad',
        text: `${thresholds.length === 1 ? 'The threshold' : `${failed.length} of ${thresholds.length} thresholds`} failed: ${failed.map(({ text }) => text).join('; ')}.`,
        to: 'thresholds'
      }
    ]
  const text = thresholds.length === 1 ? 'The threshold holds.' : `All ${thresholds.length} thresholds hold.`
  return [{ tone: 'good', text, to: 'thresholds' }]
}

/** @param {number} n @param {string} what */
const counted = (n, what) => `${grouped(n)} ${what}${n === 1 ? '' : 's'}`

/** @param {Result} result @returns {Statement[]} */
function failures(result) {
  const operations = operationsOf(result)
  const errors = operations.reduce((sum, [, operation]) => sum + operation.errors, 0)
  if (errors === 0) return []
  const all = operations.reduce((sum, [, { count }]) => sum + count, 0)
  return [
    {
      tone: 'mind',
      text: `${grouped(errors)} of ${counted(all, 'operation')} did not succeed.`,
      to: 'outcomes'
    }
  ]
}

/** What the load generator had too large a part in. @param {Result} result @returns {Statement[]} */
function doubtfulTimes(result) {
  const named = operationsOf(result).flatMap(([type, { rt }]) => {
    const figures = doubtfulFigures(rt.all)
    return figures.length === 0 ? [] : [`${type} ${figures.map(nameOf).join(', ')}`]
  })
  if (named.length === 0) return []
  const text = `Doubtful, marked *: ${named.join('; ')}. The load generator itself added more than a tenth of these times.`
  return [{ tone: 'mind', text, to: 'generator' }]
}

/** @param {Result} result @returns {Statement[]} */
function boundedThroughput(result) {
  if (!operationsOf(result).some(([, { throughputIsLowerBound }]) => throughputIsLowerBound)) return []
  const text = 'Throughput is a lower bound: the load generator was busy and could not send more.'
  return [{ tone: 'mind', text, to: 'generator' }]
}

/** Doubts of which the figures themselves carry no mark. @param {Result} result @returns {Statement[]} */
const otherDoubts = result =>
  doubtsOf(result)
    .filter(({ code }) => !MARKED.has(code))
    .map(warning => ({ tone: 'mind', text: `Doubtful: ${inWords(warning)}`, to: 'warnings' }))

/** @param {Result} result @returns {Statement[]} */
function trust(result) {
  const doubts = [...doubtfulTimes(result), ...boundedThroughput(result), ...otherDoubts(result)]
  if (doubts.length > 0 || operationsOf(result).length === 0) return doubts
  const text = 'No figure is doubtful: the load generator kept out of the way.'
  return [{ tone: 'good', text, to: 'generator' }]
}

/** @param {Result} result @returns {Statement[]} */
const warnings = ({ run: { warnings } }) =>
  warnings.length === 0
    ? []
    : [{ tone: 'mind', text: `${counted(warnings.length, 'warning')}, with what to do.`, to: 'warnings' }]

/**
 * verdictOf says what a result is worth.
 *
 * @param {Result} result
 * @returns {Statement[]}
 */
export const verdictOf = result => [
  completeness(result),
  ...thresholds(result),
  ...failures(result),
  ...trust(result),
  ...warnings(result)
]

/**
 * statementList shows a verdict.
 *
 * @param {Statement[]} statements
 * @returns {Html}
 */
export const statementList = statements => html`<ul class="verdict">
${statements.map(
  ({ tone, text, to }) =>
    html`<li class="${tone}"><b aria-hidden="true">${SIGNS[tone]}</b><span>${phrase(text)}${to === undefined ? null : html` <a href="#${to}">More</a>`}</span></li>\n`
)}</ul>
`
