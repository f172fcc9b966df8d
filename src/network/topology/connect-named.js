import { counted } from '../../kit/numbers.js'
import { LinkDataReader } from './link-data.js'
import { TopologyFileError } from './topology-file-error.js'
import { MAX_EDGES } from './topology-problem.js'

/**
 * @typedef {import('./edge.js').Edge} Edge
 * @typedef {import('./parse-topology-file.js').NamedNetwork} NamedNetwork
 * @typedef {import('./parse-topology-file.js').FileTopology} FileTopology
 * @typedef {ReturnType<LinkDataReader['edge']>} Data
 */

/** As many as a list of JSON may say. */
const MAX_NODES = 1_000_000

/**
 * connectNamed numbers the nodes of a file from 0. Names that are whole numbers are taken by size, so that nodes 0 … n − 1
 * keep their numbers; any others in the order in which the file names them.
 *
 * Between two nodes there is one connection. An edge that repeats another one is left out and counted, as is one from a node to itself. What an
 * edge says holds for both directions of its link, unless a directed file has an edge for each.
 *
 * @param {NamedNetwork} network
 * @returns {Omit<FileTopology, 'kind' | 'path'>}
 * @throws {TopologyFileError} an edge to an unknown node, a node given twice, no edge at all, too many of them, data that is not allowed
 */
export function connectNamed(network) {
  if (network.edges.length > MAX_EDGES)
    throw new TopologyFileError(
      `has ${counted(network.edges.length, 'edge')}: must have at most ${counted(MAX_EDGES, 'edge')}`
    )
  const names = inOrder(network.nodes ? listed(network.nodes) : namedByEdges(network))
  if (names.length > MAX_NODES)
    throw new TopologyFileError(
      `has ${counted(names.length, 'node')}: must have at most ${counted(MAX_NODES, 'node')}`
    )
  const reader = new LinkDataReader()
  const numbers = new Map(names.map((name, number) => [name, number]))
  const { edges, ways, loops, repeats } = connected(network, numbers, reader)
  if (edges.length === 0)
    throw new TopologyFileError('has no edges between different nodes: must have one at least')
  const links = edges.flatMap(([from, to]) => {
    const there = ways.get(from * names.length + to)
    const back = ways.get(to * names.length + from) ?? there
    return [...linkOf(from, to, there), ...linkOf(to, from, back)]
  })
  const hosts = hostsOf(network, numbers, reader)
  const unused = [
    ...reader.unused,
    ...(loops > 0 ? [counted(loops, 'edge from a node to itself', 'edges from a node to itself')] : []),
    ...(repeats > 0 ? [counted(repeats, 'repeated edge')] : [])
  ]
  return {
    ...{ nodes: names.length, edges, names },
    repeated: network.edges.length - edges.length - loops,
    ...(links.length > 0 && { links }),
    ...(hosts.some(host => Object.keys(host).length > 0) && { hosts }),
    ...(unused.length > 0 && { unused })
  }
}

/**
 * @param {NamedNetwork} network
 * @param {Map<string, number>} numbers - by name
 * @param {LinkDataReader} reader
 */
function connected({ edges: all, directed }, numbers, reader) {
  /** What is said of each direction, by its nodes. @type {Map<number, Data>} */
  const ways = new Map()
  /** @type {Edge[]} */
  const edges = []
  let [loops, repeats] = [0, 0]
  for (const { dialer, listener, data, place } of all) {
    const [from, to] = [dialer, listener].map(name => numberOf(numbers, name, place))
    const [way, back] = [from * numbers.size + to, to * numbers.size + from]
    if (from === to) loops += 1
    else if (ways.has(way) || (directed === false && ways.has(back))) repeats += 1
    else {
      if (!ways.has(back)) edges.push([from, to])
      ways.set(way, reader.edge(data, place))
    }
  }
  return { edges, ways, loops, repeats }
}

/** @param {number} from @param {number} to @param {Data} [data] */
const linkOf = (from, to, data = {}) => (Object.keys(data).length === 0 ? [] : [{ from, to, ...data }])

/** @param {NamedNetwork} network @param {Map<string, number>} numbers @param {LinkDataReader} reader */
function hostsOf({ nodes = [] }, numbers, reader) {
  const hosts = Array.from({ length: numbers.size }, () => ({}))
  for (const { name, data, place } of nodes) hosts[numberOf(numbers, name, place)] = reader.node(data, place)
  return hosts
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
