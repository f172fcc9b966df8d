import { html, phrase } from '../../kit/html.js'
import { counted } from '../../kit/numbers.js'
import { doubtsOf } from '../../result/doubtful.js'
import { inWords } from '../notes.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../kit/html.js').Html} Html
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

/**
 * @typedef {object} Shown
 * @property {import('../view.js').View} view
 * @property {import('../view.js').PageParts} page
 */

/** @param {AnyResult} result @returns {Statement} */
function completeness({ status, reason }) {
  if (status === 'complete')
    return { tone: 'good', text: 'Complete: everything the plan asks for was measured.' }
  return {
    tone: 'bad',
    text: `Partial result: ${reason?.message ?? 'the run did not end'}. What follows was measured until then.`,
    to: 'about'
  }
}

/** @param {AnyResult} result @returns {Statement[]} */
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

/** Doubts of which the figures themselves carry no mark. @param {AnyResult} result @returns {Statement[]} */
const otherDoubts = result =>
  doubtsOf(result)
    .filter(({ code }) => !MARKED.has(code))
    .map(warning => ({ tone: 'mind', text: `Doubtful: ${inWords(warning)}`, to: 'warnings' }))

/** @param {AnyResult} result @param {Shown} shown @returns {Statement[]} */
function trust(result, { page, view }) {
  const doubts = [...page.doubts(result), ...otherDoubts(result)]
  if (doubts.length > 0 || view.cells(result).rows.length === 0) return doubts
  const text = 'No figure is doubtful: the load generator kept out of the way.'
  return [{ tone: 'good', text, to: 'generator' }]
}

/** @param {AnyResult} result @returns {Statement[]} */
const warnings = ({ run: { warnings } }) =>
  warnings.length === 0
    ? []
    : [{ tone: 'mind', text: `${counted(warnings.length, 'warning')}, with what to do.`, to: 'warnings' }]

/**
 * verdictOf says what a result is worth.
 *
 * @param {AnyResult} result
 * @param {Shown} shown
 * @returns {Statement[]}
 */
export const verdictOf = (result, shown) => [
  completeness(result),
  ...thresholds(result),
  ...shown.page.failures(result),
  ...trust(result, shown),
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
