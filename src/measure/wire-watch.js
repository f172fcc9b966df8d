/**
 * @typedef {import('./turns.js').Turns} Turns
 *
 * @typedef {object} Stage - from when something is sent to when its answer was understood
 * @property {bigint} beganNs
 * @property {bigint | null} writtenNs - its first bytes were handed to the system; null: not yet
 */

/**
 * WireWatch tells the time in which the bytes of an operation were on their way or with the server from the time in which they were
 * with the client, whatever it did with them. It stands between a client's connections and their encryption.
 */
export class WireWatch {
  #turns
  #clock
  /** @type {Stage[]} whose bytes were not handed to the system yet */
  #unwritten = []
  /** @type {bigint | null} when bytes last came */
  #readNs = null
  /** @type {import('./turns.js').Waited} what they had waited by then */
  #waited = { total: 0, most: 0 }
  /** How long the thread had waited for a core by then. */
  #coreWaitNs = 0
  /** The shortest time from bytes that were written to those of the answer: no answer came sooner. */
  #fastestNs = Infinity
  /** No bytes were handed to the system sooner. */
  #fastestSendNs = Infinity

  /** @param {Turns} turns @param {() => bigint} [clock] - ns */
  constructor(turns, clock = process.hrtime.bigint) {
    this.#turns = turns
    this.#clock = clock
  }

  /**
   * wrote is called when bytes were handed to the system. The way through TCP transport, socket and system call is the client's. But where the
   * packet wakes a server up on the same core, the call returns when the server is done: what it took beyond twice the fastest is not counted.
   *
   * @param {number} tookNs
   */
  wrote(tookNs) {
    this.#fastestSendNs = Math.min(this.#fastestSendNs, tookNs)
    if (this.#unwritten.length === 0) return
    const writtenNs = this.#clock() - BigInt(Math.max(0, tookNs - 2 * this.#fastestSendNs))
    for (const stage of this.#unwritten) stage.writtenNs = writtenNs
    this.#unwritten = []
  }

  /** read is called when bytes have come. */
  read() {
    this.#readNs = this.#clock()
    this.#waited = this.#turns.event(this.#readNs)
    this.#coreWaitNs = this.#turns.coreWaitNs(this.#readNs)
  }

  /**
   * heard is what those bytes had waited when what they say is understood: before they were read, and for a core since.
   *
   * @param {bigint} nowNs
   * @returns {number} ns
   */
  heard(nowNs) {
    if (this.#readNs === null) return 0
    const withoutCoreNs = this.#turns.coreWaitNs(nowNs) - this.#coreWaitNs
    return this.#waited.total + Math.min(Number(nowNs - this.#readNs), withoutCoreNs)
  }

  /** begin is called before something is sent. @param {bigint} beganNs @returns {Stage} */
  begin(beganNs) {
    const stage = { beganNs, writtenNs: null }
    this.#unwritten.push(stage)
    return stage
  }

  /**
   * end is called when the answer was understood.
   *
   * @param {Stage} stage
   * @param {bigint} endNs
   * @returns {number} ns of it that were with the client
   */
  end({ beganNs, writtenNs }, endNs) {
    const wholeNs = Number(endNs - beganNs)
    // a stack that tells nothing of its bytes: what the client itself did with them is not known
    if (writtenNs === null || this.#readNs === null || this.#readNs < writtenNs)
      return Math.min(wholeNs, this.#turns.event(endNs).total)
    const answeredNs = Number(this.#readNs - writtenNs)
    this.#fastestNs = Math.min(this.#fastestNs, answeredNs)
    return wholeNs - answeredNs + waitedWithin(answeredNs - this.#fastestNs, this.#waited)
  }
}

/**
 * What an answer waited that came within the last `roomNs`: where it could have come before, half of the time that is left.
 *
 * @param {number} roomNs
 * @param {import('./turns.js').Waited} waited
 */
const waitedWithin = (roomNs, { total, most }) => Math.min(roomNs, total - Math.max(0, most - roomNs) / 2)
