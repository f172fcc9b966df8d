/** Heartbeats come twice a second: after five that did not come somebody is lost. */
const LOST_AFTER_MS = 2500
/** A bus that is started again is there after less. */
const BUS_LOST_AFTER_MS = 10_000
/** Whoever looks is late by more only where it was stopped itself, and could hear nobody. */
const LATE_LOOK_MS = 1000

/** BUS is the bus itself, which answers heartbeats: while it does not, nothing is known of others. */
export const BUS = 'bus'
const QUIET_MS = 1200

/**
 * @typedef {{ kind: 'lost', key: string, silentMs: number } | { kind: 'back', key: string }} SilenceEvent
 */

/** Silence notices who has not been heard of for too long, by the clock of whoever listens. */
export class Silence {
  #now
  #tell
  #lookedMs
  #isCut = false
  /** @type {Map<string, { heardMs: number, lost: boolean }>} */
  #expected = new Map()

  /** @param {{ now: () => number, tell: (event: SilenceEvent) => void }} components - `now`: ms, monotonic */
  constructor({ now, tell }) {
    this.#now = now
    this.#tell = tell
    this.#lookedMs = now()
  }

  /** expect to hear of somebody from now on. @param {string} key */
  expect(key) {
    this.#expected.set(key, { heardMs: this.#now(), lost: false })
  }

  /** forget somebody. @param {string} key */
  forget(key) {
    this.#expected.delete(key)
  }

  /** cut says that the link to the bus has gone: it has to be heard of again before others can be. */
  cut() {
    this.#isCut = true
  }

  /** heard of somebody. @param {string} key */
  heard(key) {
    const one = this.#expected.get(key)
    if (one === undefined) return
    const nowMs = this.#now()
    // who speaks over the bus could not be heard meanwhile
    if (key === BUS && this.#busIsQuiet(nowMs))
      for (const other of this.#expected.values()) other.heardMs = nowMs
    if (key === BUS) this.#isCut = false
    one.heardMs = nowMs
    if (one.lost) this.#tell({ kind: 'back', key })
    one.lost = false
  }

  /** @param {number} nowMs */
  #busIsQuiet(nowMs) {
    const bus = this.#expected.get(BUS)
    return bus !== undefined && (this.#isCut || nowMs - bus.heardMs > QUIET_MS)
  }

  /** look notices who is silent. */
  look() {
    const nowMs = this.#now()
    const sinceMs = nowMs - this.#lookedMs
    const deafMs = sinceMs > LATE_LOOK_MS ? sinceMs : 0
    this.#lookedMs = nowMs
    for (const [key, one] of this.#expected) {
      one.heardMs += deafMs
      const silentMs = nowMs - one.heardMs
      if (key !== BUS && this.#busIsQuiet(nowMs)) continue
      if (one.lost || silentMs < (key === BUS ? BUS_LOST_AFTER_MS : LOST_AFTER_MS)) continue
      one.lost = true
      this.#tell({ kind: 'lost', key, silentMs })
    }
  }
}
