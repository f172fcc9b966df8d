/** Html is text that is safe to stand in a page. */
export class Html {
  #text

  /** @param {string} text */
  constructor(text) {
    this.#text = text
  }

  toString() {
    return this.#text
  }
}

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** @typedef {string | number | Html | null | undefined} Part */

/** @param {Part | Part[]} part @returns {string} */
function safe(part) {
  if (Array.isArray(part)) return part.map(safe).join('')
  if (part instanceof Html) return String(part)
  return part == null ? '' : String(part).replace(/[&<>"']/g, sign => ENTITIES[sign])
}

/**
 * html makes a piece of a page. What is put into it is text, unless it is a piece itself; null is nothing.
 *
 * @param {TemplateStringsArray} strings
 * @param {...(Part | Part[])} parts
 * @returns {Html}
 */
export const html = (strings, ...parts) =>
  new Html(strings.reduce((text, string, i) => `${text}${safe(parts[i - 1])}${string}`))

/** @param {string} text safe, with what belongs together on one line */
const unbroken = text =>
  text
    .replace(/(\d) (ms|µs|s|MB|%)(?![\w])/g, '$1\u00a0$2')
    .replace(/(?<![\w-])(--[a-zA-Z][\w-]*)/g, '<code>$1</code>')

/**
 * phrase is a sentence in which numbers stay with their units, and options are set as such.
 *
 * @param {string} text
 */
export const phrase = text => new Html(unbroken(safe(text)))
