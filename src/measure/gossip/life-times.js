import { Histogram } from '../histogram.js'
import { SparseHistogram } from '../sparse-histogram.js'
import { summarize } from '../summary.js'

/**
 * @typedef {import('../../load/rotation-schedule.js').Life} Life
 * @typedef {import('../../network/node-host.js').NodeChange} NodeChange
 * @typedef {import('../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {import('../../result/rotation-types.js').LifeResult} LifeResult
 */

/** LISTED_LIVES: more would make a result that nobody opens. Figures are of all. */
export const LISTED_LIVES = 1000

/** LifeTimes follows what became of the ephemeral nodes. */
export class LifeTimes {
  #startNs
  /** @type {Map<number, LifeResult>} by node */
  #results

  /**
   * @param {readonly Life[]} lives
   * @param {number} startNs - of the publish phase
   */
  constructor(lives, startNs) {
    this.#startNs = startNs
    this.#results = new Map(lives.map(life => [life.node, begun(life)]))
  }

  /** change takes what a host did. @param {readonly NodeChange[]} changes */
  change(changes) {
    for (const { node, startedNs, connectedNs, killedNs, dialsFailed, error } of changes) {
      const life = this.#results.get(node)
      if (life === undefined) continue
      if (startedNs !== undefined) life.startedMs = this.#ms(startedNs)
      if (connectedNs !== undefined) life.connectedMs = this.#ms(connectedNs)
      if (killedNs !== undefined) life.killedMs = this.#ms(killedNs)
      if (dialsFailed !== undefined) life.dialsFailed = dialsFailed
      if (error !== undefined) life.error = error
    }
  }

  /** receive takes all receipts. @param {ReceivedRows} rows */
  receive({ node, atNs }) {
    for (let i = 0; i < node.length; i++) {
      const life = this.#results.get(node[i])
      if (life === undefined) continue
      const ms = this.#ms(atNs[i])
      life.firstDeliveryMs = Math.min(life.firstDeliveryMs ?? Number.POSITIVE_INFINITY, ms)
    }
  }

  result() {
    const lives = [...this.#results.values()]
    const later = lives.filter(({ startDueMs }) => startDueMs !== null)
    const started = later.filter(({ startedMs }) => startedMs !== null)
    return {
      lives: {
        started: started.length,
        killed: lives.filter(({ killedMs }) => killedMs !== null).length,
        failed: started.filter(({ error }) => error !== null).length,
        latestMs: lives.flatMap(latenessOf).reduce((most, ms) => Math.max(most, ms), 0),
        listed: lives.slice(0, LISTED_LIVES).map(life => ({ ...life })),
        listedAll: lives.length <= LISTED_LIVES
      },
      connect: distributionOf(started.map(sinceStart('connectedMs'))).summary,
      firstDelivery: distributionOf(started.map(sinceStart('firstDeliveryMs')))
    }
  }

  /** @param {number} ns */
  #ms(ns) {
    return (ns - this.#startNs) / 1e6
  }
}

/** @param {Life} life @returns {LifeResult} */
const begun = ({ node, slot, startMs, killMs }) => ({
  node,
  slot,
  startDueMs: startMs,
  startedMs: null,
  connectedMs: null,
  firstDeliveryMs: null,
  killDueMs: killMs,
  killedMs: null,
  dialsFailed: 0,
  error: null
})

/** @param {LifeResult} life @returns {number[]} ms */
const latenessOf = ({ startDueMs, startedMs, killDueMs, killedMs }) => [
  ...(startDueMs !== null && startedMs !== null ? [startedMs - startDueMs] : []),
  ...(killDueMs !== null && killedMs !== null ? [killedMs - killDueMs] : [])
]

/** @param {'connectedMs' | 'firstDeliveryMs'} what @returns {(life: LifeResult) => number | null} ms */
const sinceStart = what => life =>
  life[what] === null || life.startedMs === null ? null : life[what] - life.startedMs

/** @param {(number | null)[]} times - ms */
function distributionOf(times) {
  const sparse = new SparseHistogram()
  for (const ms of times) if (ms !== null) sparse.record(ms * 1000)
  const histogram = new Histogram()
  try {
    histogram.merge(sparse.toData())
    return { summary: summarize(histogram), histogram: histogram.encode() }
  } finally {
    histogram.destroy()
  }
}
