import { cpythonIntSet } from './cpython-int-set.js'
import { mersenneTwister } from './mersenne-twister.js'

/** @typedef {import('./edge.js').Edge} Edge */

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
export function distinct(count, draw) {
  const found = cpythonIntSet()
  while (found.size() < count) found.add(draw())
  return found.members()
}
