/**
 * made is a new element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} [children]
 */
export function made(tag, attributes = {}, children = []) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** button does something when it is pressed. @param {string} text @param {() => unknown} press @param {Record<string, string>} [attributes] */
export function button(text, press, attributes = {}) {
  const element = made('button', { type: 'button', ...attributes }, [text])
  element.addEventListener('click', press)
  return element
}

/** @param {string} text */
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // a page from a file, in some browsers
    const area = made('textarea', { 'aria-hidden': 'true', class: 'aside' })
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}

const SAID_MS = 1500

/** copyButton copies a text, and says that it did. @param {() => string} textOf */
export function copyButton(textOf) {
  const element = button('Copy', async () => {
    await toClipboard(textOf())
    element.textContent = 'Copied'
    setTimeout(() => {
      element.textContent = 'Copy'
    }, SAID_MS)
  })
  return element
}

/** @param {string | number} cell */
const quoted = cell => (/[",\n]/.test(String(cell)) ? `"${String(cell).replace(/"/g, '""')}"` : String(cell))

/** csvOf writes rows as CSV. @param {readonly (readonly (string | number)[])[]} rows */
export const csvOf = rows => `${rows.map(row => row.map(quoted).join(',')).join('\n')}\n`

/** fileName makes one of words. @param {string} words */
export const fileName = words =>
  words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** csvButton gives rows as a file. @param {string} name @param {() => (string | number)[][]} rowsOf */
export const csvButton = (name, rowsOf) =>
  button('CSV', () => {
    const address = URL.createObjectURL(new Blob([csvOf(rowsOf())], { type: 'text/csv' }))
    made('a', { href: address, download: `${fileName(name)}.csv` }).click()
    setTimeout(() => URL.revokeObjectURL(address), SAID_MS)
  })
