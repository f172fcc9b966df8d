import { cellValue } from '../../description/kinds.js'
import { button, csvButton, made } from './dom.js'

/** @typedef {import('../../description/description.js').DescribedTable} DescribedTable */

/** Fewer rows need no sorting, nor do names with their values. */
const MIN_SORTED = { rows: 5, columns: 3 }

/** byCell says which of two rows comes first; those without a value come last. @param {number} column @param {1 | -1} way */
export const byCell =
  (column, way) =>
  (/** @type {DescribedTable['rows'][number]} */ a, /** @type {DescribedTable['rows'][number]} */ b) => {
    const [left, right] = [cellValue(a[column]), cellValue(b[column])]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'number' && typeof right === 'number') return way * (left - right)
    return way * String(left).localeCompare(String(right), 'en', { numeric: true })
  }

/** Up, down, and as it was. @type {Readonly<Record<string, readonly [name: string, way: 1 | -1 | 0]>>} */
const NEXT = { none: ['ascending', 1], ascending: ['descending', -1], descending: ['none', 0] }

/** @param {HTMLTableElement} element @param {DescribedTable} table */
function sortable(element, { rows }) {
  const asMade = [...element.tBodies[0].rows]
  const headings = [...element.querySelectorAll('thead th')]
  for (const [column, heading] of headings.entries()) {
    const press = button([...heading.childNodes], () => {
      const [name, way] = NEXT[heading.getAttribute('aria-sort') ?? 'none']
      for (const other of headings) other.removeAttribute('aria-sort')
      if (way !== 0) heading.setAttribute('aria-sort', name)
      const places = rows.map((_, i) => i)
      if (way !== 0) places.sort((a, b) => byCell(column, way)(rows[a], rows[b]))
      element.tBodies[0].append(...places.map(i => asMade[i]))
    })
    press.title = 'Sort'
    heading.replaceChildren(press)
  }
}

/** equipTables lets people sort tables and save them. @param {readonly DescribedTable[]} tables */
export function equipTables(tables) {
  for (const table of tables) {
    const section = document.getElementById(table.id)
    if (section === null) continue
    const element = section.querySelector('table')
    if (
      element !== null &&
      table.rows.length >= MIN_SORTED.rows &&
      table.columns.length >= MIN_SORTED.columns
    )
      sortable(element, table)
    const rows = () => [
      table.columns.map(([heading]) => heading),
      ...table.rows.map(row => row.map(cellValue))
    ]
    section.append(made('div', { class: 'tools' }, [csvButton(table.id, rows)]))
  }
}
