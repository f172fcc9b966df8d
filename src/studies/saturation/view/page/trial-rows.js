import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'

/**
 * @typedef {import('../../result/trial.js').AnyTrial} Trial
 * @typedef {import('../../../../kit/table.js').Table} Table
 */

/**
 * trialRows is a table with a row for each trial, whose first cell leads to what is kept of its run.
 *
 * @param {Table & { trials: readonly Trial[] }} table
 * @param {ReadonlyMap<string, string>} links - by folder
 * @param {string} label
 */
export function trialRows({ trials, rows, ...table }, links, label) {
  /** @param {string} text @param {Trial} trial */
  const linked = (text, { run }) => {
    const href = run === null ? undefined : links.get(run)
    return href === undefined ? text : html`<a href="${href}">${text}</a>`
  }
  return tableOf(
    { ...table, rows: rows.map(([first, ...rest], place) => [linked(first, trials[place]), ...rest]) },
    { label, wrapped: [table.headings.indexOf('Why not')] }
  )
}
