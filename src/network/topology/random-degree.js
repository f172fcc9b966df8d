import { edgeSet } from './edge-set.js'
import { randomBelow } from './random-below.js'

/** @typedef {import('./edge.js').Edge} Edge */

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
export function randomDegree({ nodes, k, random }) {
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
