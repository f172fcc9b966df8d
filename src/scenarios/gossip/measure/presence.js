/**
 * @typedef {import('../../../load/rotation-schedule.js').Life} Life
 *
 * @typedef {'settled' | 'joining' | 'leaving' | 'earlier' | 'gone'} PresenceKind - of a node when a message was published; settled: it
 *   is expected to receive it; joining: it was started less than `settleMs` before; leaving: it is killed less than LEAVING_MS
 *   after; earlier: it was started only after; gone: it had been killed
 */

/** LEAVING_MS: a message can be under way for so long when its receiver is killed. */
export const LEAVING_MS = 1000

/** Presence tells which nodes were there when a message was published, by the schedule of their lives. */
export class Presence {
  #lives
  #stable
  #startUs
  #settleMs

  /**
   * @param {object} rotation
   * @param {number} rotation.stable - nodes that are always there: those with the first numbers
   * @param {readonly Life[]} rotation.lives - of the others, by node
   * @param {number} rotation.settleMs
   * @param {number} rotation.startUs - of the publish phase
   */
  constructor({ stable, lives, settleMs, startUs }) {
    this.#stable = stable
    this.#lives = lives
    this.#settleMs = settleMs
    this.#startUs = startUs
  }

  /** @param {number} node @param {number} publishedUs @returns {PresenceKind} */
  of(node, publishedUs) {
    if (node < this.#stable) return 'settled'
    const { startMs, killMs } = this.#lives[node - this.#stable]
    const ms = (publishedUs - this.#startUs) / 1000
    if (killMs !== null && ms >= killMs) return 'gone'
    if (startMs !== null && ms < startMs) return 'earlier'
    if (startMs !== null && ms < startMs + this.#settleMs) return 'joining'
    return killMs !== null && ms >= killMs - LEAVING_MS ? 'leaving' : 'settled'
  }
}
