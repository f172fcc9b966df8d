/** @typedef {import('./make-topology.js').TopologySpec} TopologySpec */

/** MAX_EDGES: far more than one machine can hold open; JavaScript's sets end at 16 million entries. */
export const MAX_EDGES = 5_000_000

/**
 * topologyProblem says why a network of this size cannot have the topology.
 *
 * @param {TopologySpec} spec
 * @param {number} nodes
 * @returns {string | null} the end of a sentence that begins with the topology; null: it can
 */
export function topologyProblem(spec, nodes) {
  if (nodes < 2) return 'needs at least 2 nodes'
  return kindProblem(spec, nodes) ?? sizeProblem(spec, nodes)
}

/**
 * @param {TopologySpec} spec
 * @param {number} nodes
 * @returns {string | null}
 */
function kindProblem(spec, nodes) {
  switch (spec.kind) {
    case 'barabasi-albert':
      return peersProblem('m', spec.m, nodes)
    case 'erdos-renyi':
      return spec.p > 0 ? null : 'needs p above 0: without a connection there is no network'
    case 'random-geometric':
      return spec.radius > 0 ? null : 'needs radius above 0: without a connection there is no network'
    case 'powerlaw-cluster':
      return peersProblem('m', spec.m, nodes)
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
 * @param {TopologySpec} spec
 * @param {number} nodes
 */
function sizeProblem(spec, nodes) {
  const edges = spec.kind === 'file' || spec.kind === 'rendezvous' ? nodes : mostEdges(spec, nodes)
  return edges <= MAX_EDGES
    ? null
    : `with ${nodes} nodes has ${Math.round(edges / 1e6)} million connections, more than the ${MAX_EDGES / 1e6} million that can be made`
}

/**
 * mostEdges is how many connections there are, or at most; where that is left to chance, more than there are but once in a million.
 *
 * @param {Exclude<TopologySpec, { kind: 'rendezvous' | 'file' }>} spec
 * @param {number} nodes
 * @returns {number}
 */
export function mostEdges(spec, nodes) {
  switch (spec.kind) {
    case 'barabasi-albert':
    case 'powerlaw-cluster':
      return spec.m * (nodes - spec.m)
    case 'erdos-renyi':
      return atMost(pairs(nodes), spec.p)
    case 'random-geometric':
      return atMost(pairs(nodes), Math.min(1, Math.PI * spec.radius ** 2))
    case 'random-degree':
      return nodes * spec.k
    case 'regular':
    case 'small-world':
      return (nodes * spec.k) / 2
    case 'full':
      return pairs(nodes)
    default:
      return nodes
  }
}

/** @param {number} nodes */
const pairs = nodes => (nodes * (nodes - 1)) / 2

/** Five standard deviations above the mean. @param {number} all @param {number} share */
const atMost = (all, share) =>
  Math.min(all, Math.ceil(all * share + 5 * Math.sqrt(all * share * (1 - share))))
