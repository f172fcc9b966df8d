import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {import('../../../target/target.js').Target} Target
 *
 * @typedef {object} Seen - since it was asked last
 * @property {number | null} cpuMs - since it began; null: not known, so for all of it
 * @property {number | null} rssBytes - at most
 * @property {number | null} longestTurnMs
 */

const SAMPLE_EVERY_MS = 250
const LOOK_EVERY_MS = 500
/** Below this share of a core a server has nothing left to do. */
const CALM_SHARE = 0.05
const MOST_UNTIL_CALM_MS = 60_000
/** Of one that does not tell what it does. */
const PAUSE_MS = 1000

/** ServerWatch sees what a server costs, as far as it tells. */
export class ServerWatch {
  #target
  /** @type {number | null} */
  #rssBytes = null
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /** @param {Pick<Target, 'control' | 'reading'>} target */
  constructor(target) {
    this.#target = target
    if (target.control === null && target.reading !== null)
      this.#timer = setInterval(() => this.#read().catch(() => {}), SAMPLE_EVERY_MS)
  }

  /** seen is what there was since it was asked last. @returns {Promise<Seen>} */
  async seen() {
    const { control, reading } = this.#target
    if (control !== null) return control.seen()
    if (reading === null) return { cpuMs: null, rssBytes: null, longestTurnMs: null }
    const { cpuMs } = await this.#read()
    const seen = { cpuMs, rssBytes: this.#rssBytes, longestTurnMs: null }
    this.#rssBytes = null
    return seen
  }

  async #read() {
    const reading = await /** @type {NonNullable<Target['reading']>} */ (this.#target.reading)()
    this.#rssBytes = Math.max(this.#rssBytes ?? 0, reading.rssBytes)
    return reading
  }

  /** calm waits until what was sent, and waits in sockets, is worked off: it belongs to no quiet stretch. */
  async calm() {
    const most = performance.now() + MOST_UNTIL_CALM_MS
    let before = await this.seen()
    if (before.cpuMs === null) return sleep(PAUSE_MS)
    for (let share = 1; share > CALM_SHARE && performance.now() < most; ) {
      const began = performance.now()
      await sleep(LOOK_EVERY_MS)
      const now = await this.seen()
      share = (Number(now.cpuMs) - Number(before.cpuMs)) / (performance.now() - began)
      before = now
    }
  }

  stop() {
    clearInterval(this.#timer)
  }
}
