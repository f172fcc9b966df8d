import { connectNamed } from './connect-named.js'
import { parseEdgeList } from './parse-edge-list.js'
import { parseGraphml } from './parse-graphml.js'
import { parseTopologyJson } from './parse-topology-json.js'
import { TopologyFileError } from './topology-file-error.js'

/**
 * @typedef {import('./edge.js').Edge} Edge
 *
 * @typedef {object} NamedEdge
 * @property {string} dialer
 * @property {string} listener
 * @property {string} place - where it stands in the file, such as `line 17`
 *
 * @typedef {object} NamedNetwork - what a file says
 * @property {{ name: string, place: string }[] | undefined} nodes - undefined: those that have edges
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
 */

/**
 * parseTopologyFile reads a network from the text of a file. Which form it has shows in its first character: `<` begins
 * GraphML, `{` JSON, anything else a list of edges.
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
    if (!(error instanceof TopologyFileError)) throw error
    throw new TopologyFileError(error.message, path, { cause: error })
  }
}

/** @param {string} text */
function parserOf(text) {
  const first = text.trimStart()[0]
  return first === '<' ? parseGraphml : first === '{' || first === '[' ? parseTopologyJson : parseEdgeList
}
