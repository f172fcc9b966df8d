import { html } from './html.js'
import { sidesOf } from './table.js'

/**
 * @typedef {import('./table.js').Table} Table
 * @typedef {import('./html.js').Html} Html
 */

/** A published figure steps back behind the measured one it stands beside. @param {string} text */
function published(text) {
  const [measured, ...rest] = text.split(' / ')
  return rest.length === 1 ? html`${measured} <s>/ ${rest[0]}</s>` : text
}

/**
 * tableOf shows a table. It scrolls in its own box where it is wider than the page.
 *
 * @param {Omit<Table, 'rows'> & { rows: (string | Html)[][] }} table
 * @param {{ label: string, withPublished?: boolean, wrapped?: readonly number[] }} how - `label`: for who cannot see the box;
 *   `withPublished`: cells hold a measured and a published figure; `wrapped`: columns of sentences
 * @returns {Html}
 */
export function tableOf({ headings, rows, align }, { label, withPublished = false, wrapped = [] }) {
  const sides = sidesOf({ headings, align })
  /** @param {number} column */
  const side = column =>
    sides[column] === 'r' ? html` class="r"` : wrapped.includes(column) ? html` class="wrap"` : null
  /** @param {string | Html} cell @param {number} column */
  const cellOf = (cell, column) => {
    const shown = withPublished && typeof cell === 'string' ? published(cell) : cell
    return column === 0
      ? html`<th scope="row"${side(column)}>${shown}</th>`
      : html`<td${side(column)}>${shown}</td>`
  }
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${headings.map((heading, column) => html`<th scope="col"${side(column)}>${heading}</th>`)}</tr></thead>
<tbody>
${rows.map(row => html`<tr>${row.map(cellOf)}</tr>\n`)}</tbody>
</table></div>
`
}
