import { connectNamed } from './connect-named.js'
import { parseEdgeList } from './parse-edge-list.js'
import { isGml, parseGml } from './parse-gml.js'
import { parseGraphml } from './parse-graphml.js'
import { parseTopologyJson } from './parse-topology-json.js'
import { TopologyFileError } from './topology-file-error.js'

export { TopologyFileError }

/**
 * @typedef {import('./edge.js').Edge} Edge
 * @typedef {import('./link-data.js').Attributes} Attributes
 *
 * @typedef {object} NamedEdge
 * @property {string} dialer
 * @property {string} listener
 * @property {Attributes} [data]
 * @property {string} place - where it is in the file, such as `line 17`
 *
 * @typedef {object} NamedNetwork - what a file says
 * @property {boolean} [directed] - false: an edge and the same one the other way round are one; undefined: the file does not say
 * @property {{ name: string, data?: Attributes, place: string }[] | undefined} nodes - undefined: those that have edges
 * @property {NamedEdge[]} edges
 *
 * @typedef {object} FileTopology
 * @property {'file'} kind
 * @property {string} path
 * @property {number} nodes
 * @property {Edge[]} edges - the node named first dials
 * @property {string[]} names - of the nodes, in the file
 * @property {number} repeated - edges that were left out, as their nodes were connected already, in the one direction or the
 *   other
 * @property {import('../links/link-properties.js').LinkData[]} [links] - each direction of a link of which the file says something
 * @property {import('../links/link-properties.js').HostData[]} [hosts] - by node; absent: the file says nothing of any
 * @property {string[]} [unused] - what the file holds and is not used, such as `weight of 12 edges`
 */

/**
 * parseTopologyFile reads a network from the text of a file. Which form it has shows at its beginning: `<` begins
 * GraphML, `{` JSON, `graph [` GML, anything else is a table of edges.
 *
 * @param {string} text
 * @param {string} path - for messages
 * @returns {FileTopology}
 * @throws {TopologyFileError} with file, place, and what is allowed
 */
export function parseTopologyFile(text, path) {
  try {
    const network = parserOf(text)(text)
    return { kind: 'file', path, ...connectNamed(network) }
  } catch (error) {
    if (error instanceof TopologyFileError) throw new TopologyFileError(error.message, path, { cause: error })
    if (!(error instanceof RangeError)) throw error
    // the stack is used up
    throw new TopologyFileError('has too many parts in one another', path, { cause: error })
  }
}

/** @param {string} text */
function parserOf(text) {
  const first = text.trimStart()[0]
  if (first === '<') return parseGraphml
  if (first === '{' || first === '[') return parseTopologyJson
  return isGml(text) ? parseGml : parseEdgeList
}
