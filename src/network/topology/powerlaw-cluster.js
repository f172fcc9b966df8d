import { distinct } from './barabasi-albert.js'
import { edgeSet } from './edge-set.js'
import { mersenneTwister } from './mersenne-twister.js'

/** @typedef {import('./edge.js').Edge} Edge */

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
export function powerlawCluster({ nodes, m, p, seed }) {
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
