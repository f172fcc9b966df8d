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

/** button @param {string | readonly (Node | string)[]} content @param {() => unknown} press @param {Record<string, string>} [attributes] */
export function button(content, press, attributes = {}) {
  const element = made(
    'button',
    { type: 'button', ...attributes },
    typeof content === 'string' ? [content] : content
  )
  element.addEventListener('click', press)
  return element
}

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
  button('CSV', () => {
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
