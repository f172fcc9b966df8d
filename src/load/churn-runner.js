// Starts and kills the peers of a process at the times of a churn schedule, and records what it did.
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {import('./churn.js').Life} Life
 * @typedef {import('./churn.js').LifeChange} LifeChange
 *
 * @typedef {object} ChurnRunnerComponents
 * @property {() => number} now - ns
 * @property {(node: number) => Promise<void>} start
 * @property {(from: number, to: number) => Promise<string | null>} dial - gives what went wrong
 * @property {(node: number) => Promise<void>} kill
 */

/** ChurnRunner starts and kills nodes of a host when they are due, and keeps what it did until that is taken. */
export class ChurnRunner {
  #components
  /** @type {LifeChange[]} */
  #changes = []
  #ending = new AbortController()

  /** @param {ChurnRunnerComponents} components */
  constructor(components) {
    this.#components = components
  }

  /**
   * run goes through the lives of this host's nodes.
   *
   * @param {{ lives: readonly Life[], startNs: number }} churning
   * @returns {Promise<void>} when the last one was started or killed, or after `abort`
   */
  async run({ lives, startNs }) {
    this.#ending = new AbortController()
    // each life waits for it
    setMaxListeners(lives.length, this.#ending.signal)
    await Promise.all(lives.map(life => this.#live(life, startNs)))
  }

  /** abort starts and kills no more. */
  abort() {
    this.#ending.abort()
  }

  /** take hands over what was done since the last time. @returns {LifeChange[]} */
  take() {
    const taken = this.#changes
    this.#changes = []
    return taken
  }

  /** @param {Life} life @param {number} startNs */
  async #live({ node, startMs, killMs, dials }, startNs) {
    const isUp = startMs === null || (await this.#begin(node, startNs + startMs * 1e6, dials))
    if (killMs === null || !isUp || !(await this.#until(startNs + killMs * 1e6))) return
    const { kill, now } = this.#components
    const killedNs = now()
    await kill(node)
    this.#changes.push({ node, killedNs })
  }

  /** @param {number} node @param {number} dueNs @param {readonly number[]} dials @returns {Promise<boolean>} whether it is up */
  async #begin(node, dueNs, dials) {
    if (!(await this.#until(dueNs))) return false
    const { start, dial, now } = this.#components
    this.#changes.push({ node, startedNs: now() })
    try {
      await start(node)
    } catch (error) {
      this.#changes.push({ node, error: /** @type {Error} */ (error).message })
      return false
    }
    const errors = (await Promise.all(dials.map(to => dial(node, to)))).filter(error => error !== null)
    const change = { node, dialsFailed: errors.length }
    const isJoined = errors.length < dials.length
    this.#changes.push(isJoined ? { ...change, connectedNs: now() } : { ...change, error: errors[0] })
    return true
  }

  /** @param {number} dueNs @returns {Promise<boolean>} whether it is due now; false: it is not to be done any more */
  async #until(dueNs) {
    const { signal } = this.#ending
    const leftMs = () => (dueNs - this.#components.now()) / 1e6
    // timers count whole ms, and may come up to one early
    while (leftMs() > 0 && !signal.aborted)
      await sleep(Math.ceil(leftMs()), undefined, { signal }).catch(() => {})
    return !signal.aborted
  }
}
