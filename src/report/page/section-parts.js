import { html, phrase } from '../../kit/html.js'
import { tableOf } from '../../kit/html-table.js'
import { inWords, tableNotes } from '../notes.js'
import { notesList } from './frame.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../kit/html.js').Html} Html
 * @typedef {import('../view.js').View} View
 */

/**
 * figuresTable is the table of a result with its notes.
 *
 * @param {AnyResult} result
 * @param {{ view: View }} tools
 * @returns {Html | null} null: nothing was measured
 */
export function figuresTable(result, { view }) {
  const cells = view.cells(result)
  if (cells.rows.length === 0) return null
  return html`${tableOf(cells, { label: 'Figures' })}${figureNotes(result, view)}`
}

/**
 * figureNotes are the lines under the figures.
 *
 * @param {AnyResult} result
 * @param {View} view
 */
export const figureNotes = (result, view) =>
  notesList([...tableNotes(result, view), ...view.notes.further(result)])

/**
 * warningsList shows the warnings of a result.
 *
 * @param {AnyResult} result
 * @returns {Html | null} null: there are none
 */
export const warningsList = result =>
  result.run.warnings.length === 0
    ? null
    : html`<ul class="warnings">
${result.run.warnings.map(warning => html`<li>${phrase(inWords(warning, result))}</li>\n`)}</ul>
`

/**
 * together joins parts of a section.
 *
 * @param {(Html | null)[]} parts
 * @returns {Html | null} null: there is none of them
 */
export const together = parts => (parts.every(part => part === null) ? null : html`${parts}`)
