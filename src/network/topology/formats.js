// The formats in which a file can describe a topology: edge lists, GML, GraphML, node-link JSON.

import { DOMParser } from '@xmldom/xmldom'
import { z } from 'zod'
import { parseDecimal } from '../../kit/numbers.js'
import { describeUnknownKey } from '../../kit/option-problems.js'

/**
 * @typedef {import('../topology-file.js').NamedNetwork} NamedNetwork
 * @typedef {import('../topology-file.js').NamedEdge} NamedEdge
 * @typedef {{ content: string, place: string }} Line - without its comment
 * @typedef {{ cells: string[], data: string, place: string }} Row - `data`: in braces, as NetworkX writes it
 */

/** What files of other formats begin with, comments left out. @type {readonly (readonly [name: string, begin: RegExp])[]} */
const FOREIGN_TEXT_FORMATS = [
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
const DIALER_COLUMN = /^(from|source|src|origin|start|tail|dialer|[ui])([_.-]?(node|peer|vertex|id|name))*$/i
const LISTENER_COLUMN =
  /^(to|target|tgt|dst|dest|destination|end|head|listener|[vj])([_.-]?(node|peer|vertex|id|name))*$/i
const NODE_COLUMN = /^(node|peer|vertex|id)[_.-]?(node|peer|vertex|id|name|[ab]|\d)*$/i

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
  return {
    nodes: undefined,
    edges: rows.slice(header === null ? 0 : 1).map(row => parseEdgeRow(row, columns))
  }
}

/** @param {Line} first @param {boolean} isAlone */
function refuseFormat({ content, place }, isAlone) {
  // graph6: one line says how many nodes there are, and with 6 bits in each character which of all pairs are edges
  const nodes = content.charCodeAt(0) - 63
  const isGraph6 =
    isAlone && /^[?-}][?-~]*$/.test(content) && content.length === 1 + Math.ceil((nodes * (nodes - 1)) / 12)
  const [name] = FOREIGN_TEXT_FORMATS.find(([, begin]) => begin.test(content)) ?? (isGraph6 ? ['graph6'] : [])
  if (name !== undefined)
    throw new TopologyFileError(`this is ${name}, which is not read: ${READABLE_FORMATS}`, place)
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
  const isPair = cells.length > 1 && cells.slice(0, 2).every(cell => NODE_COLUMN.test(cell))
  const [from, to] = isPair ? [0, 1] : [placed(DIALER_COLUMN), placed(LISTENER_COLUMN)]
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
const isBare = cell => cell === '' || !Number.isNaN(parseDecimal(cell))

/** @param {readonly Row[]} rows @returns {Columns} of a table without a header */
function columnsOf(rows) {
  const more = rows.filter(({ cells }) => cells.length > 2)
  const areBare = more.length > 0 && more.every(({ cells }) => cells.slice(2).every(isBare))
  const isWeight = areBare && more.length === rows.length && rows.every(({ cells }) => cells.length === 3)
  // each node has one line, with two others
  const nodes = new Set(rows.map(({ cells }) => cells[0]))
  const mayBeAdjacency =
    nodes.size === rows.length &&
    rows.every(({ cells: [node, one, other] }) => nodes.has(other) && node !== other && one !== other)
  if (areBare && (!isWeight || mayBeAdjacency)) throw rowError(more[0], TWO_NAMES)
  return {
    isNamed: false,
    from: 0,
    to: 1,
    names: [undefined, undefined, ...(isWeight ? ['weight'] : COLUMNS)]
  }
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
const rowError = ({ cells, place }, why) =>
  new TopologyFileError(`"${cells.join(' ').slice(0, 60)}" ${why}`, place)

/** @param {Row} row @param {Columns} columns @returns {NamedEdge} */
function parseEdgeRow(row, { isNamed, from, to, names }) {
  const { cells, data, place } = row
  const [dialer = '', listener = ''] = [cells[from], cells[to]]
  if (data !== '' && listener === '')
    throw rowError(
      row,
      `has one name before its data, as in a multiline adjacency list, which is not read: ${READABLE_FORMATS}`
    )
  const isData = cells.length <= names.length && (isNamed || cells.slice(2).every(isValue))
  if (dialer === '' || listener === '' || !isData) throw rowError(row, TWO_NAMES)
  if (/[,;#{}]/.test(dialer + listener))
    throw rowError(row, 'must be two names without , ; # { or }, such as "0 1"; put a space before a comment')
  const values = names.flatMap((name, column) => (name && cells[column] ? [[name, cells[column]]] : []))
  const attributes = { ...Object.fromEntries(values), ...parsePythonLiteral(data) }
  return { dialer, listener, ...(Object.keys(attributes).length > 0 && { data: attributes }), place }
}

/** A name is none. @param {string} cell */
const isValue = cell => /^([\d.+-]|$)/.test(cell)

/**
 * parsePythonLiteral reads data as Python writes it, of texts and numbers: `{'latency': '20 ms', 'weight': 1}`.
 *
 * @param {string} data
 * @returns {import('../topology-file.js').Attributes}
 */
function parsePythonLiteral(data) {
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
      `this is the trivial graph format, which is not read: ${READABLE_FORMATS}`,
      `line ${middle + 1}`
    )
}

/**
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
const gmlError = (message, line) => new TopologyFileError(message, `line ${line}`)

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
function parseScalar({ text, line }) {
  if (text.startsWith('"') && text.length > 1) return unescaped(text.slice(1, -1))
  const number = Number(text)
  if (/^[+-]?[\d.]/.test(text) && Number.isFinite(number)) return number
  // NetworkX writes these without quotes
  if (/^[+-]?(inf|nan)$/i.test(text)) return text
  throw gmlError(`${text.slice(0, 40)} must be a number, a text in quotes, or a list in brackets`, line)
}

/**
 * @param {Iterator<Token>} source
 * @param {number} depth - 0: the file
 * @param {number} startLine - line
 * @returns {GmlList}
 */
function parseGmlList(source, depth, startLine) {
  if (depth > MAX_DEPTH) throw gmlError(`more than ${MAX_DEPTH} lists in one another`, startLine)
  /** @type {GmlEntry[]} */
  const entries = []
  for (;;) {
    const { value: key, done } = source.next()
    if (done && depth > 0) throw gmlError('a list that begins here has no ]', startLine)
    if (done || (key.text === ']' && depth > 0)) return { entries }
    if (!/^[a-z_]\w*$/i.test(key.text))
      throw gmlError(`${key.text.slice(0, 40)} must be a key, of letters, digits and _`, key.line)
    const { value: token, done: ended } = source.next()
    if (ended || token.text === ']') throw gmlError(`${key.text} has no value`, key.line)
    const value = token.text === '[' ? parseGmlList(source, depth + 1, token.line) : parseScalar(token)
    entries.push({ key: key.text, value, line: key.line })
  }
}

/** @param {GmlEntry} entry @returns {GmlEntry[]} */
function entriesOf({ key, value, line }) {
  if (typeof value === 'object') return value.entries
  throw gmlError(`${key} must be a list in brackets`, line)
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
  const graphs = parseGmlList(tokens(text), 0, 1).entries.filter(({ key }) => key.toLowerCase() === 'graph')
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

/** What a file is by the element around it. @type {Readonly<Record<string, string>>} */
const XML_FORMATS = {
  gexf: 'GEXF',
  html: 'HTML',
  svg: 'SVG',
  xgmml: 'XGMML',
  gxl: 'GXL',
  directedgraph: 'DGML'
}

/**
 * parseGraphml reads the nodes and edges of a GraphML file with their data; ports are passed over. The source of an edge dials.
 *
 * @param {string} text
 * @returns {import('../topology-file.js').NamedNetwork}
 * @throws {TopologyFileError} with the line
 */
export function parseGraphml(text) {
  const document = parseXml(text)
  const graphs = elements(document, 'graph')
  const root = String(document.documentElement?.localName)
  if (root !== 'graphml') {
    const name = XML_FORMATS[root.toLowerCase()] ?? `XML with <${root}> around it`
    throw new TopologyFileError(`this is ${name}, which is not read: ${READABLE_FORMATS}`)
  }
  if (graphs.length !== 1) {
    throw new TopologyFileError(`must be a <graphml> with one <graph>, and has ${graphs.length} of them`)
  }
  const [hyperedge] = elements(document, 'hyperedge')
  if (hyperedge !== undefined)
    throw new TopologyFileError('a <hyperedge>: must be an <edge>, of two nodes', placeOf(hyperedge))
  const keys = elements(document, 'key').map(keyOf)
  return {
    directed: graphs[0].getAttribute('edgedefault') !== 'undirected',
    nodes: elements(document, 'node').map(node => ({
      name: attribute(node, 'id'),
      data: dataOf(node, keys),
      place: placeOf(node)
    })),
    edges: elements(document, 'edge').map(edge => ({
      dialer: attribute(edge, 'source'),
      listener: attribute(edge, 'target'),
      data: dataOf(edge, keys),
      place: placeOf(edge)
    }))
  }
}

/** @typedef {{ id: string, of: string | null, name: string, value: string | null }} Key - `value`: where an element has none */

/** @param {Element} key @returns {Key} */
function keyOf(key) {
  const id = attribute(key, 'id')
  const value = elements(key, 'default')[0]?.textContent ?? null
  // yEd has keys without a name
  return { id, of: key.getAttribute('for'), name: key.getAttribute('attr.name') || id, value }
}

/** @param {Element} element - a node or an edge @param {readonly Key[]} keys @returns {import('../topology-file.js').Attributes} */
function dataOf(element, keys) {
  const isOf = (/** @type {Key} */ { of, value }) =>
    value !== null && (of === element.localName || of === 'all')
  const usual = keys.filter(isOf).map(({ name, value }) => [name, value])
  const own = Array.from(/** @type {Iterable<Element>} */ (/** @type {unknown} */ (element.childNodes)))
    .filter(child => child.localName === 'data')
    .map(child => {
      const id = child.getAttribute('key') ?? ''
      return [keys.find(key => key.id === id)?.name ?? id, child.textContent]
    })
  return Object.fromEntries([...usual, ...own])
}

/**
 * @param {string} text
 * @returns {Document}
 */
function parseXml(text) {
  /** @type {string[]} */
  const complaints = []
  const complain = (/** @type {unknown} */ complaint) => void complaints.push(String(complaint))
  // a warning too: an element that is not closed is one
  const errorHandler = { warning: complain, error: complain, fatalError: complain }
  const document = new DOMParser({ locator: {}, errorHandler }).parseFromString(text, 'application/xml')
  if (complaints.length === 0) return document
  // of xmldom: `[xmldom error]<tab>what<line break>@#[line:3,col:1]`
  const [, line] = /line:(\d+)/.exec(complaints[0]) ?? []
  const what = complaints[0].replace(/^\[xmldom \w+\]\s*/, '').split('\n')[0]
  throw new TopologyFileError(`is not XML: ${what}`, line && `line ${line}`)
}

/**
 * @param {Document | Element} document
 * @param {string} name - with any prefix
 * @returns {Element[]}
 */
const elements = (document, name) => Array.from(document.getElementsByTagNameNS('*', name))

/**
 * @param {Element} element
 * @param {string} name
 */
function attribute(element, name) {
  const value = element.getAttribute(name)
  if (value) return value
  throw new TopologyFileError(`a <${element.localName}> without ${name}: must have one`, placeOf(element))
}

/** @param {Element} element - with the line that xmldom adds */
const placeOf = element => `line ${/** @type {Element & { lineNumber: number }} */ (element).lineNumber}`

/** READABLE_FORMATS ends the refusal of any other format. */
const READABLE_FORMATS = 'edge lists, CSV, GML, GraphML and node-link JSON are read'

/**
 * TopologyFileError says what is wrong with a topology file, and where; `code` is INVALID_TOPOLOGY_FILE.
 */
export class TopologyFileError extends Error {
  name = 'TopologyFileError'
  code = 'INVALID_TOPOLOGY_FILE'

  /**
   * @param {string} message - what is wrong, and what is allowed
   * @param {string} [place] - such as `line 17` or `edges[16]`
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, place, options) {
    super(place ? `${place}: ${message}` : message, options)
  }
}

// a whole number that a program rounds is another name
const number = z.number().refine(value => !Number.isInteger(value) || Number.isSafeInteger(value))
const name = z.union([z.string().min(1), number]).transform(String)
const howMany = 'must be the number of nodes, from 1 to 1,000,000, or a list of them'
const howManyNodes = z.int(howMany).min(1, howMany).max(1_000_000, howMany)
const pair = z.tuple([name, name]).transform(([dialer, listener]) => ({ dialer, listener }))
const link = z
  .looseObject({ source: name, target: name })
  // a key tells edges of the same nodes apart
  .transform(({ source, target, key, ...data }) => ({ dialer: source, listener: target, data }))
const edge = z.union([pair, link], { error: 'must be a pair such as [0, 1], or {"source": 0, "target": 1}' })
const edges = z.array(edge, { error: 'must be a list of edges, such as [[0, 1], [1, 2]]' })
const named = name.transform(name => ({ name }))
const node = z.union(
  [named, z.looseObject({ id: name }).transform(({ id, ...data }) => ({ name: id, data }))],
  {
    error: 'must be a name such as "a" or 0, or {"id": "a"}'
  }
)

/** What node-link data of NetworkX says besides; a network is the same without. */
const IGNORED_KEYS = ['multigraph', 'graph']

/** Other formats, by a key of theirs. @type {Readonly<Record<string, string>>} */
const FOREIGN_JSON_FORMATS = {
  adjacency: 'adjacency data of NetworkX',
  elements: 'JSON of Cytoscape',
  children: 'tree data of NetworkX',
  graphs: 'JSON Graph Format'
}

/** A node with one of these says what it is connected to. */
const EDGES_IN = ['edges', 'links', 'adjacency', 'neighbors', 'neighbours', 'peers', 'children']

const network = z.object(
  {
    nodes: z.union([howManyNodes, z.array(node)], { error: howMany }).optional(),
    n: howManyNodes.optional(),
    edges: edges.optional(),
    links: edges.optional(),
    directed: z.boolean({ error: 'must be true or false' }).optional()
  },
  { error: 'must be an object such as {"nodes": 3, "edges": [[0, 1], [1, 2]]}' }
)

/**
 * parseTopologyJson reads `{ nodes, edges }`: the number of nodes, numbered from 0, or a list of their names; and edges as
 * pairs. NetworkX's node-link data is of the same kind: nodes with an `id`, edges or `links` with `source` and `target`. Further
 * attributes of nodes and edges are their data; other keys of the document are refused.
 *
 * @param {string} text
 * @returns {import('../topology-file.js').NamedNetwork}
 * @throws {TopologyFileError} with the line of what is no JSON, else with the place, such as `edges[16]`
 */
export function parseTopologyJson(text) {
  const document = parseJson(text)
  if (isMapping(document)) refuseKeys(document)
  const read = network.safeParse(document, { reportInput: true })
  if (!read.success) throw makeJsonError(read.error.issues[0])
  const { nodes = read.data.n, links, edges = links, directed } = read.data
  if (!edges)
    throw new TopologyFileError('must have "edges", such as {"nodes": 3, "edges": [[0, 1], [1, 2]]}')
  const list = read.data.edges ? 'edges' : 'links'
  return {
    ...(directed !== undefined && { directed }),
    nodes: (typeof nodes === 'number'
      ? Array.from({ length: nodes }, (_, node) => ({ name: String(node) }))
      : nodes
    )?.map((node, index) => ({ ...node, place: `nodes[${index}]` })),
    edges: edges.map((edge, index) => ({ ...edge, place: `${list}[${index}]` }))
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isMapping = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/** @param {Record<string, unknown>} document */
function refuseKeys(document) {
  const { graph, nodes } = document
  const format =
    Object.keys(FOREIGN_JSON_FORMATS).find(key => key in document) ??
    (isMapping(graph) && 'edges' in graph ? 'graphs' : undefined)
  if (format !== undefined) {
    throw new TopologyFileError(
      `this is ${FOREIGN_JSON_FORMATS[format]}, which is not read: ${READABLE_FORMATS}`
    )
  }
  const problem = describeUnknownKey(document, [...Object.keys(network.shape), ...IGNORED_KEYS])
  if (problem !== null) throw new TopologyFileError(problem)
  for (const [one, other] of [
    ['edges', 'links'],
    ['nodes', 'n']
  ])
    if (one in document && other in document)
      throw new TopologyFileError(`has both "${one}" and "${other}": must have one of them`)
  const holder = Array.isArray(nodes)
    ? nodes.findIndex(node => isMapping(node) && EDGES_IN.some(key => key in node))
    : -1
  if (holder !== -1)
    throw new TopologyFileError(
      'has edges of its own: must be in "edges" of the document',
      `nodes[${holder}]`
    )
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = /** @type {SyntaxError} */ (error)
    const [, position] = /at position (\d+)/.exec(message) ?? []
    const line = position && `line ${text.slice(0, Number(position)).split('\n').length}`
    throw new TopologyFileError(`is not JSON: ${message}`, line, { cause: error })
  }
}

/** @param {import('zod').core.$ZodIssue} issue */
function makeJsonError({ path, message, input }) {
  const place = path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`))
    .join('')
  return new TopologyFileError(`${JSON.stringify(input)?.slice(0, 60) ?? ''} ${message}`.trim(), place)
}
