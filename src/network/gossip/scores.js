/**
 * @typedef {import('../node-host.js').ScoreStep} ScoreStep
 * @typedef {{ min: number, below: number[], buckets: Map<number, number> }} Step
 */

/** Scores nearer to 0 count as 0. */
const LEAST = 1e-3
/** A bucket is 2 % wide: its middle is within 1 % of each value in it. */
const WIDTH = Math.log(1.02)
const MIN_STEP_MS = 1000

/** bucketOf gives the bucket of a value. @param {number} value */
export const bucketOf = value =>
  Math.abs(value) < LEAST ? 0 : Math.sign(value) * (1 + Math.round(Math.log(Math.abs(value) / LEAST) / WIDTH))

/** middleOf gives the middle of a bucket. @param {number} bucket */
export const middleOf = bucket =>
  bucket === 0 ? 0 : Math.sign(bucket) * LEAST * Math.exp((Math.abs(bucket) - 1) * WIDTH)

/**
 * What a node's gossipsub holds of its peers.
 *
 * @param {any} gossipsub
 */
const isKnown = ({ score, opts }) =>
  typeof score?.computeScore === 'function' && score.peerStats instanceof Map && opts?.scoreThresholds != null

/**
 * ScoreWatch samples the scores that nodes give their peers, once in each step of time: at a heartbeat, or a second where heartbeats are more
 * frequent. The library keeps a score for as long as a heartbeat once it was asked for: to ask would change what it uses later. So the score
 * is computed by the library's own function, which changes nothing.
 */
export class ScoreWatch {
  #now
  #peers
  #stepNs
  /** @type {Map<number, any>} gossipsub by node */
  #nodes = new Map()
  /** @type {Map<number, Step>} since the last `take` */
  #steps = new Map()

  /**
   * @param {object} components
   * @param {() => number} components.now - ns
   * @param {import('./peer-numbers.js').PeerNumbers} components.peers
   * @param {number} components.heartbeatMs
   */
  constructor({ now, peers, heartbeatMs }) {
    this.#now = now
    this.#peers = peers
    this.#stepNs = Math.max(MIN_STEP_MS, heartbeatMs) * 1e6
  }

  /** watch samples a node's scores from now on. @param {number} node @param {any} gossipsub */
  watch(node, gossipsub) {
    if (!isKnown(gossipsub)) return
    this.#nodes.set(node, gossipsub)
    let last = -1
    gossipsub.addEventListener('gossipsub:heartbeat', () => {
      const step = Math.floor(this.#now() / this.#stepNs)
      if (step === last || this.#nodes.get(node) !== gossipsub) return
      last = step
      this.#sample(step, gossipsub)
    })
  }

  /** forget samples a node no more. @param {number} node */
  forget(node) {
    this.#nodes.delete(node)
  }

  /** take is what was sampled since the last time. @returns {ScoreStep[]} */
  take() {
    const steps = [...this.#steps].map(([step, { min, below, buckets }]) => ({
      atNs: step * this.#stepNs,
      ...{ min, below },
      buckets: Int16Array.from(buckets.keys()),
      counts: Uint32Array.from(buckets.values())
    }))
    this.#steps = new Map()
    return steps
  }

  /** ofPeers gives the scores of just now. @returns {{ peer: Uint16Array, score: Float64Array }} a row for each node and peer of it */
  ofPeers() {
    const rows = [...this.#nodes.values()].flatMap(gossipsub =>
      scoresIn(gossipsub).flatMap(({ id, score }) => {
        const peer = this.#peers.nodeOf(id)
        return peer === undefined ? [] : [{ peer, score }]
      })
    )
    return {
      peer: Uint16Array.from(rows, ({ peer }) => peer),
      score: Float64Array.from(rows, ({ score }) => score)
    }
  }

  /** @param {number} at @param {any} gossipsub */
  #sample(at, gossipsub) {
    const { gossipThreshold, publishThreshold, graylistThreshold } = gossipsub.opts.scoreThresholds
    const limits = [0, gossipThreshold, publishThreshold, graylistThreshold]
    const step = this.#steps.get(at) ?? { min: Infinity, below: limits.map(() => 0), buckets: new Map() }
    for (const { score } of scoresIn(gossipsub)) {
      const bucket = bucketOf(score)
      step.buckets.set(bucket, (step.buckets.get(bucket) ?? 0) + 1)
      step.min = Math.min(step.min, score)
      for (const [i, limit] of limits.entries()) if (score < limit) step.below[i]++
    }
    if (step.buckets.size > 0) this.#steps.set(at, step)
  }
}

/** Of connected peers. @param {any} gossipsub @returns {{ id: string, score: number }[]} */
const scoresIn = ({ score: { peerStats, params, peerIPs, computeScore } }) =>
  [...peerStats].flatMap(([id, stats]) =>
    stats.connected ? [{ id, score: computeScore(id, stats, params, peerIPs) }] : []
  )
