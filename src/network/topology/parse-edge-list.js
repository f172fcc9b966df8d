import { decimal } from '../../kit/numbers.js'
import { READ, TopologyFileError } from './topology-file-error.js'

/**
 * @typedef {import('./parse-topology-file.js').NamedNetwork} NamedNetwork
 * @typedef {import('./parse-topology-file.js').NamedEdge} NamedEdge
 * @typedef {{ content: string, place: string }} Line - without its comment
 * @typedef {{ cells: string[], data: string, place: string }} Row - `data`: in braces, as NetworkX writes it
 */

/** What files of other formats begin with, comments left out. @type {readonly (readonly [name: string, begin: RegExp])[]} */
const FORMATS = [
  ['graph6', /^>>graph6<</],
  ['sparse6', /^(>>sparse6<<)?:[?-~]+$/],
  ['digraph6', /^(>>digraph6<<)?&[?-~]+$/],
  ['a LEDA file', /^LEDA\.GRAPH\b/],
  ['a Pajek file', /^\*(vertices|network|edges|arcs|edgeslist|arcslist|matrix)\b/i],
  ['DOT', /^(strict\s+)?(di)?graph\b[^{]*\{([^}]*$|.*(--|->))|^\/[/*]/i],
  ['a Matrix Market file', /^%%MatrixMarket\b/i],
  ['a KONECT file', /^%/],
  ['GDF', /^nodedef\s*>/i],
  ['UCINET DL', /^dl\s+n\s*=/i],
  ['DIMACS', /^p\s+\w+\s+\d+\s+\d+$/],
  ['YAML', /^(---|- |[\w"']+:(\s|$))/]
]

/** What the column of the dialer is called, and that of the listener; or both, in this order. */
const FROM = /^(from|source|src|origin|start|tail|dialer|[ui])([_.-]?(node|peer|vertex|id|name))*$/i
const TO = /^(to|target|tgt|dst|dest|destination|end|head|listener|[vj])([_.-]?(node|peer|vertex|id|name))*$/i
const EITHER = /^(node|peer|vertex|id)[_.-]?(node|peer|vertex|id|name|[ab]|\d)*$/i

/** Of a table without a header, after dialer and listener. */
const COLUMNS = ['latency', 'bandwidth', 'loss']

/**
 * parseEdgeList reads a table of edges: dialer, listener, and what is said of their link, with commas, semicolons, tabs or spaces between them.
 * `#` begins a comment. A header names the columns; without one a third column of bare numbers is a weight. NetworkX writes data in braces.
 * Text of another format is refused by its name, as far as it is known.
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
  if (lines.length === 0) return { nodes: undefined, edges: [] }
  refuseFormat(lines[0], lines.length === 1)
  refuseTrivial(all.map(({ line }) => line.trim()))
  const rows = rowsOf(lines)
  refuseLatencies(rows)
  const header = headerOf(rows)
  const columns = header ?? columnsOf(rows)
  return { nodes: undefined, edges: rows.slice(header === null ? 0 : 1).map(row => edgeIn(row, columns)) }
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

/** @param {readonly Line[]} lines @returns {Row[]} */
function rowsOf(lines) {
  const parts = lines.map(({ content, place }) => {
    const [, names, data] = /^([^{]*[^{\s,;])[\s,;]+(\{.*\})$/.exec(content) ?? [content, content, '']
    return { names, data, place }
  })
  const separator = [',', ';', '\t'].find(each => parts.every(({ names }) => names.includes(each)))
  return parts.map(({ names, data, place }) => ({
    cells: separator === undefined ? names.split(/\s+/) : cellsOf(names, separator),
    ...{ data, place }
  }))
}

/** A cell in quotes may have the separator in it, and quotes as two of them. @param {string} line @param {string} separator */
function cellsOf(line, separator) {
  const cell = new RegExp(` *(?:"((?:[^"]|"")*)" *|([^${separator}]*))(?:${separator}|$)`, 'gy')
  const cells = []
  // an empty match at the end is a cell only after a separator
  for (let match = cell.exec(`${line}${separator}`); match?.[0]; match = cell.exec(`${line}${separator}`))
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2]).trim())
  return cells
}

/** @typedef {{ isNamed: boolean, from: number, to: number, names: readonly (string | undefined)[] }} Columns - places, and what data is called; isNamed: by a header */

/**
 * A first line is a header if it says what columns are called; one that might be a header, as no other line has a name of it and all other names
 * are numbers, is refused.
 *
 * @param {readonly Row[]} rows
 * @returns {Columns | null} null: it is an edge
 */
function headerOf([{ cells, place }, ...rest]) {
  const [others, isNumber] = [new Set(rest.flatMap(row => row.cells.slice(0, 2))), /^\d+$/]
  const placed = (/** @type {RegExp} */ name) => cells.findIndex(cell => name.test(cell))
  const isPair = cells.length > 1 && cells.slice(0, 2).every(cell => EITHER.test(cell))
  const [from, to] = isPair ? [0, 1] : [placed(FROM), placed(TO)]
  if (from >= 0 && to >= 0 && !others.has(cells[from]) && !others.has(cells[to])) {
    const names = cells.map((name, column) => (column === from || column === to ? undefined : name))
    return { isNamed: true, from, to, names }
  }
  const ends = cells.slice(0, 2)
  if (
    others.size > 0 &&
    !ends.some(name => isNumber.test(name)) &&
    [...others].every(name => isNumber.test(name))
  )
    throw new TopologyFileError(
      `"${ends.join(' ')}" looks like a header: its columns must be called source and target, or begin it with #`,
      place
    )
  return null
}

/** Whether a cell has no unit. @param {string} cell */
const isBare = cell => cell === '' || !Number.isNaN(decimal(cell))

/** @param {readonly Row[]} rows @returns {Columns} of a table without a header */
function columnsOf(rows) {
  const more = rows.filter(({ cells }) => cells.length > 2)
  const areBare = more.length > 0 && more.every(({ cells }) => cells.slice(2).every(isBare))
  const isWeight = areBare && more.length === rows.length && rows.every(({ cells }) => cells.length === 3)
  if (areBare && (!isWeight || mayBeAdjacency(rows))) throw refusal(more[0], TWO_NAMES)
  return {
    isNamed: false,
    from: 0,
    to: 1,
    names: [undefined, undefined, ...(isWeight ? ['weight'] : COLUMNS)]
  }
}

/** Each node has one line, with two others. @param {readonly Row[]} rows */
function mayBeAdjacency(rows) {
  const nodes = new Set(rows.map(({ cells }) => cells[0]))
  return (
    nodes.size === rows.length &&
    rows.every(({ cells: [node, one, other] }) => nodes.has(other) && node !== other && one !== other)
  )
}

/** Latencies between zones or nodes: as many rows as columns, with the names of both or without. @param {readonly Row[]} rows */
function refuseLatencies(rows) {
  const size = rows.length
  if (size < 3 || rows.some(({ cells }) => cells.length !== size)) return
  const table = rows.map(({ cells }) => cells)
  const [[, ...header], ...named] = table
  const isNamed = named.every(
    ([name, ...cells], row) => name === header[row] && !isBare(name) && cells.every(isBare)
  )
  // three edges with a weight have as many rows as columns, too
  const isPlain = table.every((cells, row) =>
    cells.every(
      (cell, column) =>
        isBare(cell) && (size > 3 || [cell, table[column][row]].includes('') || cell === table[column][row])
    )
  )
  if (isNamed || isPlain)
    throw new TopologyFileError(
      'this is a table of latencies between zones or nodes, not of edges: --linkLatency file:<path> reads it'
    )
}

const TWO_NAMES =
  'must be two names, such as "0 1"; adjacency lists are not read, and further columns need a header, such as source,target,latency, or units, such as 20ms'

/** @param {Row} row @param {string} why */
const refusal = ({ cells, place }, why) =>
  new TopologyFileError(`"${cells.join(' ').slice(0, 60)}" ${why}`, place)

/** @param {Row} row @param {Columns} columns @returns {NamedEdge} */
function edgeIn(row, { isNamed, from, to, names }) {
  const { cells, data, place } = row
  const [dialer = '', listener = ''] = [cells[from], cells[to]]
  if (data !== '' && listener === '')
    throw refusal(
      row,
      `has one name before its data, as in a multiline adjacency list, which is not read: ${READ}`
    )
  const isData = cells.length <= names.length && (isNamed || cells.slice(2).every(isValue))
  if (dialer === '' || listener === '' || !isData) throw refusal(row, TWO_NAMES)
  if (/[,;#{}]/.test(dialer + listener))
    throw refusal(
      row,
      'must be two names without , ; # { or }, such as "0 1"; a space stands before a comment'
    )
  const said = names.flatMap((name, column) => (name && cells[column] ? [[name, cells[column]]] : []))
  const attributes = { ...Object.fromEntries(said), ...literal(data) }
  return { dialer, listener, ...(Object.keys(attributes).length > 0 && { data: attributes }), place }
}

/** A name is none. @param {string} cell */
const isValue = cell => /^([\d.+-]|$)/.test(cell)

/**
 * literal reads data as Python writes it, of texts and numbers: `{'latency': '20 ms', 'weight': 1}`.
 *
 * @param {string} data
 * @returns {import('./link-data.js').Attributes}
 */
function literal(data) {
  const pairs = data.slice(1, -1)
  const pair = /(?:'([^']*)'|"([^"]*)"): (?:'([^']*)'|"([^"]*)"|([^\s,'"{[(]+))(?:, |$)/gy
  /** @type {Record<string, string>} */
  const read = {}
  let end = 0
  for (let match = pair.exec(pairs); match !== null; match = pair.exec(pairs)) {
    const [, single, double, ...values] = match
    read[single ?? double] = values.find(value => value !== undefined) ?? ''
    end = pair.lastIndex
  }
  return end === pairs.length ? read : { 'data in braces': data }
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
