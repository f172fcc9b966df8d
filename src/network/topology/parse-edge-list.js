import { TopologyFileError } from './topology-file-error.js'

/**
 * @typedef {import('./parse-topology-file.js').NamedNetwork} NamedNetwork
 * @typedef {{ content: string, place: string }} Line - without its comment
 */

/** What files of other formats begin with, comments left out. @type {readonly (readonly [name: string, begin: RegExp])[]} */
const FORMATS = [
  ['graph6', /^>>graph6<</],
  ['sparse6', /^(>>sparse6<<)?:[?-~]+$/],
  ['digraph6', /^(>>digraph6<<)?&[?-~]+$/],
  ['a LEDA file', /^LEDA\.GRAPH\b/],
  ['a Pajek file', /^\*(vertices|network|edges|arcs|edgeslist|arcslist|matrix)\b/i],
  ['GML', /^(graph\s*\[|graph$|(creator|version|comment)\s+("|\d))/i],
  ['DOT', /^(strict\s+)?(di)?graph\b[^{]*\{([^}]*$|.*(--|->))|^\/[/*]/i],
  ['a Matrix Market file', /^%%MatrixMarket\b/i],
  ['a KONECT file', /^%/],
  ['GDF', /^nodedef\s*>/i],
  ['UCINET DL', /^dl\s+n\s*=/i],
  ['DIMACS', /^p\s+\w+\s+\d+\s+\d+$/],
  ['YAML', /^(---|- |[\w"']+:(\s|$))/],
  ['CSV', /^[^{]*[,;]/]
]

const READ = 'an edge list, JSON or GraphML is read'

/** A header: what the columns of an edge list are called. */
const COLUMN =
  /^(from|to|source|target|src|tgt|dst|dest|destination|origin|start|end|head|tail|dialer|listener|[uvij])$|^(from|to|source|target|src|dst|node|peer|vertex|id)[_.-]?(node|peer|vertex|id|name|[ab]|\d)*$/i

/** Two names; NetworkX writes the data of an edge after them, be there any or not. */
const EDGE = /^(\S+)\s+(\S+)(?:\s+\{.*\})?$/

/**
 * parseEdgeList reads lines of two names, such as `a b`; `#` begins a comment, and data in braces is passed over. Text of another format
 * is refused by its name, as far as it is known.
 *
 * @param {string} text
 * @returns {NamedNetwork}
 * @throws {TopologyFileError} with the line
 */
export function parseEdgeList(text) {
  const all = text.split(/\r\n|\r|\n/).map((line, index) => ({ line, place: `line ${index + 1}` }))
  const lines = all.flatMap(({ line, place }) => {
    const content = line.replace(/(^|\s)#.*/, '').trim()
    return content === '' ? [] : [{ content, place }]
  })
  if (lines.length > 0) refuseFormat(lines[0], lines.length === 1)
  const edges = lines.map(edgeIn)
  if (isHeader(edges)) {
    const { dialer, listener, place } = edges[0]
    throw new TopologyFileError(
      `"${dialer} ${listener}" looks like a header: leave it out, or begin it with #`,
      place
    )
  }
  refuseTrivial(all.map(({ line }) => line.trim()))
  return { nodes: undefined, edges }
}

/** @param {Line} first @param {boolean} isAlone */
function refuseFormat({ content, place }, isAlone) {
  const [name] =
    FORMATS.find(([, begin]) => begin.test(content)) ?? (isAlone && isGraph6(content) ? ['graph6'] : [])
  if (name !== undefined) throw new TopologyFileError(`this is ${name}, which is not read: ${READ}`, place)
}

/** One line says how many nodes there are, and with 6 bits in each character which of all pairs are edges. @param {string} line */
function isGraph6(line) {
  if (!/^[?-}][?-~]*$/.test(line)) return false
  const nodes = line.charCodeAt(0) - 63
  return line.length === 1 + Math.ceil((nodes * (nodes - 1)) / 12)
}

/** @param {Line} line */
function edgeIn({ content, place }) {
  const refuse = (/** @type {string} */ why) =>
    new TopologyFileError(`"${content.slice(0, 60)}" ${why}`, place)
  if (/^\S+\s+\{/.test(content)) {
    throw refuse(`has one name before its data, as in a multiline adjacency list, which is not read: ${READ}`)
  }
  const [, dialer, listener] = EDGE.exec(content) ?? []
  if (listener === undefined) {
    const more = /^\S+\s+\S+\s+\S/.test(content) ? '; weights and adjacency lists are not read' : ''
    throw refuse(`must be two names, such as "0 1": dialer and listener${more}`)
  }
  if (/[,;#{}]/.test(dialer + listener)) {
    throw refuse('must be two names without , ; # { or }, such as "0 1"; a space stands before a comment')
  }
  return { dialer, listener, place }
}

/**
 * A first line whose names no other line has is a header if they are what columns are called, or if all other names are numbers.
 *
 * @param {NamedNetwork['edges']} edges
 */
function isHeader([first, ...rest]) {
  if (first === undefined) return false
  const names = [first.dialer, first.listener]
  const others = new Set(rest.flatMap(({ dialer, listener }) => [dialer, listener]))
  if (names.some(name => others.has(name))) return false
  if (names.every(name => COLUMN.test(name))) return true
  const isNumber = (/** @type {string} */ name) => /^\d+$/.test(name)
  return others.size > 0 && !names.some(isNumber) && [...others].every(isNumber)
}

/**
 * The trivial graph format has nodes with their labels, a line with # alone, and edges of these nodes.
 *
 * @param {string[]} lines
 */
function refuseTrivial(lines) {
  const middle = lines.indexOf('#')
  const [nodes, edges] = [lines.slice(0, middle), lines.slice(middle + 1)].map(part =>
    part.filter(line => line !== '' && !line.startsWith('#')).map(line => line.split(/\s+/))
  )
  if (middle < 1 || nodes.length === 0 || edges.length === 0) return
  const ids = new Set(nodes.map(([id]) => id))
  if (ids.size === nodes.length && edges.every(([from, to]) => ids.has(from) && ids.has(to)))
    throw new TopologyFileError(
      `this is the trivial graph format, which is not read: ${READ}`,
      `line ${middle + 1}`
    )
}
