import { sumOf } from '../../kit/lists.js'
import { latencySampler } from './latency-sampler.js'

/**
 * @typedef {object} LatencyMatrix
 * @property {'matrix'} kind
 * @property {readonly (readonly number[])[]} ms - one way, from the region of the row to that of the column; within a region on the
 *   diagonal
 * @property {readonly number[]} [weights] - how many nodes a region has in relation to the others; equal shares when left out
 * @property {readonly string[]} [names] - of the regions
 * @property {readonly number[]} [regions] - of the nodes; absent: each node is the row of its number, or is placed at random, by weight
 * @property {string} [path] - of the file it was read from
 *
 * @typedef {import('./latency-sampler.js').DrawnLatency | LatencyMatrix} LatencySpec
 * @typedef {(...name: (string | number)[]) => () => number} RandomStreams - random numbers in [0, 1) of a concern
 * @typedef {(from: number, to: number) => number} LinkLatencies - one way, ns, whole; the same at every call
 */

/** @param {readonly number[]} weights @param {number} share - from 0 to below 1 */
function regionAt(weights, share) {
  let left = share * sumOf(weights)
  const region = weights.findIndex(weight => {
    left -= weight
    return left < 0
  })
  // rounding can leave a crumb
  return region === -1 ? weights.length - 1 : region
}

/**
 * @param {LatencyMatrix} matrix
 * @param {{ nodes: number, streams: RandomStreams }} of
 * @returns {LinkLatencies}
 */
function fromMatrix({ ms, weights = ms.map(() => 1), regions: known }, { nodes, streams }) {
  // a row for each node: nobody has to be placed
  const placed = ms.length === nodes
  const regions =
    known ??
    Array.from({ length: nodes }, (_, node) => (placed ? node : regionAt(weights, streams('region', node)())))
  return (from, to) => Math.round(ms[regions[from]][regions[to]] * 1e6)
}

/**
 * linkLatencies gives each link of a network its latency. A drawn one is the same in both directions and depends on nothing but the
 * two nodes, so that a further node changes no other link. Nodes of a matrix with as many rows are its rows, in order; otherwise each
 * node is placed in a region at random, by weight.
 *
 * @param {LatencySpec} spec
 * @param {{ nodes: number, streams: RandomStreams }} of
 * @returns {LinkLatencies}
 */
export function linkLatencies(spec, { nodes, streams }) {
  if (spec.kind === 'matrix') return fromMatrix(spec, { nodes, streams })
  const sample = latencySampler(spec)
  return (from, to) => sample(streams('latency', Math.min(from, to), Math.max(from, to)))
}
