import { sumOf } from '../../kit/lists.js'

/** @typedef {import('./edge.js').Edge} Edge */

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
  let components = sumOf(included)

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
 * componentOfEach names for each node the component that it is in, by one of its nodes.
 *
 * @param {number} nodes
 * @param {Iterable<Edge>} edges
 * @returns {Int32Array} the same for nodes of the same component
 */
export function componentOfEach(nodes, edges) {
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
