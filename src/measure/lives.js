// Records when short-lived nodes or peers of a run were started and killed, and summarizes this for the result.
import { findLargest, omitMissing } from '../kit/collections.js'
import { Distribution } from './distribution.js'

/**
 * @typedef {import('../report/schema.js').Shape<typeof import('../report/schema.js').timesSinceStart>} TimesSinceStart
 *
 * @typedef {object} RecordedLife - of an ephemeral node or peer; times in ms since the measurement began
 * @property {number} node
 * @property {number | null} startDueMs - null: it was there from the beginning
 * @property {number | null} startedMs
 * @property {number | null} killDueMs
 * @property {number | null} killedMs
 * @property {string | null} error
 */

/** MAX_LISTED_LIVES: more would make a result that nobody opens. Figures are of all. */
export const MAX_LISTED_LIVES = 1000

/**
 * LifeRecords keeps what became of ephemeral nodes or peers.
 *
 * @template {RecordedLife} T
 */
export class LifeRecords {
  #startNs
  /** @type {Map<number, T>} by node */
  #lives

  /** @param {readonly T[]} lives @param {number} startNs - of the measurement */
  constructor(lives, startNs) {
    this.#startNs = startNs
    this.#lives = new Map(lives.map(life => [life.node, life]))
  }

  /** @param {number} node @returns {T | undefined} undefined: it is none of these */
  of(node) {
    return this.#lives.get(node)
  }

  /**
   * change takes what became of them.
   *
   * @param {readonly import('../load/churn.js').LifeChange[]} changes
   */
  change(changes) {
    for (const { node, ...became } of changes) {
      const life = this.of(node)
      for (const [name, value] of Object.entries(became)) {
        const own = name.replace(/Ns$/, 'Ms')
        // not every life keeps all of it
        if (life === undefined || value === undefined || !(own in life)) continue
        Object.assign(life, { [own]: typeof value === 'number' && own !== name ? this.ms(value) : value })
      }
    }
  }

  /** @param {number} ns - on the clock of the host @returns {number} ms since the measurement began */
  ms(ns) {
    return (ns - this.#startNs) / 1e6
  }

  /** counts tells how many there were, and lists them. */
  counts() {
    const lives = [...this.#lives.values()]
    const started = this.#started()
    return {
      started: started.length,
      killed: lives.filter(({ killedMs }) => killedMs !== null).length,
      failed: started.filter(({ error }) => error !== null).length,
      latestMs: findLargest(lives.flatMap(latenessOf)),
      listed: lives.slice(0, MAX_LISTED_LIVES).map(life => ({ ...life })),
      listedAll: lives.length <= MAX_LISTED_LIVES
    }
  }

  /**
   * sinceStart summarizes how long after its start something happened to each that was started meanwhile. Where it did not, all that is
   * known is that it would have taken longer than the life.
   *
   * @param {(life: T) => number | null} atMs - null: it did not happen
   * @param {number | null} untilMs - the end; null: it has not come, and to those that are there it may still happen
   * @returns {{ summary: TimesSinceStart, histogram: string }} `histogram`: of those to which it happened
   */
  sinceStart(atMs, untilMs) {
    const times = new Distribution()
    for (const life of this.#started()) {
      const happenedMs = atMs(life)
      const overMs = happenedMs ?? endOf(life, untilMs)
      if (overMs === null) continue
      const { known, censored } = times
      const those = happenedMs === null ? censored : known
      those.record(Math.max(0, overMs - Number(life.startedMs)) * 1000)
    }
    const { all, histogram } = times.result()
    return { summary: { ...all, never: times.censored.count }, histogram }
  }

  #started() {
    return [...this.#lives.values()].filter(
      ({ startDueMs, startedMs }) => startDueMs !== null && startedMs !== null
    )
  }
}

/** What could not be started is not killed either. @param {RecordedLife} life @param {number | null} untilMs @returns {number | null} */
const endOf = ({ killDueMs, killedMs }, untilMs) =>
  killedMs ?? (untilMs === null ? null : Math.min(killDueMs ?? untilMs, untilMs))

/** @param {RecordedLife} life @returns {number[]} ms */
const latenessOf = ({ startDueMs, startedMs, killDueMs, killedMs }) =>
  omitMissing([
    startDueMs !== null && startedMs !== null && startedMs - startDueMs,
    killDueMs !== null && killedMs !== null && killedMs - killDueMs
  ])
