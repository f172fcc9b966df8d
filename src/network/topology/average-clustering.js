/** @typedef {import('./neighbours.js').Neighbours} Neighbours */

/**
 * averageClustering is the mean of the nodes' local clustering (Watts and Strogatz 1998): the share of the pairs of a node's
 * neighbours that are neighbours themselves, 0 of a node with less than two.
 *
 * @param {Neighbours} graph - of at least one node
 * @returns {number} from 0 to 1
 */
export function averageClustering(graph) {
  const total = triangles(graph).reduce((sum, count, node) => {
    const degree = graph.degrees[node]
    return degree < 2 ? sum : sum + (2 * count) / (degree * (degree - 1))
  }, 0)
  return total / graph.degrees.length
}

/**
 * triangles counts those each node is part of. Only neighbours of a higher degree are looked at, so that a hub, whose pairs
 * of neighbours are many, costs no more than any other node.
 *
 * @param {Neighbours} graph
 * @returns {number[]}
 */
function triangles(graph) {
  const upwards = higherNeighbours(graph)
  const counts = Array(upwards.length).fill(0)
  const marks = new Int32Array(upwards.length).fill(-1)
  upwards.forEach((others, node) => {
    for (const other of others) marks[other] = node
    for (const other of others) {
      for (const third of upwards[other]) {
        if (marks[third] !== node) continue
        counts[node]++
        counts[other]++
        counts[third]++
      }
    }
  })
  return counts
}

/**
 * @param {Neighbours} graph
 * @returns {Uint32Array[]} of each node the neighbours that come after it by degree, then by number
 */
function higherNeighbours({ starts, list, degrees }) {
  return degrees.map((degree, node) =>
    list
      .subarray(starts[node], starts[node + 1])
      .filter(other => degrees[other] > degree || (degrees[other] === degree && other > node))
  )
}
