// Makes text from outside safe to show: escapes control characters for terminals and markdown, and HTML for pages.
/** What no reader sees, and terminals obey or hide: control characters, those that turn the direction of writing, half characters. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** The same, and what begins a new line or column. */
const UNSEEN_IN_LINE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** As JSON may write it, so that a document stays what it is. @param {string} sign */
const escaped = sign =>
  Array.from(
    { length: sign.length },
    (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`
  ).join('')

/**
 * escapeInvisible is a text with what cannot be seen in it written out, as `\u001b`. All text that goes to a terminal or into markdown is written so: others
 * may have had a say in it.
 *
 * @param {string} text
 */
export const escapeInvisible = text => text.replace(UNSEEN, escaped)

/** escapeInvisibleInLine is the same for a text that is part of a line, or a cell. @param {string} text */
export const escapeInvisibleInLine = text => text.replace(UNSEEN_IN_LINE, escaped)

const RAW = Symbol('what a visible stream writes to')

/**
 * makeVisibleStream is a stream to which text is written visibly.
 *
 * @template {NodeJS.WritableStream} S
 * @param {S} stream
 * @returns {S}
 */
export function makeVisibleStream(stream) {
  /** @param {any} chunk @param {any[]} rest */
  const write = (chunk, ...rest) =>
    stream.write(typeof chunk === 'string' ? escapeInvisible(chunk) : chunk, ...rest)
  return new Proxy(stream, {
    get(target, name) {
      if (name === RAW) return target
      if (name === 'write') return write
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
}

/** getRawStream is what a stream writes to: for what moves a terminal's cursor itself. @param {any} stream */
export const getRawStream = stream => stream[RAW] ?? stream

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

/** @typedef {string | number | Html | null | undefined} HtmlPart */

/** @param {HtmlPart | HtmlPart[]} part @returns {string} */
function safe(part) {
  if (Array.isArray(part)) return part.map(safe).join('')
  if (part instanceof Html) return String(part)
  return part == null ? '' : String(part).replace(/[&<>"']/g, sign => ENTITIES[sign])
}

/**
 * html makes a piece of a page. What is put into it is text, unless it is a piece itself; null is nothing.
 *
 * @param {TemplateStringsArray} strings
 * @param {...(HtmlPart | HtmlPart[])} parts
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
 * formatPhrase is a sentence in which numbers stay with their units, and options are set as such.
 *
 * @param {string} text
 */
export const formatPhrase = text => new Html(unbroken(safe(text)))
