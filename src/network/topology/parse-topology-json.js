import { z } from 'zod'
import { unknownKey } from '../../kit/problem-words.js'
import { READ, TopologyFileError } from './topology-file-error.js'

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
const PASSED_OVER = ['multigraph', 'graph']

/** Other formats, by a key of theirs. @type {Readonly<Record<string, string>>} */
const FORMATS = {
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
 * @returns {import('./parse-topology-file.js').NamedNetwork}
 * @throws {TopologyFileError} with the line of what is no JSON, else with the place, such as `edges[16]`
 */
export function parseTopologyJson(text) {
  const document = parseJson(text)
  if (isMapping(document)) refuseKeys(document)
  const read = network.safeParse(document, { reportInput: true })
  if (!read.success) throw refusal(read.error.issues[0])
  const { nodes = read.data.n, links, edges = links, directed } = read.data
  if (!edges)
    throw new TopologyFileError('must hold "edges", such as {"nodes": 3, "edges": [[0, 1], [1, 2]]}')
  const list = read.data.edges ? 'edges' : 'links'
  return {
    ...(directed !== undefined && { directed }),
    nodes: nodes === undefined ? undefined : placed(nodes),
    edges: edges.map((edge, index) => ({ ...edge, place: `${list}[${index}]` }))
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isMapping = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/** @param {Record<string, unknown>} document */
function refuseKeys(document) {
  const { graph, nodes } = document
  const format =
    Object.keys(FORMATS).find(key => key in document) ??
    (isMapping(graph) && 'edges' in graph ? 'graphs' : undefined)
  if (format !== undefined) {
    throw new TopologyFileError(`this is ${FORMATS[format]}, which is not read: ${READ}`)
  }
  const stranger = unknownKey(document, [...Object.keys(network.shape), ...PASSED_OVER])
  if (stranger !== null) throw new TopologyFileError(stranger)
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

/** @param {number | z.infer<typeof node>[]} nodes */
const placed = nodes =>
  (typeof nodes === 'number'
    ? Array.from({ length: nodes }, (_, node) => ({ name: String(node) }))
    : nodes
  ).map((node, index) => ({ ...node, place: `nodes[${index}]` }))

/** @param {import('zod').core.$ZodIssue} issue */
function refusal({ path, message, input }) {
  const place = path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`))
    .join('')
  return new TopologyFileError(`${JSON.stringify(input)?.slice(0, 60) ?? ''} ${message}`.trim(), place)
}
