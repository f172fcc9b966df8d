import { button, copyButton, csvButton, made } from './parts.js'

/** What times are told in, in ms. @type {Readonly<Record<string, number>>} */
const TIMES = { µs: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000 }

const NUMBER = /^[^\d+−–-]{0,2}([+−-]?)([\d,]+(?:\.\d+)?)\s*(µs|ms|s|min|h)?(?![\w])/

/** @param {string} sign @param {string} digits */
const numberOf = (sign, digits) =>
  (sign === '−' || sign === '-' ? -1 : 1) * Number(digits.replaceAll(',', ''))

/**
 * orderOf is what a cell is sorted by: the first figure in it, times in ms.
 *
 * @param {string} text
 * @returns {number | null} null: it holds none
 */
export function orderOf(text) {
  const found = NUMBER.exec(text.trim())
  if (found === null) return null
  const [whole, sign, digits, unit] = found
  if (unit === undefined) return numberOf(sign, digits)
  const rest =
    unit === 's' || unit === 'ms' || unit === 'µs' ? null : orderOf(text.trim().slice(whole.length))
  return numberOf(sign, digits) * TIMES[unit] + (rest ?? 0)
}

/**
 * compared says which of two cells comes first. Those that say nothing come last, whichever way is sorted.
 *
 * @param {string} a
 * @param {string} b
 * @param {1 | -1} way
 */
export function compared(a, b, way) {
  const [left, right] = [orderOf(a), orderOf(b)]
  if (left !== null && right !== null) return way * (left - right)
  const empty = [a, b].map(text => /^[–-]?$/.test(text.trim()))
  if (empty[0] !== empty[1]) return empty[0] ? 1 : -1
  return way * a.localeCompare(b, 'en', { numeric: true })
}

/** @param {HTMLTableElement} table @param {number} column @param {1 | -1 | 0} way @param {HTMLTableRowElement[]} asMade */
function sorted(table, column, way, asMade) {
  const cell = (/** @type {HTMLTableRowElement} */ row) => row.cells[column]?.textContent ?? ''
  table.tBodies[0].append(
    ...(way === 0 ? asMade : [...asMade].sort((a, b) => compared(cell(a), cell(b), way)))
  )
  for (const [i, heading] of [...(table.tHead?.rows[0].cells ?? [])].entries())
    if (i === column && way !== 0) heading.setAttribute('aria-sort', way === 1 ? 'ascending' : 'descending')
    else heading.removeAttribute('aria-sort')
}

/** Up, down, and as it was. @type {Readonly<Record<string, 1 | -1 | 0>>} */
const NEXT = { none: 1, ascending: -1, descending: 0 }

/** @param {HTMLTableElement} table */
function sortable(table) {
  const rows = [...table.tBodies[0].rows]
  for (const [column, heading] of [...(table.tHead?.rows[0].cells ?? [])].entries()) {
    const text = [...heading.childNodes]
    const press = button('', () =>
      sorted(table, column, NEXT[heading.getAttribute('aria-sort') ?? 'none'], rows)
    )
    press.title = 'Sort by this'
    press.append(...text)
    heading.replaceChildren(press)
  }
}

/** @param {HTMLTableElement} table */
const textOf = table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent?.trim() ?? ''))

/** Fewer rows need no sorting. */
const FEW = 3

/** tables lets people sort tables, and take them away. */
export function tables() {
  for (const box of document.querySelectorAll('.scroll')) {
    const table = box.querySelector('table')
    if (table === null || table.tBodies.length === 0) continue
    const rows = textOf(table)
    if (table.tBodies[0].rows.length >= FEW) sortable(table)
    const name = box.getAttribute('aria-label') ?? 'table'
    box.after(
      made('p', { class: 'tools' }, [
        copyButton(() => rows.map(row => row.join('\t')).join('\n')),
        csvButton(name, () => rows)
      ])
    )
  }
}
