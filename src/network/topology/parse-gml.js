import { TopologyFileError } from './topology-file-error.js'

/**
 * @typedef {import('./parse-topology-file.js').NamedNetwork} NamedNetwork
 * @typedef {{ text: string, line: number }} Token
 * @typedef {string | number | GmlList} GmlValue
 * @typedef {{ key: string, value: GmlValue, line: number }} GmlEntry
 * @typedef {{ entries: GmlEntry[] }} GmlList - keys can be there several times
 */

/** Lists in lists: a graph needs two, and what describes how it is drawn a few more. */
const MAX_DEPTH = 32

/** A comment, a string (which may have several lines), a bracket, or a word. */
const TOKEN = /#[^\n]*|"[^"]*"|[[\]]|[^\s[\]"#]+|"/g

/** isGml says whether a text begins as GML does. @param {string} text */
export const isGml = text =>
  /^(\s|#[^\n]*\n)*(graph\s*\[|(creator|version|comment|label)\s+("|\d))/i.test(text)

/** @param {string} message @param {number} line */
const refusal = (message, line) => new TopologyFileError(message, `line ${line}`)

/** @param {string} text @returns {Generator<Token>} */
function* tokens(text) {
  let [line, counted] = [1, 0]
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < index; at = text.indexOf('\n', counted)) {
      line += 1
      counted = at + 1
    }
    if (!token.startsWith('#')) yield { text: token, line }
  }
}

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" }

/** @param {string} text - between quotes */
const unescaped = text =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

/** @param {Token} token @returns {string | number} */
function scalar({ text, line }) {
  if (text.startsWith('"') && text.length > 1) return unescaped(text.slice(1, -1))
  const number = Number(text)
  if (/^[+-]?[\d.]/.test(text) && Number.isFinite(number)) return number
  // NetworkX writes these without quotes
  if (/^[+-]?(inf|nan)$/i.test(text)) return text
  throw refusal(`${text.slice(0, 40)} must be a number, a text in quotes, or a list in brackets`, line)
}

/**
 * @param {Iterator<Token>} source
 * @param {number} depth - 0: the file
 * @param {number} begun - line
 * @returns {GmlList}
 */
function listOf(source, depth, begun) {
  if (depth > MAX_DEPTH) throw refusal(`more than ${MAX_DEPTH} lists in one another`, begun)
  /** @type {GmlEntry[]} */
  const entries = []
  for (;;) {
    const { value: key, done } = source.next()
    if (done && depth > 0) throw refusal('a list that begins here has no ]', begun)
    if (done || (key.text === ']' && depth > 0)) return { entries }
    if (!/^[a-z_]\w*$/i.test(key.text))
      throw refusal(`${key.text.slice(0, 40)} must be a key, of letters, digits and _`, key.line)
    const { value: token, done: ended } = source.next()
    if (ended || token.text === ']') throw refusal(`${key.text} has no value`, key.line)
    const value = token.text === '[' ? listOf(source, depth + 1, token.line) : scalar(token)
    entries.push({ key: key.text, value, line: key.line })
  }
}

/** @param {GmlEntry} entry @returns {GmlEntry[]} */
function entriesOf({ key, value, line }) {
  if (typeof value === 'object') return value.entries
  throw refusal(`${key} must be a list in brackets`, line)
}

/** @param {GmlEntry} entry */
function elementOf(entry) {
  const { id, source, target, label, key, ...data } = Object.fromEntries(
    entriesOf(entry).map(({ key, value }) => [key, value])
  )
  return { id, source, target, data, place: `line ${entry.line}` }
}

/** @param {GmlValue | undefined} value @param {string} what @param {string} place */
function nameOf(value, what, place) {
  if (value !== undefined && typeof value !== 'object' && value !== '') return String(value)
  throw new TopologyFileError(`${what} must have one: a number or a text`, place)
}

/**
 * parseGml reads GML, as NetworkX writes it and Shadow reads it: nodes are known by their ids.
 *
 * @param {string} text
 * @returns {NamedNetwork}
 * @throws {TopologyFileError} with the line
 */
export function parseGml(text) {
  const graphs = listOf(tokens(text), 0, 1).entries.filter(({ key }) => key.toLowerCase() === 'graph')
  if (graphs.length !== 1)
    throw new TopologyFileError(`must have one graph [ … ], and has ${graphs.length} of them`)
  const entries = entriesOf(graphs[0])
  const elements = (/** @type {string} */ name) => entries.filter(({ key }) => key === name).map(elementOf)
  return {
    directed: entries.some(({ key, value }) => key === 'directed' && value === 1),
    nodes: elements('node').map(({ id, data, place }) => ({
      name: nameOf(id, 'the id of a node', place),
      ...{ data, place }
    })),
    edges: elements('edge').map(({ source, target, data, place }) => ({
      dialer: nameOf(source, 'the source of an edge', place),
      listener: nameOf(target, 'the target of an edge', place),
      ...{ data, place }
    }))
  }
}
