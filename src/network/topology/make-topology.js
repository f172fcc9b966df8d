import { subStream } from '../../kit/random.js'
import { barabasiAlbert } from './barabasi-albert.js'
import { erdosRenyi } from './erdos-renyi.js'
import { full } from './full.js'
import { powerlawCluster } from './powerlaw-cluster.js'
import { randomDegree } from './random-degree.js'
import { randomGeometric } from './random-geometric.js'
import { regular } from './regular.js'
import { ring } from './ring.js'
import { smallWorld } from './small-world.js'
import { topologyProblem } from './topology-problem.js'

export { topologyProblem }

/**
 * @typedef {import('./edge.js').Edge} Edge
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
