import { subStream } from '../../kit/random.js'
import { shuffled } from '../../kit/shuffled.js'
import { countComponents } from './count-components.js'
import { mersenneTwister } from './mersenne-twister.js'
import { topologyProblem } from './topology-problem.js'

/**
 * onRing says who dials, of two nodes on a ring: the one from which it is not the longer way up. So all dial about as many as they accept.
 *
 * @param {number} a
 * @param {number} b - above a
 * @param {number} nodes
 * @returns {import('./edge.js').Edge}
 */
const onRing = (a, b, nodes) => ((b - a) * 2 <= nodes ? [a, b] : [b, a])

/**
 * ring has each node dial the next one, and the last one the first.
 *
 * @param {number} nodes - at least 3
 */
export const ring = nodes => ringLattice(nodes, 1)

/**
 * full connects each node to every other one; all dial about as many as they accept.
 *
 * @param {number} nodes
 */
export const full = nodes => ringLattice(nodes, Math.floor(nodes / 2))

/** @typedef {import('./edge.js').Edge} Edge */

/** Above this number of nodes two edges could get the same key. */
const MOST_NODES = 2 ** 26

/** @param {number} a @param {number} b */
const keyOf = (a, b) => (a < b ? a * MOST_NODES + b : b * MOST_NODES + a)

/**
 * edgeSet knows which nodes are connected. Between two nodes there is one connection, whoever dials.
 *
 * @param {Iterable<Edge>} [edges]
 */
export function edgeSet(edges = []) {
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
 * @param {import('./read-topology.js').Seed} options.seed
 * @returns {Edge[]}
 */
function erdosRenyi({ nodes, p, seed }) {
  if (p >= 1) return full(nodes)
  const { random } = mersenneTwister(seed)
  /** @type {Edge[]} */
  const edges = []
  for (let a = 0; a < nodes; a++)
    for (let b = a + 1; b < nodes; b++) if (random() < p) edges.push(onRing(a, b, nodes))
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
 * @param {import('./read-topology.js').Seed} options.seed
 * @returns {Edge[]} in the order in which they come about; the newer node dials
 */
function powerlawCluster({ nodes, m, p, seed }) {
  const { choice, random } = mersenneTwister(seed)
  const { edges, linked, neighbours, link } = growing(nodes)
  /** once at first, and once more for each edge end */
  const ends = Array.from({ length: m }, (_, node) => node)

  /** @param {number} node @param {number} target @returns {number | undefined} a neighbour of the target to close a triangle with */
  function third(node, target) {
    if (random() >= p) return undefined
    const open = neighbours[target].filter(each => each !== node && !linked.has(node, each))
    return open.length === 0 ? undefined : choice(open)
  }

  for (let node = m; node < nodes; node++) {
    const targets = distinct(m, () => choice(ends))
    let [target, next] = [targets[0], 1]
    link(node, target)
    ends.push(target)
    for (let links = 1; links < m; links++) {
      const neighbour = third(node, target)
      if (neighbour === undefined) target = targets[next++]
      link(node, neighbour ?? target)
      ends.push(neighbour ?? target)
    }
    for (let i = 0; i < m; i++) ends.push(node)
  }
  return edges
}

/** A graph that grows, with the neighbours of each node in the order in which they came. @param {number} nodes */
function growing(nodes) {
  /** @type {Edge[]} */
  const edges = []
  const linked = edgeSet()
  /** @type {number[][]} */
  const neighbours = Array.from({ length: nodes }, () => [])
  /** @param {number} node @param {number} target */
  function link(node, target) {
    if (linked.has(node, target)) return
    linked.add(node, target)
    edges.push([node, target])
    neighbours[node].push(target)
    neighbours[target].push(node)
  }
  return { edges, linked, neighbours, link }
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
 * @param {import('./read-topology.js').Seed} options.seed
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
      if (x * x + y * y <= radius * radius) edges.push(onRing(a, b, nodes))
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
export function regular({ nodes, k, random }) {
  // of these nearly all fall apart, and the connected ones are the rings
  if (k === 2) return shuffledRing(nodes, random)
  // few draws of a dense graph can be paired; what it lacks can, and it is connected whatever that is
  if (k > (nodes - 1) / 2) return complement(nodes, drawn({ nodes, k: nodes - 1 - k, random }))
  return drawn({ nodes, k, random, accept: edges => isConnected(nodes, edges) })
}

/**
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.k - from 0 to half of the nodes
 * @param {() => number} options.random
 * @param {(edges: Edge[]) => boolean} [options.accept]
 */
function drawn({ nodes, k, random, accept = () => true }) {
  for (;;) {
    const edges = paired(nodes, k, random)
    if (edges && accept(edges)) return edges
  }
}

/**
 * @param {number} nodes
 * @param {Edge[]} edges
 */
function complement(nodes, edges) {
  const left = edgeSet(edges)
  return full(nodes).filter(([a, b]) => !left.has(a, b))
}

/**
 * @param {number} nodes
 * @param {() => number} random
 * @returns {Edge[]}
 */
function shuffledRing(nodes, random) {
  const order = shuffled([...Array(nodes).keys()], random)
  return ring(nodes).map(([a, b]) => [order[a], order[b]])
}

/**
 * @param {number} nodes
 * @param {number} k
 * @param {() => number} random
 * @returns {Edge[] | undefined} undefined: no two of the edge ends that are left can be paired
 */
function paired(nodes, k, random) {
  /** @type {Edge[]} */
  const edges = []
  const known = edgeSet()
  let ends = Array.from({ length: nodes * k }, (_, end) => end % nodes)
  while (ends.length > 0) {
    const left = []
    ends = shuffled(ends, random)
    for (let i = 0; i < ends.length; i += 2) {
      const [a, b] = [ends[i], ends[i + 1]]
      if (a === b || known.has(a, b)) left.push(a, b)
      else {
        known.add(a, b)
        edges.push([a, b])
      }
    }
    if (left.length === ends.length && !somePairIsNew(left, known)) return undefined
    ends = left
  }
  return edges
}

/**
 * @param {number[]} ends
 * @param {{ has: (a: number, b: number) => boolean }} known
 */
function somePairIsNew(ends, known) {
  const left = [...new Set(ends)]
  return left.some((a, i) => left.slice(i + 1).some(b => !known.has(a, b)))
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
    const other = stranger({ dialer, nodes, known, random })
    known.delete(dialer, listener)
    known.add(dialer, other)
    degrees[listener]--
    degrees[other]++
    return [dialer, other]
  })
}

/**
 * @param {object} options
 * @param {number} options.dialer - connected to less than all
 * @param {number} options.nodes
 * @param {{ has: (a: number, b: number) => boolean }} options.known
 * @param {() => number} options.random
 */
function stranger({ dialer, nodes, known, random }) {
  for (;;) {
    const node = randomBelow(nodes, random)
    if (node !== dialer && !known.has(dialer, node)) return node
  }
}

/**
 * isConnected says whether every node can reach every other one.
 *
 * @param {number} nodes
 * @param {Iterable<import('./edge.js').Edge>} edges
 * @param {Iterable<number>} [among] - whether these can reach one another over edges between themselves; all unless given
 * @returns {boolean} true of a single node and of none
 */
export const isConnected = (nodes, edges, among) => countComponents(nodes, edges, among) <= 1

/**
 * barabasiAlbert makes the graph of preferential attachment (Barabási and Albert 1999) that NetworkX's
 * `barabasi_albert_graph(nodes, m, seed)` makes, edge for edge.
 *
 * Both generations start from a star on m + 1 nodes: 3.x says so, with node 0 as its hub; in 2.4 node m links to the m nodes
 * without edges that it begins with.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.m - nodes that each new one dials, from 1 to nodes − 1
 * @param {import('./read-topology.js').Seed} options.seed
 * @param {'2.4' | '3'} options.networkx - the generation of NetworkX
 * @returns {Edge[]} in the order in which they come about; the newer node dials
 */
export function barabasiAlbert({ nodes, m, seed, networkx }) {
  const { choice } = mersenneTwister(seed)
  const hub = networkx === '3' ? 0 : m
  const edges = starOf(m, hub)
  /** each node once per edge end, so that a node is drawn as often as it has edges */
  const ends = Array.from({ length: m + 1 }, (_, node) => Array(node === hub ? m : 1).fill(node)).flat()

  for (let node = m + 1; node < nodes; node++) {
    const targets = distinct(m, () => choice(ends))
    for (const target of targets) edges.push([node, target])
    for (const target of targets) ends.push(target)
    for (let i = 0; i < m; i++) ends.push(node)
  }
  return edges
}

/**
 * @param {number} m
 * @param {number} hub - 0 or m
 * @returns {Edge[]}
 */
const starOf = (m, hub) => Array.from({ length: m }, (_, i) => (hub === 0 ? [i + 1, 0] : [hub, i]))

/**
 * distinct draws until it has so many different nodes.
 *
 * @param {number} count
 * @param {() => number} draw
 * @returns {number[]} in the order of a CPython set
 */
function distinct(count, draw) {
  const found = cpythonIntSet()
  while (found.size() < count) found.add(draw())
  return found.members()
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
 * cpythonIntSet holds whole numbers and gives them back in the order of a CPython 3 `set`, which is that of the slots of its
 * hash table. NetworkX makes edges in this order, so that its graphs depend on it.
 *
 * @returns {CpythonIntSet} empty; members are whole numbers from 0 to 2^31 − 1, for which the hash is the number itself
 */
export function cpythonIntSet() {
  let table = emptyTable(SMALLEST_TABLE)
  let used = 0

  /** @param {number} member */
  function add(member) {
    const slot = slotOf(table, member)
    if (table[slot] === member) return
    table[slot] = member
    used++
    if (used * 5 >= (table.length - 1) * 3) table = grown(table, used)
  }

  return { add, size: () => used, members: () => [...table].filter(member => member !== EMPTY) }
}

/** @param {number} slots - a power of two */
const emptyTable = slots => new Int32Array(slots).fill(EMPTY)

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
function grown(table, used) {
  const least = used > LARGE_SET ? used * 2 : used * 4
  let slots = SMALLEST_TABLE
  while (slots <= least) slots *= 2
  const larger = emptyTable(slots)
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

export { topologyProblem }

/**
 * @typedef {import('./read-topology.js').BarabasiAlbertSpec} BarabasiAlbertSpec
 * @typedef {import('./read-topology.js').ErdosRenyiSpec} ErdosRenyiSpec
 * @typedef {import('./read-topology.js').RandomGeometricSpec} RandomGeometricSpec
 * @typedef {import('./read-topology.js').PowerlawClusterSpec} PowerlawClusterSpec
 * @typedef {import('./read-topology.js').DegreeSpec} DegreeSpec
 * @typedef {import('./read-topology.js').SmallWorldSpec} SmallWorldSpec
 * @typedef {import('./read-topology.js').PlainSpec} PlainSpec
 * @typedef {import('./read-topology.js').RendezvousSpec} RendezvousSpec
 *
 * @typedef {object} FileSpec - what a topology file holds, see parse-topology-file.js
 * @property {'file'} kind
 * @property {string} path
 * @property {number} nodes
 * @property {Edge[]} edges
 * @property {readonly import('../links/link-properties.js').LinkData[]} [links] - what the file says of links; absent: nothing
 * @property {readonly import('../links/link-properties.js').HostData[]} [hosts] - what it says of nodes, by their numbers; absent: nothing
 * @property {readonly string[]} [unused] - what it holds that is not used, and how often; absent: nothing
 *
 * @typedef {BarabasiAlbertSpec | ErdosRenyiSpec | RandomGeometricSpec | PowerlawClusterSpec | DegreeSpec | SmallWorldSpec | PlainSpec | FileSpec} StaticSpec - all edges are known
 *   beforehand
 * @typedef {StaticSpec | RendezvousSpec} TopologySpec
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
 * @throws {RangeError} the spec cannot be, see topologyProblem
 */
export function makeTopology(spec, { nodes, random }) {
  const problem = topologyProblem(spec, nodes)
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
  switch (spec.kind) {
    case 'barabasi-albert':
      return barabasiAlbert({ ...spec, nodes, seed: seedOf(spec) })
    case 'erdos-renyi':
      return erdosRenyi({ ...spec, nodes, seed: seedOf(spec) })
    case 'random-geometric':
      return randomGeometric({ ...spec, nodes, seed: seedOf(spec) })
    case 'powerlaw-cluster':
      return powerlawCluster({ ...spec, nodes, seed: seedOf(spec) })
    case 'random-degree':
      return randomDegree({ ...spec, nodes, random: drawsOf(spec, random) })
    case 'regular':
      return regular({ ...spec, nodes, random: drawsOf(spec, random) })
    case 'small-world':
      return smallWorld({ ...spec, nodes, random: drawsOf(spec, random) })
    case 'full':
      return full(nodes)
    case 'ring':
      return ring(nodes)
    case 'line':
      return line(nodes)
    case 'star':
      return star(nodes)
    case 'file':
      return spec.edges
  }
}

/** @param {{ seed?: import('./read-topology.js').Seed | null }} spec @param {() => number} random */
const drawsOf = ({ seed }, random) => (seed == null ? random : subStream(seed, 'topology'))

/** @param {{ kind: string, seed?: import('./read-topology.js').Seed | null }} spec */
function seedOf({ kind, seed }) {
  if (seed == null)
    throw new RangeError(`the topology ${kind} needs a seed: put that of the plan in its place`)
  return seed
}

/**
 * line has each node but the last dial the next one.
 *
 * @param {number} nodes
 * @returns {import('./edge.js').Edge[]}
 */
const line = nodes => Array.from({ length: nodes - 1 }, (_, node) => [node, node + 1])

/**
 * star has every node dial node 0.
 *
 * @param {number} nodes
 * @returns {import('./edge.js').Edge[]}
 */
const star = nodes => Array.from({ length: nodes - 1 }, (_, i) => [i + 1, 0])
