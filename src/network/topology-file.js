// Reads the topology of a network, from a file or from the text of `--topology`, with the data of its links and nodes.

import { convertToOwnUnit, formatCount, parseBandwidth, parseDecimal, UNITS } from '../kit/numbers.js'
import {
  isGml,
  parseEdgeList,
  parseGml,
  parseGraphml,
  parseTopologyJson,
  TopologyFileError
} from './topology/formats.js'
import { MAX_EDGES } from './topology.js'

/**
 * @typedef {import('./topology.js').Edge} Edge
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
 * @property {import('./link-properties.js').LinkData[]} [links] - each direction of a link of which the file says something
 * @property {import('./link-properties.js').HostData[]} [hosts] - by node; absent: the file says nothing of any
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
    const first = text.trimStart()[0]
    let parse = isGml(text) ? parseGml : parseEdgeList
    if (first === '<') parse = parseGraphml
    if (first === '{' || first === '[') parse = parseTopologyJson
    return { kind: 'file', path, ...connectNamed(parse(text)) }
  } catch (error) {
    if (error instanceof TopologyFileError) throw new TopologyFileError(error.message, path, { cause: error })
    if (!(error instanceof RangeError)) throw error
    // the stack is used up
    throw new TopologyFileError('has too many parts in one another', path, { cause: error })
  }
}

/**
 * @typedef {number | string} Seed - any whole number, as NetworkX takes them: those that JSON has no number for in digits
 * @typedef {{ seed?: Seed | null }} SeededSpec - null: that of the plan; absent in plans from before there was one
 *
 * @typedef {SeededSpec & { kind: 'barabasi-albert', m: number, networkx: '2.4' | '3' }} BarabasiAlbertSpec
 * @typedef {SeededSpec & { kind: 'erdos-renyi', p: number }} ErdosRenyiSpec
 * @typedef {SeededSpec & { kind: 'random-geometric', radius: number }} RandomGeometricSpec
 * @typedef {SeededSpec & { kind: 'powerlaw-cluster', m: number, p: number }} PowerlawClusterSpec
 * @typedef {SeededSpec & { kind: 'random-degree' | 'regular', k: number }} DegreeSpec
 * @typedef {SeededSpec & { kind: 'small-world', k: number, p: number }} SmallWorldSpec
 * @typedef {{ kind: 'full' | 'ring' | 'line' | 'star' }} PlainSpec
 * @typedef {{ kind: 'file', path: string }} TopologyFileRef - the file is still to be read, see parse-topology-file.js
 * @typedef {{ kind: 'rendezvous', k: number }} RendezvousSpec - nodes find one another, and each dials k of those it found for a
 *   topic; there are no edges beforehand
 * @typedef {BarabasiAlbertSpec | ErdosRenyiSpec | RandomGeometricSpec | PowerlawClusterSpec | DegreeSpec | SmallWorldSpec | PlainSpec | TopologyFileRef | RendezvousSpec} TopologyText - what
 *   `--topology` can say
 *
 * @typedef {object} Parameter
 * @property {unknown} default
 * @property {string} allowed
 * @property {(text: string) => unknown} read - undefined: not allowed
 */

/** @param {number} min @param {number} max */
const wholeNumber = (min, max) => (/** @type {string} */ text) =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined

/** @param {number} byDefault @returns {Parameter} */
const peers = byDefault => ({
  default: byDefault,
  allowed: 'a whole number from 1 to 100,000',
  read: wholeNumber(1, 100_000)
})

/** @type {Parameter} */
const seed = {
  default: null,
  allowed: 'a whole number',
  read: text => {
    if (!/^-?\d+$/.test(text)) return undefined
    return Number.isSafeInteger(Number(text)) ? Number(text) : String(BigInt(text))
  }
}

/** @type {Parameter} */
const networkx = {
  default: '3',
  allowed: '2.4 or 3',
  read: text => (text === '2.4' || text === '3' ? text : undefined)
}

/** @param {number} byDefault @returns {Parameter} */
const upToOne = byDefault => ({
  default: byDefault,
  allowed: 'a number from 0 to 1',
  read: text => (/^\d*\.?\d+$/.test(text) && Number(text) <= 1 ? Number(text) : undefined)
})

/** The kinds that are written by name, with their parameters. @type {Record<string, Record<string, Parameter>>} */
const KINDS = {
  'barabasi-albert': { m: peers(6), seed, networkx },
  'erdos-renyi': { p: upToOne(0.1), seed },
  'random-geometric': { radius: upToOne(0.2), seed },
  'powerlaw-cluster': { m: peers(6), p: upToOne(0.1), seed },
  full: {},
  'random-degree': { k: peers(10), seed },
  regular: { k: peers(6), seed },
  ring: {},
  line: {},
  star: {},
  'small-world': { k: peers(6), p: upToOne(0.1), seed },
  rendezvous: { k: peers(6) }
}

const ALLOWED_KINDS = `must be ${Object.keys(KINDS).join(', ')} or file:<path>, such as barabasi-albert:m=6,seed=42`

/**
 * parseTopology reads what `--topology` says: a kind, and after a colon what is to differ from its defaults.
 *
 * @param {string} text - such as `full`, `barabasi-albert:m=6,seed=42,networkx=2.4` or `file:mesh.graphml`
 * @returns {TopologyText | { allowed: string }} or what is allowed instead: the end of a sentence that begins with the value
 */
export function parseTopology(text) {
  const [, kind, settings = ''] = /^\s*([^:\s]*)\s*(?::\s*(.*?))?\s*$/s.exec(text) ?? []
  if (kind === 'file') {
    return settings
      ? { kind, path: settings }
      : { allowed: 'must name a file after the colon, such as file:mesh.txt' }
  }
  if (!Object.hasOwn(KINDS, kind)) return { allowed: ALLOWED_KINDS }
  const parameters = KINDS[kind]
  const read = readParameters(kind, parameters, settings)
  if ('allowed' in read) return read
  const defaults = Object.fromEntries(
    Object.entries(parameters).map(([name, { default: value }]) => [name, value])
  )
  return /** @type {TopologyText} */ ({ kind, ...defaults, ...read.values })
}

/**
 * @param {string} kind
 * @param {Record<string, Parameter>} parameters
 * @param {string} settings - `m=6,seed=42`
 * @returns {{ values: Record<string, unknown> } | { allowed: string }}
 */
function readParameters(kind, parameters, settings) {
  /** @type {Record<string, unknown>} */
  const values = {}
  for (const part of settings === '' ? [] : settings.split(',')) {
    const [name, ...rest] = part.split('=').map(side => side.trim())
    if (!Object.hasOwn(parameters, name)) {
      const names = Object.keys(parameters)
      if (names.length === 0) return { allowed: `must be ${kind} alone: it takes nothing after a colon` }
      const example = names.map(each => `${each}=${parameters[each].default ?? 42}`).join(',')
      return { allowed: `must give ${kind} nothing but ${names.join(', ')}, such as ${kind}:${example}` }
    }
    if (Object.hasOwn(values, name)) return { allowed: `must give ${name} of ${kind} once` }
    values[name] = parameters[name].read(rest.join('='))
    if (values[name] === undefined) return { allowed: `must have ${parameters[name].allowed} as ${name}` }
  }
  return { values }
}

/**
 * @typedef {ReturnType<LinkDataReader['edge']>} EdgeData
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
function connectNamed(network) {
  if (network.edges.length > MAX_EDGES)
    throw new TopologyFileError(
      `has ${formatCount(network.edges.length, 'edge')}: must have at most ${formatCount(MAX_EDGES, 'edge')}`
    )
  const names = orderNames(
    network.nodes
      ? listNodes(network.nodes)
      : [...new Set(network.edges.flatMap(({ dialer, listener }) => [dialer, listener]))]
  )
  if (names.length > MAX_NODES)
    throw new TopologyFileError(
      `has ${formatCount(names.length, 'node')}: must have at most ${formatCount(MAX_NODES, 'node')}`
    )
  const reader = new LinkDataReader()
  const numbers = new Map(names.map((name, number) => [name, number]))
  const { edges, directions, loops, repeats } = connectEdges(network, numbers, reader)
  if (edges.length === 0)
    throw new TopologyFileError('has no edges between different nodes: must have one at least')
  const links = edges.flatMap(([from, to]) => {
    const there = directions.get(from * names.length + to)
    const back = directions.get(to * names.length + from) ?? there
    return [
      { from, to, ...there },
      { from: to, to: from, ...back }
    ].filter(link => Object.keys(link).length > 2)
  })
  const hosts = names.map(() => ({}))
  for (const { name, data, place } of network.nodes ?? [])
    hosts[numberOf(numbers, name, place)] = reader.node(data, place)
  const unused = [
    ...reader.unused,
    ...(loops > 0 ? [formatCount(loops, 'edge from a node to itself', 'edges from a node to itself')] : []),
    ...(repeats > 0 ? [formatCount(repeats, 'repeated edge')] : [])
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
function connectEdges({ edges: all, directed }, numbers, reader) {
  /** What is said of each direction, by its nodes. @type {Map<number, EdgeData>} */
  const directions = new Map()
  /** @type {Edge[]} */
  const edges = []
  let [loops, repeats] = [0, 0]
  for (const { dialer, listener, data, place } of all) {
    const [from, to] = [dialer, listener].map(name => numberOf(numbers, name, place))
    const [there, back] = [from * numbers.size + to, to * numbers.size + from]
    if (from === to) loops += 1
    else if (directions.has(there) || (directed === false && directions.has(back))) repeats += 1
    else {
      if (!directions.has(back)) edges.push([from, to])
      directions.set(there, reader.edge(data, place))
    }
  }
  return { edges, directions, loops, repeats }
}

/** @param {{ name: string, place: string }[]} nodes */
function listNodes(nodes) {
  const names = new Set()
  for (const { name, place } of nodes) {
    if (names.has(name)) throw new TopologyFileError(`node ${name} is given again: must be given once`, place)
    names.add(name)
  }
  return [...names]
}

/** @param {string[]} names */
const orderNames = names =>
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
    `an edge of node ${name}, which is not among the ${numbers.size} nodes of the file: must be one of ${abbreviate([...numbers.keys()])}`,
    place
  )
}

/** @param {string[]} names */
const abbreviate = names =>
  names.length > 5 ? `${names.slice(0, 3).join(', ')}, … ${names.at(-1)}` : names.join(', ')

/**
 * @typedef {import('./link-properties.js').LinkData} LinkData
 * @typedef {import('./link-properties.js').HostData} HostData
 * @typedef {Readonly<Record<string, unknown>>} Attributes - of a node or an edge, as they stand in a file
 *
 * @typedef {object} Attribute - that is used
 * @property {RegExp} name - its one group is a unit, for values without one
 * @property {string} key - of what it becomes
 * @property {(value: string, unit?: string) => number} read - NaN: not allowed
 * @property {string} allowed
 */

const MAX_LATENCY_MS = 10_000
/** Of different attributes that are not used, so many are named. */
const MAX_NAMED = 8
const MAX_NAME = 40

/** @param {number} number @param {number} min @param {number} max */
const inRange = (number, min, max) => (number >= min && number <= max ? number : Number.NaN)

/** @param {string} text @param {string} [usual] - unit */
function latencyMs(text, usual = 'ms') {
  const [, number = '', unit = usual] = /^([\d.e+-]*?\d\.?) ?([a-zµ]+)?$/i.exec(text) ?? []
  const isTime = Object.hasOwn(UNITS.time.known, unit.toLowerCase())
  return isTime
    ? inRange(convertToOwnUnit('time', parseDecimal(number), unit), 0, MAX_LATENCY_MS)
    : Number.NaN
}

/** @param {string} text @param {string} [unit] */
function lossShare(text, unit = '') {
  const [, number = '', percent] = /^(.*?) ?(%)?$/.exec(text) ?? []
  const share = parseDecimal(number) / (percent || unit ? 100 : 1)
  return share < 1 ? inRange(Number(share.toPrecision(12)), 0, 1) : Number.NaN
}

/** @param {string} name @param {string} key @returns {Attribute} */
const bandwidth = (name, key) => ({
  name: new RegExp(`^${name}(?:_([kmg]i?bit))?$`, 'i'),
  key,
  read: (text, unit = '') => parseBandwidth(parseDecimal(text) >= 0 ? `${text}${unit}` : text),
  allowed: 'must be a bandwidth with its unit from 1kB/s to 100GB/s, such as 50 Mbit'
})

/** @type {readonly Attribute[]} */
const EDGE_ATTRIBUTES = [
  {
    name: /^latency(?:_(us|ms|s))?$/i,
    key: 'latencyMs',
    read: latencyMs,
    allowed: 'must be a latency from 0 to 10 s, such as 20 ms; without a unit it is in ms'
  },
  bandwidth('bandwidth', 'bytesPerSecond'),
  {
    name: /^(?:packet_)?loss(?:_(percent))?$/i,
    key: 'lossShare',
    read: lossShare,
    allowed: 'must be a share from 0 to below 1, such as 0.01, or a percentage such as 1%'
  }
]

/** @type {readonly Attribute[]} */
const NODE_ATTRIBUTES = [
  bandwidth('host_bandwidth_up', 'upBytesPerSecond'),
  bandwidth('host_bandwidth_down', 'downBytesPerSecond')
]

/** LinkDataReader reads attributes of edges and nodes, and counts those that are not used. */
class LinkDataReader {
  /** @type {Record<'edge' | 'node', Map<string, number>>} */
  #unused = { edge: new Map(), node: new Map() }

  /** @param {Attributes | undefined} attributes @param {string} place @returns {Omit<LinkData, 'from' | 'to'>} */
  edge(attributes, place) {
    return this.#read(attributes, { what: 'edge', used: EDGE_ATTRIBUTES, place })
  }

  /** @param {Attributes | undefined} attributes @param {string} place @returns {HostData} */
  node(attributes, place) {
    return this.#read(attributes, { what: 'node', used: NODE_ATTRIBUTES, place })
  }

  /** What was not used, with how many edges or nodes had it. @returns {string[]} */
  get unused() {
    const all = Object.entries(this.#unused).flatMap(([what, counts]) =>
      [...counts].map(
        ([name, count]) => `${name.slice(0, MAX_NAME).replace(/\p{C}/gu, ' ')} of ${formatCount(count, what)}`
      )
    )
    const more = all.length - MAX_NAMED
    return more > 0 ? [...all.slice(0, MAX_NAMED), formatCount(more, 'further attribute')] : all
  }

  /** @param {Attributes | undefined} attributes @param {{ what: 'edge' | 'node', used: readonly Attribute[], place: string }} of */
  #read(attributes = {}, { what, used, place }) {
    /** @type {Record<string, number>} */
    const data = {}
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === '') continue
      const attribute = used.find(each => each.name.test(name))
      if (attribute === undefined) {
        const counts = this.#unused[what]
        counts.set(name, (counts.get(name) ?? 0) + 1)
        continue
      }
      const { key, read, allowed } = attribute
      const [, unit] = /** @type {RegExpExecArray} */ (attribute.name.exec(name))
      const number = read(String(value).trim(), unit)
      const attributeText = `${name} ${JSON.stringify(value)?.slice(0, MAX_NAME)}`
      if (Number.isNaN(number)) throw new TopologyFileError(`${attributeText} ${allowed}`, place)
      if (key in data)
        throw new TopologyFileError(`${attributeText} says again what another attribute says`, place)
      data[key] = number
    }
    return data
  }
}
