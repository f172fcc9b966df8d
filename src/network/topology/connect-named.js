import { edgeSet } from './make-topology.js'
import { TopologyFileError } from './topology-file-error.js'

/**
 * @typedef {import('./edge.js').Edge} Edge
 * @typedef {import('./parse-topology-file.js').NamedNetwork} NamedNetwork
 */

/**
 * connectNamed numbers the nodes of a file from 0. Names that are whole numbers are taken by size, so that nodes 0 … n − 1
 * keep their numbers; any others in the order in which the file names them.
 *
 * An edge that repeats another one, in either direction, is left out and counted: files of directed graphs hold both.
 *
 * @param {NamedNetwork} network
 * @returns {{ nodes: number, edges: Edge[], names: string[], repeated: number }}
 * @throws {TopologyFileError} an edge to itself or to an unknown node, a node given twice, no edge at all
 */
export function connectNamed(network) {
  const names = inOrder(network.nodes ? listed(network.nodes) : namedByEdges(network))
  const numbers = new Map(names.map((name, number) => [name, number]))
  const known = edgeSet()
  /** @type {Edge[]} */
  const edges = []
  for (const { dialer, listener, place } of network.edges) {
    if (dialer === listener) {
      throw new TopologyFileError(`an edge from ${dialer} to itself: must connect two different nodes`, place)
    }
    const [from, to] = [dialer, listener].map(name => numberOf(numbers, name, place))
    if (known.has(from, to)) continue
    known.add(from, to)
    edges.push([from, to])
  }
  if (edges.length === 0) throw new TopologyFileError('has no edges: must have one at least')
  return { nodes: names.length, edges, names, repeated: network.edges.length - edges.length }
}

/** @param {{ name: string, place: string }[]} nodes */
function listed(nodes) {
  const names = new Set()
  for (const { name, place } of nodes) {
    if (names.has(name)) throw new TopologyFileError(`node ${name} is given again: must be given once`, place)
    names.add(name)
  }
  return [...names]
}

/** @param {NamedNetwork} network */
const namedByEdges = ({ edges }) => [...new Set(edges.flatMap(({ dialer, listener }) => [dialer, listener]))]

/** @param {string[]} names */
const inOrder = names =>
  names.every(name => /^(0|[1-9]\d{0,14})$/.test(name))
    ? names.toSorted((a, b) => Number(a) - Number(b))
    : names

/**
 * @param {Map<string, number>} numbers
 * @param {string} name
 * @param {string} place
 */
function numberOf(numbers, name, place) {
  const number = numbers.get(name)
  if (number !== undefined) return number
  throw new TopologyFileError(
    `an edge of node ${name}, which is not among the ${numbers.size} nodes of the file: must be one of ${some([...numbers.keys()])}`,
    place
  )
}

/** @param {string[]} names */
const some = names =>
  names.length > 5 ? `${names.slice(0, 3).join(', ')}, … ${names.at(-1)}` : names.join(', ')
