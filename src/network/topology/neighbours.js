/**
 * @typedef {object} Neighbours - the lists of all nodes in one array: those of node i stand from starts[i] to before
 *   starts[i + 1]
 * @property {Uint32Array} starts
 * @property {Uint32Array} list
 * @property {number[]} degrees
 */

/**
 * neighbours lays out a network for searches from many nodes.
 *
 * @param {number} nodes
 * @param {import('./edge.js').Edge[]} edges
 * @returns {Neighbours}
 */
export function neighbours(nodes, edges) {
  const degrees = Array(nodes).fill(0)
  for (const [a, b] of edges) {
    degrees[a]++
    degrees[b]++
  }
  const starts = new Uint32Array(nodes + 1)
  for (let node = 0; node < nodes; node++) starts[node + 1] = starts[node] + degrees[node]
  const list = new Uint32Array(2 * edges.length)
  const next = starts.slice()
  for (const [a, b] of edges) {
    list[next[a]++] = b
    list[next[b]++] = a
  }
  return { starts, list, degrees }
}
