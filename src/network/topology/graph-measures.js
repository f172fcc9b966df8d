import { sumOf } from '../../kit/lists.js'
import { median } from '../../kit/median.js'
import { averageClustering } from './average-clustering.js'
import { countComponents } from './count-components.js'
import { distances } from './distances.js'
import { neighbours } from './neighbours.js'

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
