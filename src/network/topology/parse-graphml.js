import { DOMParser } from '@xmldom/xmldom'
import { READ, TopologyFileError } from './topology-file-error.js'

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
 * @returns {import('./parse-topology-file.js').NamedNetwork}
 * @throws {TopologyFileError} with the line
 */
export function parseGraphml(text) {
  const document = parseXml(text)
  const graphs = elements(document, 'graph')
  const root = String(document.documentElement?.localName)
  if (root !== 'graphml') {
    const name = XML_FORMATS[root.toLowerCase()] ?? `XML with <${root}> around it`
    throw new TopologyFileError(`this is ${name}, which is not read: ${READ}`)
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

/** @param {Element} element - a node or an edge @param {readonly Key[]} keys @returns {import('./link-data.js').Attributes} */
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
  if (complaints.length > 0) throw refusal(complaints[0])
  return document
}

/** @param {string} complaint - of xmldom: `[xmldom error]<tab>what<line break>@#[line:3,col:1]` */
function refusal(complaint) {
  const [, line] = /line:(\d+)/.exec(complaint) ?? []
  const what = complaint.replace(/^\[xmldom \w+\]\s*/, '').split('\n')[0]
  return new TopologyFileError(`is not XML: ${what}`, line && `line ${line}`)
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
