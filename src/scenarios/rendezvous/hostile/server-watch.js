import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {import('../../../target/target.js').Target} Target
 *
 * @typedef {object} Cost - of a server in a while; null: it is not known
 * @property {number | null} cpuPercent - of a core
 * @property {number | null} rssBytes - at most
 * @property {number | null} longestTurnMs - of its event loop, CPU time
 */

const SAMPLE_EVERY_MS = 250
const LOOK_EVERY_MS = 500
/** Above what it takes of a core without hostile peers a server has nothing left to do for them. */
const CALM_PERCENT = 5
const MAX_UNTIL_CALM_MS = 60_000
/** Of a server that does not say what it does. */
const PAUSE_MS = 1000

/** ServerWatch measures what a server costs, as far as that can be read. */
export class ServerWatch {
  #target
  /** @type {number | null} */
  #rssBytes = null
  /** @type {{ cpuMs: number | null, atMs: number }} */
  #before = { cpuMs: null, atMs: performance.now() }
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /** @param {Pick<Target, 'control' | 'reading'>} target */
  constructor(target) {
    this.#target = target
    if (target.control === null && target.reading !== null)
      this.#timer = setInterval(() => this.#read().catch(() => {}), SAMPLE_EVERY_MS)
  }

  /** cost is what the server took since this was called last. @returns {Promise<Cost>} */
  async cost() {
    const { cpuMs, rssBytes, longestTurnMs } = await this.#seen()
    const { cpuMs: cpuBefore, atMs: atBefore } = this.#before
    this.#before = { cpuMs, atMs: performance.now() }
    const known = cpuMs !== null && cpuBefore !== null
    const cpuPercent = known ? (100 * (cpuMs - cpuBefore)) / (this.#before.atMs - atBefore) : null
    return { cpuPercent, rssBytes, longestTurnMs }
  }

  /**
   * calm waits until what was sent, and waits in sockets, is worked off: it belongs to no other stretch.
   *
   * @param {number} quietPercent - of a core, that the server takes without hostile peers
   * @param {AbortSignal} [signal]
   * @returns {Promise<boolean>} false: it was not, for as long as it is waited for
   */
  async calm(quietPercent, signal) {
    const until = performance.now() + MAX_UNTIL_CALM_MS
    await this.cost()
    while (performance.now() < until) {
      await sleep(LOOK_EVERY_MS, undefined, { signal })
      const { cpuPercent } = await this.cost()
      if (cpuPercent === null) return sleep(PAUSE_MS - LOOK_EVERY_MS, true, { signal })
      if (cpuPercent <= quietPercent + CALM_PERCENT) return true
    }
    return false
  }

  /** memory is what the server has in use behind a garbage collection. @returns {Promise<{ heapBytes: number, externalBytes: number } | null>} null: it does not say */
  async memory() {
    return (await this.#target.control?.inUse()) ?? null
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #seen() {
    const { control, reading } = this.#target
    if (control !== null) return control.seen()
    if (reading === null) return { cpuMs: null, rssBytes: null, longestTurnMs: null }
    const { cpuMs } = await this.#read()
    const rssBytes = this.#rssBytes
    this.#rssBytes = null
    return { cpuMs, rssBytes, longestTurnMs: null }
  }

  async #read() {
    const reading = await /** @type {NonNullable<Target['reading']>} */ (this.#target.reading)()
    this.#rssBytes = Math.max(this.#rssBytes ?? 0, reading.rssBytes)
    return reading
  }
}
