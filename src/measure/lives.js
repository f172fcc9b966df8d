import { largestOf, present } from '../kit/lists.js'
import { Distribution } from './distribution.js'

/**
 * @typedef {object} LifeSoFar - of an ephemeral node or peer; times in ms since the measurement began
 * @property {number} node
 * @property {number | null} startDueMs - null: it was there from the beginning
 * @property {number | null} startedMs
 * @property {number | null} killDueMs
 * @property {number | null} killedMs
 * @property {string | null} error
 */

/** LISTED_LIVES: more would make a result that nobody opens. Figures are of all. */
export const LISTED_LIVES = 1000

/**
 * Lives keeps what became of ephemeral nodes or peers.
 *
 * @template {LifeSoFar} T
 */
export class Lives {
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
      latestMs: largestOf(lives.flatMap(latenessOf)),
      listed: lives.slice(0, LISTED_LIVES).map(life => ({ ...life })),
      listedAll: lives.length <= LISTED_LIVES
    }
  }

  /**
   * sinceStart summarizes how long after its start something happened to each that was started meanwhile.
   *
   * @param {(life: T) => number | null} atMs - null: it did not happen
   */
  sinceStart(atMs) {
    const times = new Distribution()
    for (const life of this.#started()) {
      const ms = atMs(life)
      if (ms !== null) times.known.record((ms - Number(life.startedMs)) * 1000)
    }
    return times.knownResult()
  }

  #started() {
    return [...this.#lives.values()].filter(
      ({ startDueMs, startedMs }) => startDueMs !== null && startedMs !== null
    )
  }
}

/** @param {LifeSoFar} life @returns {number[]} ms */
const latenessOf = ({ startDueMs, startedMs, killDueMs, killedMs }) =>
  present([
    startDueMs !== null && startedMs !== null && startedMs - startDueMs,
    killDueMs !== null && killedMs !== null && killedMs - killDueMs
  ])
