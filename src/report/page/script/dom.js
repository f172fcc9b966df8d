/**
 * made is an element with its attributes and children.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {readonly (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function made(tag, attributes = {}, children = []) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** button @param {readonly (Node | string)[]} content @param {() => unknown} press */
export function button(content, press) {
  const element = made('button', { type: 'button' }, content)
  element.addEventListener('click', press)
  return element
}

/** @param {readonly Node[]} cells */
const rowOf = cells => made('tr', {}, cells)

/** tableOf @param {readonly string[]} headings @param {readonly (readonly Node[])[]} rows - cells */
export const tableOf = (headings, rows) =>
  made('table', {}, [
    made('thead', {}, [rowOf(headings.map(heading => made('th', { scope: 'col' }, [heading])))]),
    made('tbody', {}, rows.map(rowOf))
  ])

/**
 * drawingOf makes a drawing of elements, each of which is a place.
 *
 * @param {HTMLElement} room
 * @param {readonly HTMLElement[]} elements
 * @param {(place: number) => import('./figure.js').Tip['lines']} linesAt
 * @returns {Pick<import('./figure.js').Drawing, 'find' | 'point'>}
 */
export const drawingOf = (room, elements, linesAt) => ({
  find({ target }) {
    const place = elements.indexOf(/** @type {HTMLElement} */ (target))
    return place < 0 ? null : place
  },
  point(place) {
    for (const [i, element] of elements.entries()) element.classList.toggle('marked', i === place)
    if (place === null) return null
    const [box, own] = [room, elements[place]].map(each => each.getBoundingClientRect())
    return { left: own.left - box.left + own.width / 2, top: own.top - box.top, lines: linesAt(place) }
  }
})

/** A text that begins like a formula must not become one in a spreadsheet. @param {string | number | null} cell */
const quoted = cell => {
  const text =
    cell === null ? '' : typeof cell === 'string' ? cell.replace(/^[=+\-@\t\r]/, "'$&") : String(cell)
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
}

/** csvText @param {readonly (readonly (string | number | null)[])[]} rows */
export const csvText = rows => `${rows.map(row => row.map(quoted).join(',')).join('\n')}\n`

const REVOKE_AFTER_MS = 1500

/** csvButton saves rows as a file. @param {string} name @param {() => readonly (readonly (string | number | null)[])[]} rowsOf */
export const csvButton = (name, rowsOf) =>
  button(['CSV'], () => {
    const address = URL.createObjectURL(new Blob([csvText(rowsOf())], { type: 'text/csv' }))
    made('a', { href: address, download: `${name}.csv` }).click()
    setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
  })

/** whenResized calls back after the width of an element has changed. @param {HTMLElement} element @param {(width: number) => void} then */
export function whenResized(element, then) {
  let width = element.clientWidth
  new ResizeObserver(() => {
    if (element.clientWidth === 0 || element.clientWidth === width) return
    width = element.clientWidth
    // after the observer: what changes a height in it is reported as an endless loop
    requestAnimationFrame(() => then(width))
  }).observe(element)
}
