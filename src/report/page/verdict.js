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

/**
 * statement makes statements of a tone.
 *
 * @param {Statement['tone']} tone
 * @returns {(text: string, to?: string) => Statement}
 */
export const statement = tone => (text, to) => ({ tone, text, ...(to !== undefined && { to }) })
export const good = statement('good')
export const mind = statement('mind')
export const bad = statement('bad')

/** @type {Record<Statement['tone'], string>} */
const SIGNS = { good: '✓', mind: '!', bad: '✗' }

/** Doubts that the figures carry marks of. */
const MARKED = new Set(['GENERATOR_BUSY', 'PERCENTILES_DOUBTFUL', 'NODES_WAITED'])

/**
 * @typedef {object} Shown
 * @property {import('../view.js').View} view
 * @property {import('../view.js').PageParts} page
 */

/** @param {AnyResult} result @returns {Statement} */
function completeness({ status, reason }) {
  if (status === 'complete') return good('Complete: everything the plan asks for was measured.')
  return bad(
    `Partial result: ${reason?.message ?? 'the run did not end'}. What follows was measured until then.`,
    'about'
  )
}

/** @param {AnyResult} result @returns {Statement[]} */
function thresholds({ outcome: { thresholds = [] } }) {
  if (thresholds.length === 0) return []
  const failed = thresholds.filter(({ passed }) => !passed)
  if (failed.length > 0)
    return [
      bad(
        `${thresholds.length === 1 ? 'The threshold' : `${failed.length} of ${thresholds.length} thresholds`} failed: ${failed.map(({ text }) => text).join('; ')}.`,
        'thresholds'
      )
    ]
  const text = thresholds.length === 1 ? 'The threshold holds.' : `All ${thresholds.length} thresholds hold.`
  return [good(text, 'thresholds')]
}

/** Doubts of which the figures themselves carry no mark. @param {AnyResult} result @returns {Statement[]} */
const otherDoubts = result =>
  doubtsOf(result)
    .filter(({ code }) => !MARKED.has(code))
    .map(warning => mind(`Doubtful: ${inWords(warning, result)}`, 'warnings'))

/** @param {AnyResult} result @param {Shown} shown @returns {Statement[]} */
function trust(result, { page, view }) {
  const doubts = [...page.doubts(result), ...otherDoubts(result)]
  const [first] = doubts
  // said once, whatever it comes from
  if (first !== undefined) return [{ ...first, text: doubts.map(({ text }) => text).join(' ') }]
  if (view.cells(result).rows.length === 0) return []
  return [good('No figure is doubtful: the load generator kept out of the way.', 'generator')]
}

/** What makes a result doubtful is said already. @param {AnyResult} result @returns {Statement[]} */
function warnings(result) {
  const others = result.run.warnings.length - doubtsOf(result).length
  return others === 0 ? [] : [mind(`${counted(others, 'warning')}, with what to do.`, 'warnings')]
}

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
