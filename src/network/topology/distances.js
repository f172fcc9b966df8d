/** @typedef {import('./neighbours.js').Neighbours} Neighbours */

/**
 * distances measures the ways between all pairs of nodes, by a breadth-first search from each.
 *
 * @param {Neighbours} graph - connected
 * @returns {{ longest: number, average: number }} hops; both 0 of a single node
 */
export function distances(graph) {
  const nodes = graph.degrees.length
  const search = breadthFirst(graph)
  let longest = 0
  let total = 0
  for (let node = 0; node < nodes; node++) {
    const found = search(node)
    longest = Math.max(longest, found.farthest)
    total += found.total
  }
  return { longest, average: nodes === 1 ? 0 : total / (nodes * (nodes - 1)) }
}

/**
 * breadthFirst keeps its arrays from one search to the next.
 *
 * @param {Neighbours} graph
 * @returns {(from: number) => { farthest: number, total: number }} hops to the farthest node, and to all together
 */
function breadthFirst({ starts, list, degrees }) {
  const nodes = degrees.length
  const queue = new Uint32Array(nodes)
  const hops = new Int32Array(nodes)

  return from => {
    hops.fill(-1)
    hops[from] = 0
    queue[0] = from
    let reached = 1
    let total = 0
    for (let head = 0; head < reached && reached < nodes; head++) {
      const node = queue[head]
      const hop = hops[node] + 1
      for (let i = starts[node]; i < starts[node + 1]; i++) {
        const other = list[i]
        if (hops[other] !== -1) continue
        hops[other] = hop
        total += hop
        queue[reached++] = other
      }
    }
    return { farthest: hops[queue[reached - 1]], total }
  }
}
