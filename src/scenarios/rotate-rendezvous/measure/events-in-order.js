/**
 * @typedef {object} RegisterEvent - a REGISTER with a good reply; all times in ns on the monotonic clock of the host
 * @property {'registered'} kind
 * @property {number} atNs - when the reply came
 * @property {number} node
 * @property {number} ns - which namespace
 * @property {number} ttlSeconds - granted
 * @property {boolean} certain - false: the peer was killed before the reply came
 *
 * @typedef {{ kind: 'killed', atNs: number, node: number }} KillEvent
 *
 * @typedef {object} ReplyEvent - a good reply to DISCOVER
 * @property {'reply'} kind
 * @property {number} atNs
 * @property {number} sentNs - when it was asked for
 * @property {number} node - the discoverer
 * @property {number} ns
 * @property {Uint32Array} peers - numbers of the peers whose records it held, in its order
 * @property {number} unknown - records of peers that are none of this run
 *
 * @typedef {{ kind: 'counted', atNs: number, registrations: number | null }} CountEvent - how many registrations the server holds; null:
 *   it does not say
 *
 * @typedef {RegisterEvent | KillEvent | ReplyEvent | CountEvent} RotateRendezvousEvent
 */

/**
 * EventsInOrder puts what several processes tell into the order in which it happened. An event is given out once every process has told
 * of the time up to it.
 */
export class EventsInOrder {
  /** @type {RotateRendezvousEvent[]} */
  #waiting = []
  /** @type {number[]} by process */
  #toldNs

  /** @param {number} processes @param {number} startNs */
  constructor(processes, startNs) {
    this.#toldNs = Array(processes).fill(startNs)
  }

  /** toldNs is the time up to which everything is known. */
  get toldNs() {
    return Math.min(...this.#toldNs)
  }

  /**
   * add takes what a process tells.
   *
   * @param {readonly RotateRendezvousEvent[]} events
   * @param {{ process: number, untilNs: number } | null} told - all there is of the process until then; null: of none of them
   */
  add(events, told) {
    for (const event of events) this.#waiting.push(event)
    if (told !== null) this.#toldNs[told.process] = Math.max(this.#toldNs[told.process], told.untilNs)
  }

  /** take gives out what is in order now. @returns {RotateRendezvousEvent[]} */
  take() {
    return this.#upTo(this.toldNs)
  }

  /** takeAll gives out the rest, when nothing more will be told. @returns {RotateRendezvousEvent[]} */
  takeAll() {
    return this.#upTo(Infinity)
  }

  /** @param {number} untilNs */
  #upTo(untilNs) {
    const due = this.#waiting.filter(({ atNs }) => atNs <= untilNs).sort((a, b) => a.atNs - b.atNs)
    this.#waiting = this.#waiting.filter(({ atNs }) => atNs > untilNs)
    return due
  }
}
