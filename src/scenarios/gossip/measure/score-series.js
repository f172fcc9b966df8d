import { sumOf } from '../../../kit/lists.js'
import { Steps } from '../../../measure/steps.js'
import { middleOf } from '../../../network/gossip/scores.js'

/**
 * @typedef {import('../../../network/node-host.js').ScoreStep} ScoreStep
 * @typedef {import('../../../network/node-host.js').HostEnd} HostEnd
 * @typedef {{ min: number, below: number[], buckets: Map<number, number> }} Told
 */

/** As many as are drawn, and rows of a table. */
const MAX_STEPS = 300

/** ScoreSeries is how the nodes of a network were scored by their peers over time. */
export class ScoreSeries {
  #startNs
  /** @type {Steps<Told>} */
  #steps

  /** @param {number} startNs - what was sampled before is left out */
  constructor(startNs) {
    this.#startNs = startNs
    this.#steps = new Steps({ startNs, most: MAX_STEPS, join: joined })
  }

  /** add takes what a worker sampled. @param {readonly ScoreStep[]} steps */
  add(steps) {
    for (const { atNs, min, below, buckets, counts } of steps) {
      if (atNs < this.#startNs) continue
      const told = {
        min,
        below,
        buckets: new Map(Array.from(buckets, (bucket, i) => [bucket, counts[i]]))
      }
      this.#steps.tell(atNs, before => (before === undefined ? told : joined(before, told)))
    }
  }

  /** result has percentiles to 1 %, and shares that are exact; ascending. */
  result() {
    return this.#steps.result().map(([atMs, { min, below, buckets }]) => {
      const ascending = [...buckets].sort(([a], [b]) => a - b)
      const samples = sumOf(ascending, ([, count]) => count)
      const quantile = (/** @type {number} */ q) => {
        let left = q * samples
        const [bucket] = ascending.find(([, count]) => {
          left -= count
          return left <= 0
        }) ?? [0]
        return Math.max(min, Number(middleOf(bucket).toPrecision(3)))
      }
      const [zero, gossip, publish, graylist] = below.map(count => count / samples)
      return {
        ...{ atMs, samples, min, p5: quantile(0.05), p50: quantile(0.5), p95: quantile(0.95) },
        below: { zero, gossipThreshold: gossip, publishThreshold: publish, graylistThreshold: graylist }
      }
    })
  }
}

/** @param {Told} a @param {Told} b @returns {Told} */
function joined(a, b) {
  const buckets = new Map(a.buckets)
  for (const [bucket, count] of b.buckets) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count)
  return {
    min: Math.min(a.min, b.min),
    below: a.below.map((count, i) => count + b.below[i]),
    buckets
  }
}

/**
 * scoresByNode gives what the peers of each node gave it in the end.
 *
 * @param {readonly Pick<HostEnd, 'scores'>[]} ends
 * @returns {{ node: number, peers: number, median: number, min: number }[]} by node
 */
export function scoresByNode(ends) {
  /** @type {Map<number, number[]>} */
  const nodes = new Map()
  for (const { scores } of ends)
    for (const [row, node] of scores?.peer.entries() ?? []) {
      const own = nodes.get(node) ?? []
      own.push(/** @type {NonNullable<typeof scores>} */ (scores).score[row])
      nodes.set(node, own)
    }
  return [...nodes]
    .sort(([a], [b]) => a - b)
    .map(([node, unsorted]) => {
      const ascending = unsorted.sort((a, b) => a - b)
      const half = ascending.length / 2
      const median = (ascending[Math.ceil(half) - 1] + ascending[Math.floor(half)]) / 2
      return { node, peers: ascending.length, median, min: ascending[0] }
    })
}
