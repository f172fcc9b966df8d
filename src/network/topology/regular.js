import { shuffled } from '../../kit/shuffled.js'
import { edgeSet } from './edge-set.js'
import { full } from './full.js'
import { isConnected } from './is-connected.js'
import { ring } from './ring.js'

/** @typedef {import('./edge.js').Edge} Edge */

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
