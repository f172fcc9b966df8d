// Generates network topologies (such as Barabási–Albert, equal to NetworkX), which say who connects to whom, and
// measures their shape.

import { computeSum, median } from '../kit/collections.js'
import { makeSubStream, shuffle } from '../kit/random.js'
import { mersenneTwister } from './topology/mersenne-twister.js'

/**
 * orderOnRing says who dials, of two nodes on a ring: the one from which it is not the longer way up. So all dial about as many as they accept.
 *
 * @param {number} a
 * @param {number} b - above a
 * @param {number} nodes
 * @returns {Edge}
 */
const orderOnRing = (a, b, nodes) => ((b - a) * 2 <= nodes ? [a, b] : [b, a])

/**
 * full connects each node to every other one; all dial about as many as they accept.
 *
 * @param {number} nodes
 */
const full = nodes => ringLattice(nodes, Math.floor(nodes / 2))

/** Above this number of nodes two edges could get the same key. */
const MAX_KEYED_NODES = 2 ** 26

/** @param {number} a @param {number} b */
const keyOf = (a, b) => (a < b ? a * MAX_KEYED_NODES + b : b * MAX_KEYED_NODES + a)

/**
 * edgeSet knows which nodes are connected. Between two nodes there is one connection, whoever dials.
 *
 * @param {Iterable<Edge>} [edges]
 */
function edgeSet(edges = []) {
  const keys = new Set(Array.from(edges, ([a, b]) => keyOf(a, b)))
  return {
    /** @param {number} a @param {number} b */
    has: (a, b) => keys.has(keyOf(a, b)),
    /** @param {number} a @param {number} b */
    add: (a, b) => void keys.add(keyOf(a, b)),
    /** @param {number} a @param {number} b */
    delete: (a, b) => void keys.delete(keyOf(a, b))
  }
}

/**
 * randomBelow draws a whole number.
 *
 * @param {number} limit - at least 1
 * @param {() => number} random - uniform in [0, 1)
 * @returns {number} from 0 to limit − 1
 */
const randomBelow = (limit, random) => Math.floor(random() * limit)

/**
 * erdosRenyi makes the random graph of Gilbert (1959) that NetworkX's `erdos_renyi_graph(nodes, p, seed)` makes, edge for edge: each two
 * nodes are connected with probability p. With a small p it may fall apart.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.p - above 0, up to 1
 * @param {import('./topology-file.js').Seed} options.seed
 * @returns {Edge[]}
 */
function erdosRenyi({ nodes, p, seed }) {
  if (p >= 1) return full(nodes)
  const { random } = mersenneTwister(seed)
  /** @type {Edge[]} */
  const edges = []
  for (let a = 0; a < nodes; a++)
    for (let b = a + 1; b < nodes; b++) if (random() < p) edges.push(orderOnRing(a, b, nodes))
  return edges
}

/**
 * powerlawCluster makes the graph of Holme and Kim (2002) that NetworkX's `powerlaw_cluster_graph(nodes, m, p, seed)` makes, edge for edge:
 * preferential attachment, in which each link after the first of a new node closes a triangle with probability p.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.m - nodes that each new one dials, from 1 to nodes − 1; a few dial less, where a triangle took a target
 * @param {number} options.p - from 0 to 1
 * @param {import('./topology-file.js').Seed} options.seed
 * @returns {Edge[]} in the order in which they come about; the newer node dials
 */
function powerlawCluster({ nodes, m, p, seed }) {
  const { choice, random } = mersenneTwister(seed)
  /** @type {Edge[]} */
  const edges = []
  const linked = edgeSet()
  /** of each node, in the order of linking @type {number[][]} */
  const neighbours = Array.from({ length: nodes }, () => [])
  /** once at first, and once more for each edge end */
  const ends = Array.from({ length: m }, (_, node) => node)

  /** @param {number} node @param {number} target */
  function link(node, target) {
    ends.push(target)
    if (linked.has(node, target)) return
    linked.add(node, target)
    edges.push([node, target])
    neighbours[node].push(target)
    neighbours[target].push(node)
  }

  for (let node = m; node < nodes; node++) {
    const targets = drawDistinct(m, () => choice(ends))
    let [target, next] = [targets[0], 1]
    link(node, target)
    for (let links = 1; links < m; links++) {
      const candidates =
        random() < p ? neighbours[target].filter(each => each !== node && !linked.has(node, each)) : []
      if (candidates.length > 0) link(node, choice(candidates))
      else {
        target = targets[next++]
        link(node, target)
      }
    }
    for (let i = 0; i < m; i++) ends.push(node)
  }
  return edges
}

/**
 * randomDegree has each node dial k others, each as likely. Two that draw one another share the connection of the first, so
 * that a node has k connections or more, 2k on average less the shared ones. With a small k the network may fall apart.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.k - from 1 to nodes − 1
 * @param {() => number} options.random - uniform in [0, 1)
 * @returns {Edge[]}
 */
function randomDegree({ nodes, k, random }) {
  /** @type {Edge[]} */
  const edges = []
  const known = edgeSet()
  for (let node = 0; node < nodes; node++) {
    for (const peer of otherNodes({ nodes, node, k, random })) {
      if (known.has(node, peer)) continue
      known.add(node, peer)
      edges.push([node, peer])
    }
  }
  return edges
}

/**
 * otherNodes draws k nodes other than the given one, without repetition, by Floyd's method: k draws, whatever k is.
 *
 * @param {{ nodes: number, node: number, k: number, random: () => number }} options
 */
function otherNodes({ nodes, node, k, random }) {
  const others = nodes - 1
  const drawn = new Set()
  for (let last = others - k; last < others; last++) {
    const draw = randomBelow(last + 1, random)
    drawn.add(drawn.has(draw) ? last : draw)
  }
  return [...drawn].map(index => (index < node ? index : index + 1))
}

/**
 * randomGeometric makes the graph that NetworkX's `random_geometric_graph(nodes, radius, seed=seed)` makes, edge for edge: nodes lie at
 * random in a square of side 1, and are connected where they are no further apart than the radius. With a small one it may fall apart.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.radius - above 0
 * @param {import('./topology-file.js').Seed} options.seed
 * @returns {Edge[]}
 */
function randomGeometric({ nodes, radius, seed }) {
  const { random } = mersenneTwister(seed)
  const places = Array.from({ length: nodes }, () => [random(), random()])
  /** @type {Edge[]} */
  const edges = []
  for (let a = 0; a < nodes; a++)
    for (let b = a + 1; b < nodes; b++) {
      const [x, y] = [places[a][0] - places[b][0], places[a][1] - places[b][1]]
      if (x * x + y * y <= radius * radius) edges.push(orderOnRing(a, b, nodes))
    }
  return edges
}

/**
 * regular makes a random connected graph in which each node has k connections. It pairs edge ends at random and draws anew
 * what cannot be paired (Steger and Wormald 1999); a graph that is stuck or falls apart is drawn again from the same random
 * numbers.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.k - from 1 to nodes − 1, nodes × k even, 1 only of two nodes
 * @param {() => number} options.random - uniform in [0, 1)
 * @returns {Edge[]}
 */
function regular({ nodes, k, random }) {
  // nearly all such graphs fall apart, and the connected ones are the rings
  if (k === 2) {
    const order = shuffle([...Array(nodes).keys()], random)
    return ringLattice(nodes, 1).map(([a, b]) => [order[a], order[b]])
  }
  // few draws of a dense graph can be paired, so its missing edges are drawn: it is connected whichever they are
  const isDense = k > (nodes - 1) / 2
  let edges = pairEnds(nodes, isDense ? nodes - 1 - k : k, random)
  while (!edges || (!isDense && !isConnected(nodes, edges)))
    edges = pairEnds(nodes, isDense ? nodes - 1 - k : k, random)
  if (!isDense) return edges
  const missing = edgeSet(edges)
  return full(nodes).filter(([a, b]) => !missing.has(a, b))
}

/**
 * @param {number} nodes
 * @param {number} k
 * @param {() => number} random
 * @returns {Edge[] | undefined} undefined: no two of the edge ends that are left can be paired
 */
function pairEnds(nodes, k, random) {
  /** @type {Edge[]} */
  const edges = []
  const known = edgeSet()
  let ends = Array.from({ length: nodes * k }, (_, end) => end % nodes)
  while (ends.length > 0) {
    const left = []
    ends = shuffle(ends, random)
    for (let i = 0; i < ends.length; i += 2) {
      const [a, b] = [ends[i], ends[i + 1]]
      if (a === b || known.has(a, b)) left.push(a, b)
      else {
        known.add(a, b)
        edges.push([a, b])
      }
    }
    const others = [...new Set(left)]
    const isStuck = !others.some((a, i) => others.slice(i + 1).some(b => !known.has(a, b)))
    if (left.length === ends.length && isStuck) return undefined
    ends = left
  }
  return edges
}

/**
 * smallWorld makes the graph of Watts and Strogatz (1998): a ring on which each node is connected to its k nearest, and where
 * each connection is, with probability p, dialled to a node drawn at random instead. With a small k and a high p the network
 * may fall apart.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.k - even, from 2 to nodes − 1
 * @param {number} options.p - from 0 to 1
 * @param {() => number} options.random - uniform in [0, 1)
 * @returns {Edge[]}
 */
function smallWorld({ nodes, k, p, random }) {
  const edges = ringLattice(nodes, k / 2)
  const known = edgeSet(edges)
  const degrees = new Array(nodes).fill(k)

  return edges.map(([dialer, listener]) => {
    if (random() >= p || degrees[dialer] === nodes - 1) return [dialer, listener]
    let other = randomBelow(nodes, random)
    while (other === dialer || known.has(dialer, other)) other = randomBelow(nodes, random)
    known.delete(dialer, listener)
    known.add(dialer, other)
    degrees[listener]--
    degrees[other]++
    return [dialer, other]
  })
}

/**
 * isConnected says whether every node can reach every other one.
 *
 * @param {number} nodes
 * @param {Iterable<Edge>} edges
 * @param {Iterable<number>} [among] - whether these can reach one another over edges between themselves; all unless given
 * @returns {boolean} true of a single node and of none
 */
export const isConnected = (nodes, edges, among) => countComponents(nodes, edges, among) <= 1

/**
 * makeBarabasiAlbert makes the graph of preferential attachment (Barabási and Albert 1999) that NetworkX's
 * `barabasi_albert_graph(nodes, m, seed)` makes, edge for edge.
 *
 * Both generations start from a star on m + 1 nodes: 3.x says so, with node 0 as its hub; in 2.4 node m links to the m nodes
 * without edges that it begins with.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.m - nodes that each new one dials, from 1 to nodes − 1
 * @param {import('./topology-file.js').Seed} options.seed
 * @param {'2.4' | '3'} options.networkx - the generation of NetworkX
 * @returns {Edge[]} in the order in which they come about; the newer node dials
 */
export function makeBarabasiAlbert({ nodes, m, seed, networkx }) {
  const { choice } = mersenneTwister(seed)
  const hub = networkx === '3' ? 0 : m
  /** @type {Edge[]} */
  const edges = Array.from({ length: m }, (_, i) => (hub === 0 ? [i + 1, 0] : [hub, i]))
  /** each node once per edge end, so that a node is drawn as often as it has edges */
  const ends = Array.from({ length: m + 1 }, (_, node) => Array(node === hub ? m : 1).fill(node)).flat()

  for (let node = m + 1; node < nodes; node++) {
    const targets = drawDistinct(m, () => choice(ends))
    for (const target of targets) edges.push([node, target])
    for (const target of targets) ends.push(target)
    for (let i = 0; i < m; i++) ends.push(node)
  }
  return edges
}

/**
 * drawDistinct draws until it has so many different nodes.
 *
 * @param {number} count
 * @param {() => number} draw
 * @returns {number[]} in the order of a CPython set
 */
function drawDistinct(count, draw) {
  const drawn = makeCpythonIntSet()
  while (drawn.size() < count) drawn.add(draw())
  return drawn.members()
}

const SMALLEST_TABLE = 8
const LINEAR_PROBES = 9
const PERTURB_SHIFT = 5
/** From here on a table grows by 2 instead of 4. */
const LARGE_SET = 50_000
const EMPTY = -1

/**
 * @typedef {object} CpythonIntSet
 * @property {(member: number) => void} add
 * @property {() => number} size
 * @property {() => number[]} members - in the order in which CPython iterates
 */

/**
 * makeCpythonIntSet holds whole numbers and gives them back in the order of a CPython 3 `set`, which is that of the slots of its
 * hash table. NetworkX makes edges in this order, so that its graphs depend on it.
 *
 * @returns {CpythonIntSet} empty; members are whole numbers from 0 to 2^31 − 1, for which the hash is the number itself
 */
export function makeCpythonIntSet() {
  let table = new Int32Array(SMALLEST_TABLE).fill(EMPTY)
  let used = 0

  /** @param {number} member */
  function add(member) {
    const slot = slotOf(table, member)
    if (table[slot] === member) return
    table[slot] = member
    used++
    if (used * 5 >= (table.length - 1) * 3) table = enlargeTable(table, used)
  }

  return { add, size: () => used, members: () => [...table].filter(member => member !== EMPTY) }
}

/**
 * slotOf gives the slot that holds the member or will hold it: a few neighbours are looked at before it jumps.
 *
 * @param {Int32Array} table
 * @param {number} member
 */
function slotOf(table, member) {
  const mask = table.length - 1
  let perturb = member
  for (let start = member & mask; ; start = (start * 5 + 1 + perturb) & mask) {
    const last = start + LINEAR_PROBES <= mask ? start + LINEAR_PROBES : start
    for (let slot = start; slot <= last; slot++) {
      if (table[slot] === EMPTY || table[slot] === member) return slot
    }
    perturb >>>= PERTURB_SHIFT
  }
}

/**
 * @param {Int32Array} table
 * @param {number} used
 */
function enlargeTable(table, used) {
  const minSlots = used > LARGE_SET ? used * 2 : used * 4
  let slots = SMALLEST_TABLE
  while (slots <= minSlots) slots *= 2
  const larger = new Int32Array(slots).fill(EMPTY)
  for (const member of table) if (member !== EMPTY) larger[slotOf(larger, member)] = member
  return larger
}

/**
 * ringLattice places the nodes on a ring, where each dials the `reach` next ones. With a reach of 1 it is the ring itself, with
 * half of the nodes the full mesh, in which every node then dials as many as it accepts.
 *
 * @param {number} nodes
 * @param {number} reach - from 1 to half of the nodes
 * @returns {Edge[]} the shortest reach first
 */
function ringLattice(nodes, reach) {
  /** @type {Edge[]} */
  const edges = []
  for (let distance = 1; distance <= reach; distance++) {
    // the node opposite is as far in both directions
    const dialers = distance * 2 === nodes ? distance : nodes
    for (let node = 0; node < dialers; node++) edges.push([node, (node + distance) % nodes])
  }
  return edges
}

/**
 * @typedef {object} FileSpec - what a topology file holds, see parse-topology-file.js
 * @property {'file'} kind
 * @property {string} path
 * @property {number} nodes
 * @property {Edge[]} edges
 * @property {readonly import('./link-properties.js').LinkData[]} [links] - what the file says of links; absent: nothing
 * @property {readonly import('./link-properties.js').HostData[]} [hosts] - what it says of nodes, by their numbers; absent: nothing
 * @property {readonly string[]} [unused] - what it holds that is not used, and how often; absent: nothing
 *
 * @typedef {import('./topology-file.js').RendezvousSpec} RendezvousSpec
 * @typedef {Exclude<import('./topology-file.js').TopologyText, TopologyFileRef | RendezvousSpec> | FileSpec} StaticSpec - all edges are known before the
 *   run
 * @typedef {StaticSpec | RendezvousSpec} TopologySpec
 * @typedef {import('./topology-file.js').TopologyFileRef} TopologyFileRef
 *
 * @typedef {object} Topology
 * @property {StaticSpec['kind']} kind
 * @property {number} nodes
 * @property {Edge[]} edges - who dials whom; no two connect the same nodes, and none a node with itself
 */

/**
 * makeTopology makes the network that a spec describes.
 *
 * @param {StaticSpec} spec - the seed of one that NetworkX makes filled in
 * @param {object} options
 * @param {number} options.nodes
 * @param {() => number} options.random - uniform in [0, 1), for a spec without a seed
 * @returns {Topology}
 * @throws {RangeError} the spec cannot be, see describeTopologyProblem
 */
export function makeTopology(spec, { nodes, random }) {
  const problem = describeTopologyProblem(spec, nodes)
  if (problem) throw new RangeError(`the topology ${spec.kind} ${problem}`)
  return { kind: spec.kind, nodes, edges: edgesOf(spec, nodes, random) }
}

/**
 * @param {StaticSpec} spec
 * @param {number} nodes
 * @param {() => number} random
 * @returns {Edge[]}
 */
function edgesOf(spec, nodes, random) {
  const draws = (/** @type {import('./topology-file.js').Seed | null | undefined} */ seed) =>
    seed == null ? random : makeSubStream(seed, 'topology')
  const needed = (/** @type {import('./topology-file.js').Seed | null | undefined} */ seed) => {
    if (seed != null) return seed
    throw new RangeError(`the topology ${spec.kind} needs a seed: put that of the plan in its place`)
  }
  switch (spec.kind) {
    case 'barabasi-albert':
      return makeBarabasiAlbert({ ...spec, nodes, seed: needed(spec.seed) })
    case 'erdos-renyi':
      return erdosRenyi({ ...spec, nodes, seed: needed(spec.seed) })
    case 'random-geometric':
      return randomGeometric({ ...spec, nodes, seed: needed(spec.seed) })
    case 'powerlaw-cluster':
      return powerlawCluster({ ...spec, nodes, seed: needed(spec.seed) })
    case 'random-degree':
      return randomDegree({ ...spec, nodes, random: draws(spec.seed) })
    case 'regular':
      return regular({ ...spec, nodes, random: draws(spec.seed) })
    case 'small-world':
      return smallWorld({ ...spec, nodes, random: draws(spec.seed) })
    case 'full':
      return full(nodes)
    case 'ring':
      return ringLattice(nodes, 1)
    case 'line':
      return Array.from({ length: nodes - 1 }, (_, node) => [node, node + 1])
    case 'star':
      return Array.from({ length: nodes - 1 }, (_, i) => [i + 1, 0])
    case 'file':
      return spec.edges
  }
}

/** MAX_EDGES: far more than one machine can hold open; JavaScript's sets end at 16 million entries. */
export const MAX_EDGES = 5_000_000

/**
 * describeTopologyProblem says why a network of this size cannot have the topology.
 *
 * @param {TopologySpec} spec
 * @param {number} nodes
 * @returns {string | null} the end of a sentence that begins with the topology; null: it can
 */
export function describeTopologyProblem(spec, nodes) {
  if (nodes < 2) return 'needs at least 2 nodes'
  const problem = kindProblem(spec, nodes)
  if (problem !== null) return problem
  const edges = spec.kind === 'file' || spec.kind === 'rendezvous' ? nodes : maxEdgesOf(spec, nodes)
  return edges <= MAX_EDGES
    ? null
    : `with ${nodes} nodes has ${Math.round(edges / 1e6)} million connections, more than the ${MAX_EDGES / 1e6} million that can be made`
}

/**
 * @param {TopologySpec} spec
 * @param {number} nodes
 * @returns {string | null}
 */
function kindProblem(spec, nodes) {
  switch (spec.kind) {
    case 'barabasi-albert':
    case 'powerlaw-cluster':
      return peersProblem('m', spec.m, nodes)
    case 'erdos-renyi':
      return spec.p > 0 ? null : 'needs p above 0: without a connection there is no network'
    case 'random-geometric':
      return spec.radius > 0 ? null : 'needs radius above 0: without a connection there is no network'
    case 'random-degree':
      return peersProblem('k', spec.k, nodes)
    case 'regular':
      return peersProblem('k', spec.k, nodes) ?? regularProblem(spec.k, nodes)
    case 'small-world':
      return peersProblem('k', spec.k, nodes) ?? smallWorldProblem(spec)
    case 'ring':
      return nodes < 3 ? 'needs at least 3 nodes' : null
    case 'file':
      return spec.nodes === nodes ? null : `is a network of ${spec.nodes} nodes, not of ${nodes}`
    default:
      return null
  }
}

/**
 * @param {'m' | 'k'} name
 * @param {number} peers
 * @param {number} nodes
 */
function peersProblem(name, peers, nodes) {
  if (Number.isInteger(peers) && peers >= 1 && peers < nodes) return null
  return nodes === 2
    ? `with ${nodes} nodes needs ${name}=1, not ${peers}`
    : `with ${nodes} nodes needs ${name} to be a whole number from 1 to ${nodes - 1}, not ${peers}`
}

/**
 * @param {number} k
 * @param {number} nodes
 */
function regularProblem(k, nodes) {
  if (k === 1 && nodes > 2) return 'with k=1 falls apart into pairs: needs k of at least 2'
  if ((nodes * k) % 2 === 0) return null
  return `cannot be made of ${nodes} nodes with k=${k}, which are both odd: needs one of them to be even`
}

/** @param {{ k: number, p: number }} spec */
function smallWorldProblem({ k, p }) {
  if (k % 2 === 1) return `needs k to be even, not ${k}: half of them are on each side`
  return p >= 0 && p <= 1 ? null : `needs p from 0 to 1, not ${p}`
}

/**
 * maxEdgesOf is how many connections a topology has at most. Where the number is random, it is five standard deviations above the mean.
 *
 * @param {Exclude<TopologySpec, { kind: 'rendezvous' | 'file' }>} spec
 * @param {number} nodes
 * @returns {number}
 */
export function maxEdgesOf(spec, nodes) {
  const pairs = (nodes * (nodes - 1)) / 2
  const maxPairs = (/** @type {number} */ share) =>
    Math.min(pairs, Math.ceil(pairs * share + 5 * Math.sqrt(pairs * share * (1 - share))))
  switch (spec.kind) {
    case 'barabasi-albert':
    case 'powerlaw-cluster':
      return spec.m * (nodes - spec.m)
    case 'erdos-renyi':
      return maxPairs(spec.p)
    case 'random-geometric':
      return maxPairs(Math.min(1, Math.PI * spec.radius ** 2))
    case 'random-degree':
      return nodes * spec.k
    case 'regular':
    case 'small-world':
      return (nodes * spec.k) / 2
    case 'full':
      return pairs
    default:
      return nodes
  }
}

/**
 * @typedef {[dialer: number, listener: number]} Edge - one connection of the network; nodes are numbered from 0
 */

/**
 * countComponents counts the parts into which a network falls.
 *
 * @param {number} nodes
 * @param {Iterable<Edge>} edges
 * @param {Iterable<number>} [among] - only these nodes, and the edges between them; all unless given
 * @returns {number} 0 of no nodes
 */
export function countComponents(nodes, edges, among = Array(nodes).keys()) {
  const included = new Uint8Array(nodes)
  for (const node of among) included[node] = 1
  const parents = Int32Array.from({ length: nodes }, (_, node) => node)
  let components = computeSum(included)

  for (const [a, b] of edges) {
    if (!included[a] || !included[b]) continue
    const [rootA, rootB] = [rootOf(parents, a), rootOf(parents, b)]
    if (rootA === rootB) continue
    parents[rootA] = rootB
    components--
  }
  return components
}

/**
 * findComponents names for each node the component that it is in, by one of its nodes.
 *
 * @param {number} nodes
 * @param {Iterable<Edge>} edges
 * @returns {Int32Array} the same for nodes of the same component
 */
export function findComponents(nodes, edges) {
  const parents = Int32Array.from({ length: nodes }, (_, node) => node)
  for (const [a, b] of edges) parents[rootOf(parents, a)] = rootOf(parents, b)
  return parents.map((_, node) => rootOf(parents, node))
}

/**
 * rootOf finds the node that stands for a component, and shortens the way to it.
 *
 * @param {Int32Array} parents
 * @param {number} node
 */
function rootOf(parents, node) {
  let root = node
  while (parents[root] !== root) {
    parents[root] = parents[parents[root]]
    root = parents[root]
  }
  return root
}

/**
 * averageClustering is the mean of the nodes' local clustering (Watts and Strogatz 1998): the share of the pairs of a node's
 * neighbours that are neighbours themselves, 0 of a node with less than two.
 *
 * @param {Neighbours} graph - of at least one node
 * @returns {number} from 0 to 1
 */
function averageClustering(graph) {
  const total = triangles(graph).reduce((sum, count, node) => {
    const degree = graph.degrees[node]
    return degree < 2 ? sum : sum + (2 * count) / (degree * (degree - 1))
  }, 0)
  return total / graph.degrees.length
}

/**
 * triangles counts those each node is part of. Only neighbours of a higher degree are looked at, so that a hub, whose pairs
 * of neighbours are many, costs no more than any other node.
 *
 * @param {Neighbours} graph
 * @returns {number[]}
 */
function triangles({ starts, list, degrees }) {
  // of each node the neighbours that come after it by degree, then by number
  const upwards = degrees.map((degree, node) =>
    list
      .subarray(starts[node], starts[node + 1])
      .filter(other => degrees[other] > degree || (degrees[other] === degree && other > node))
  )
  const counts = Array(upwards.length).fill(0)
  const marks = new Int32Array(upwards.length).fill(-1)
  upwards.forEach((others, node) => {
    for (const other of others) marks[other] = node
    for (const other of others) {
      for (const third of upwards[other]) {
        if (marks[third] !== node) continue
        counts[node]++
        counts[other]++
        counts[third]++
      }
    }
  })
  return counts
}

/**
 * distances measures the shortest paths between all pairs of nodes, by a breadth-first search from each.
 *
 * @param {Neighbours} graph - connected
 * @returns {{ longest: number, average: number }} hops; both 0 of a single node
 */
function distances({ starts, list, degrees }) {
  const nodes = degrees.length
  const queue = new Uint32Array(nodes)
  const hops = new Int32Array(nodes)
  let [longest, total] = [0, 0]
  for (let from = 0; from < nodes; from++) {
    hops.fill(-1)
    hops[from] = 0
    queue[0] = from
    let reached = 1
    for (let head = 0; head < reached && reached < nodes; head++) {
      const node = queue[head]
      const hop = hops[node] + 1
      for (let i = starts[node]; i < starts[node + 1]; i++) {
        const other = list[i]
        if (hops[other] !== -1) continue
        hops[other] = hop
        total += hop
        queue[reached++] = other
      }
    }
    longest = Math.max(longest, hops[queue[reached - 1]])
  }
  return { longest, average: nodes === 1 ? 0 : total / (nodes * (nodes - 1)) }
}

/**
 * @typedef {object} Neighbours - the lists of all nodes in one array: those of node i stand from starts[i] to before
 *   starts[i + 1]
 * @property {Uint32Array} starts
 * @property {Uint32Array} list
 * @property {number[]} degrees
 */

/**
 * makeNeighbours lays out a network for searches from many nodes.
 *
 * @param {number} nodes
 * @param {Edge[]} edges
 * @returns {Neighbours}
 */
function makeNeighbours(nodes, edges) {
  const degrees = Array(nodes).fill(0)
  for (const [a, b] of edges) {
    degrees[a]++
    degrees[b]++
  }
  const starts = new Uint32Array(nodes + 1)
  for (let node = 0; node < nodes; node++) starts[node + 1] = starts[node] + degrees[node]
  const list = new Uint32Array(2 * edges.length)
  const next = starts.slice()
  for (const [a, b] of edges) {
    list[next[a]++] = b
    list[next[b]++] = a
  }
  return { starts, list, degrees }
}

/**
 * @typedef {object} GraphMeasures - as NetworkX defines them; edges are taken as undirected
 * @property {number} nodes
 * @property {number} edges
 * @property {boolean} connected
 * @property {number} components
 * @property {number | null} diameter - hops between the two nodes farthest apart; null: not connected, or too large a network
 *   to measure all ways
 * @property {number | null} averagePathLength - hops, over all pairs of nodes; null likewise
 * @property {number} averageClustering - share of a node's pairs of neighbours that are neighbours, over all nodes
 * @property {number | null} assortativity - correlation of the degrees at both ends of an edge; null: all degrees are equal
 * @property {number} density - share of the pairs of nodes that are connected
 * @property {{ min: number, avg: number, median: number, max: number }} degrees
 * @property {Record<number, number>} degreeHistogram - nodes by degree
 */

/** A search from every node takes at most this many steps, about a second. */
const MAX_SEARCH_STEPS = 1e9

/**
 * measureGraph describes the shape of a network.
 *
 * @param {{ nodes: number, edges: Edge[] }} network - of at least one node, each edge once
 * @returns {GraphMeasures}
 */
export function measureGraph({ nodes, edges }) {
  const graph = makeNeighbours(nodes, edges)
  const components = countComponents(nodes, edges)
  const reachable = components === 1 && nodes * (nodes + 2 * edges.length) <= MAX_SEARCH_STEPS
  const { longest, average } = reachable ? distances(graph) : { longest: null, average: null }
  const { degrees } = graph
  /** @type {Record<number, number>} */
  const degreeHistogram = {}
  for (const degree of degrees) degreeHistogram[degree] = (degreeHistogram[degree] ?? 0) + 1
  return {
    nodes,
    edges: edges.length,
    connected: components === 1,
    components,
    diameter: longest,
    averagePathLength: average,
    averageClustering: averageClustering(graph),
    assortativity: assortativity(degrees, edges),
    density: nodes === 1 ? 0 : (2 * edges.length) / (nodes * (nodes - 1)),
    degrees: {
      min: degrees.reduce((min, degree) => Math.min(min, degree)),
      avg: computeSum(degrees) / nodes,
      median: median(degrees),
      max: degrees.reduce((max, degree) => Math.max(max, degree))
    },
    degreeHistogram
  }
}

/**
 * assortativity is Pearson's correlation over the two ends of all edges, each taken in both directions (Newman 2002).
 *
 * @param {number[]} degrees
 * @param {Edge[]} edges
 */
function assortativity(degrees, edges) {
  const ends = 2 * edges.length
  const sum = computeSum(degrees, degree => degree ** 2)
  const squares = computeSum(degrees, degree => degree ** 3)
  const products = computeSum(edges, ([a, b]) => 2 * degrees[a] * degrees[b])
  const variance = ends * squares - sum ** 2
  return variance === 0 ? null : (ends * products - sum ** 2) / variance
}
