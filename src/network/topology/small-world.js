import { edgeSet } from './edge-set.js'
import { randomBelow } from './random-below.js'
import { ringLattice } from './ring-lattice.js'

/** @typedef {import('./edge.js').Edge} Edge */

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
export function smallWorld({ nodes, k, p, random }) {
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
