import { sumOf } from '../../kit/lists.js'
import { median } from '../../kit/median.js'
import { countComponents } from './count-components.js'

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

/**
 * distances measures the ways between all pairs of nodes, by a breadth-first search from each.
 *
 * @param {Neighbours} graph - connected
 * @returns {{ longest: number, average: number }} hops; both 0 of a single node
 */
function distances(graph) {
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
function neighbours(nodes, edges) {
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

/** @typedef {import('./edge.js').Edge} Edge */

/**
 * @typedef {object} GraphMeasures - as NetworkX defines them; edges are taken as undirected
 * @property {number} nodes
 * @property {number} edges
 * @property {boolean} connected
 * @property {number} components
 * @property {number | null} diameter - hops between the two nodes farthest apart; null: not connected, or too large a network
 *   to measure all ways
 * @property {number | null} averagePathLength - hops, over all pairs of nodes; null likewise
 * @property {number} averageClustering - share of a node's pairs of neighbours that are neighbours, over all nodes
 * @property {number | null} assortativity - correlation of the degrees at both ends of an edge; null: all degrees are equal
 * @property {number} density - share of the pairs of nodes that are connected
 * @property {{ min: number, avg: number, median: number, max: number }} degrees
 * @property {Record<number, number>} degreeHistogram - nodes by degree
 */

/** A search from every node takes at most this many steps, about a second. */
const MOST_STEPS = 1e9

/**
 * graphMeasures describes the shape of a network.
 *
 * @param {{ nodes: number, edges: Edge[] }} network - of at least one node, each edge once
 * @returns {GraphMeasures}
 */
export function graphMeasures({ nodes, edges }) {
  const graph = neighbours(nodes, edges)
  const components = countComponents(nodes, edges)
  const reachable = components === 1 && nodes * (nodes + 2 * edges.length) <= MOST_STEPS
  const { longest, average } = reachable ? distances(graph) : { longest: null, average: null }
  return {
    nodes,
    edges: edges.length,
    connected: components === 1,
    components,
    diameter: longest,
    averagePathLength: average,
    averageClustering: averageClustering(graph),
    assortativity: assortativity(graph.degrees, edges),
    density: nodes === 1 ? 0 : (2 * edges.length) / (nodes * (nodes - 1)),
    degrees: summary(graph.degrees),
    degreeHistogram: histogram(graph.degrees)
  }
}

/**
 * assortativity is Pearson's correlation over the two ends of all edges, each taken in both directions (Newman 2002).
 *
 * @param {number[]} degrees
 * @param {Edge[]} edges
 */
function assortativity(degrees, edges) {
  const ends = 2 * edges.length
  const sum = sumOf(degrees, degree => degree ** 2)
  const squares = sumOf(degrees, degree => degree ** 3)
  const products = sumOf(edges, ([a, b]) => 2 * degrees[a] * degrees[b])
  const variance = ends * squares - sum ** 2
  return variance === 0 ? null : (ends * products - sum ** 2) / variance
}

/** @param {number[]} degrees */
function summary(degrees) {
  const total = sumOf(degrees)
  const least = degrees.reduce((min, degree) => Math.min(min, degree))
  const most = degrees.reduce((max, degree) => Math.max(max, degree))
  return { min: least, avg: total / degrees.length, median: median(degrees), max: most }
}

/** @param {number[]} degrees */
function histogram(degrees) {
  /** @type {Record<number, number>} */
  const counts = {}
  for (const degree of degrees) counts[degree] = (counts[degree] ?? 0) + 1
  return counts
}
