// Creates elements of a page in the browser: buttons, sortable tables, CSV downloads.
import { readCell } from '../../kinds.js'

/**
 * makeElement is an element with its attributes and children.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {readonly (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function makeElement(tag, attributes = {}, children = []) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** makeButton @param {readonly (Node | string)[]} content @param {() => unknown} press */
export function makeButton(content, press) {
  const element = makeElement('button', { type: 'button' }, content)
  element.addEventListener('click', press)
  return element
}

/** @param {readonly Node[]} cells */
const rowOf = cells => makeElement('tr', {}, cells)

/** makeTableElement @param {readonly string[]} headings @param {readonly (readonly Node[])[]} rows - cells */
export const makeTableElement = (headings, rows) =>
  makeElement('table', {}, [
    makeElement('thead', {}, [
      rowOf(headings.map(heading => makeElement('th', { scope: 'col' }, [heading])))
    ]),
    makeElement('tbody', {}, rows.map(rowOf))
  ])

/**
 * makeElementDrawing makes a drawing of elements, each of which is a place.
 *
 * @param {HTMLElement} container
 * @param {readonly HTMLElement[]} elements
 * @param {(place: number) => import('./figure.js').Tip['lines']} linesAt
 * @returns {Pick<import('./figure.js').Drawing, 'find' | 'point'>}
 */
export const makeElementDrawing = (container, elements, linesAt) => ({
  find({ target }) {
    const place = elements.indexOf(/** @type {HTMLElement} */ (target))
    return place < 0 ? null : place
  },
  point(place) {
    for (const [i, element] of elements.entries()) element.classList.toggle('marked', i === place)
    if (place === null) return null
    const [box, own] = [container, elements[place]].map(each => each.getBoundingClientRect())
    return { left: own.left - box.left + own.width / 2, top: own.top - box.top, lines: linesAt(place) }
  }
})

/** A text that begins like a formula must not become one in a spreadsheet. @param {string | number | null} cell */
const quoted = cell => {
  const text =
    cell === null ? '' : typeof cell === 'string' ? cell.replace(/^[=+\-@\t\r]/, "'$&") : String(cell)
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
}

/** formatCsvText @param {readonly (readonly (string | number | null)[])[]} rows */
export const formatCsvText = rows => `${rows.map(row => row.map(quoted).join(',')).join('\n')}\n`

const REVOKE_AFTER_MS = 1500

/** makeCsvButton saves rows as a file. @param {string} name @param {() => readonly (readonly (string | number | null)[])[]} rowsOf */
export const makeCsvButton = (name, rowsOf) =>
  makeButton(['CSV'], () => {
    const address = URL.createObjectURL(new Blob([formatCsvText(rowsOf())], { type: 'text/csv' }))
    makeElement('a', { href: address, download: `${name}.csv` }).click()
    setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
  })

/** onResize calls back after the width of an element has changed. @param {HTMLElement} element @param {(width: number) => void} then */
export function onResize(element, then) {
  let width = element.clientWidth
  new ResizeObserver(() => {
    if (element.clientWidth === 0 || element.clientWidth === width) return
    width = element.clientWidth
    // after the observer: what changes a height in it is reported as an endless loop
    requestAnimationFrame(() => then(width))
  }).observe(element)
}

/** @typedef {import('../../schema.js').DescribedTable} DescribedTable */

/** Fewer rows need no sorting, nor do names with their values. */
const MIN_SORTED = { rows: 5, columns: 3 }

/** compareByCell says which of two rows comes first; those without a value come last. @param {number} column @param {1 | -1} direction */
export const compareByCell =
  (column, direction) =>
  (/** @type {DescribedTable['rows'][number]} */ a, /** @type {DescribedTable['rows'][number]} */ b) => {
    const [left, right] = [readCell(a[column]), readCell(b[column])]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'number' && typeof right === 'number') return direction * (left - right)
    return direction * String(left).localeCompare(String(right), 'en', { numeric: true })
  }

/** Up, down, and as it was. @type {Readonly<Record<string, readonly [name: string, way: 1 | -1 | 0]>>} */
const NEXT = { none: ['ascending', 1], ascending: ['descending', -1], descending: ['none', 0] }

/** @param {HTMLTableElement} element @param {DescribedTable} table */
function sortable(element, { rows }) {
  const asMade = [...element.tBodies[0].rows]
  const headings = [...element.querySelectorAll('thead th')]
  for (const [column, heading] of headings.entries()) {
    const press = makeButton([...heading.childNodes], () => {
      const [name, direction] = NEXT[heading.getAttribute('aria-sort') ?? 'none']
      for (const other of headings) other.removeAttribute('aria-sort')
      if (direction !== 0) heading.setAttribute('aria-sort', name)
      const places = rows.map((_, i) => i)
      if (direction !== 0) places.sort((a, b) => compareByCell(column, direction)(rows[a], rows[b]))
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
      ...table.rows.map(row => row.map(readCell))
    ]
    section.append(makeElement('div', { class: 'tools' }, [makeCsvButton(table.id, rows)]))
  }
}
