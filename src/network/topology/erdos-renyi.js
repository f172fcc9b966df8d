import { full } from './full.js'
import { mersenneTwister } from './mersenne-twister.js'
import { onRing } from './on-ring.js'

/** @typedef {import('./edge.js').Edge} Edge */

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
export function erdosRenyi({ nodes, p, seed }) {
  if (p >= 1) return full(nodes)
  const { random } = mersenneTwister(seed)
  /** @type {Edge[]} */
  const edges = []
  for (let a = 0; a < nodes; a++)
    for (let b = a + 1; b < nodes; b++) if (random() < p) edges.push(onRing(a, b, nodes))
  return edges
}
