/**
 * @typedef {import('./turns.js').Turns} Turns
 *
 * @typedef {object} Stage - from when something is sent to when its answer was understood
 * @property {bigint} beganNs
 * @property {bigint | null} writtenNs - its first bytes were handed to the system; null: not yet
 * @property {number} machineNs - of the time before that: waited for a core
 *
 * @typedef {object} Added - to an operation, in ns
 * @property {number} waitedNs - by generator and machine
 * @property {number} machineNs - of that: by the machine
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
  #waited = { total: 0, most: 0, machine: 0 }
  /** The shortest time from bytes that were written to those of the answer: no answer came sooner. */
  #fastestNs = Infinity

  /** @param {Turns} turns @param {() => bigint} [clock] - ns */
  constructor(turns, clock = process.hrtime.bigint) {
    this.#turns = turns
    this.#clock = clock
  }

  /** wrote is called when bytes are handed to the system. */
  wrote() {
    if (this.#unwritten.length === 0) return
    const nowNs = this.#clock()
    for (const stage of this.#unwritten) {
      stage.writtenNs = nowNs
      stage.machineNs = this.#turns.stretch(Number(nowNs - stage.beganNs))
    }
    this.#unwritten = []
  }

  /** read is called when bytes have come. */
  read() {
    this.#readNs = this.#clock()
    this.#waited = this.#turns.event(this.#readNs)
  }

  /**
   * heard is what those bytes had waited when what they say is understood.
   *
   * @param {bigint} nowNs
   * @returns {import('./turns.js').Waited}
   */
  heard(nowNs) {
    const { total, most, machine: before } = this.#waited
    const sinceNs = this.#readNs === null ? 0 : Number(nowNs - this.#readNs)
    // the turn may have waited for a core before the bytes were read, too: that is counted already
    const machine = Math.min(sinceNs, Math.max(0, this.#turns.stretch(sinceNs + total) - before))
    return { total: total + machine, most: most + machine, machine: before + machine }
  }

  /** begin is called before something is sent. @param {bigint} beganNs @returns {Stage} */
  begin(beganNs) {
    const stage = { beganNs, writtenNs: null, machineNs: 0 }
    this.#unwritten.push(stage)
    return stage
  }

  /**
   * end is called when the answer was understood.
   *
   * @param {Stage} stage
   * @param {bigint} endNs
   * @param {Added} added - to the operation: is counted up
   */
  end(stage, endNs, added) {
    const { waitedNs, machineNs } = this.#inStage(stage, endNs)
    added.waitedNs += Math.min(waitedNs, Number(endNs - stage.beganNs))
    added.machineNs += machineNs
  }

  /** @param {Stage} stage @param {bigint} endNs @returns {Added} */
  #inStage({ beganNs, writtenNs, machineNs }, endNs) {
    if (writtenNs === null || this.#readNs === null || this.#readNs < writtenNs) {
      // a stack that tells nothing of its bytes: what the client itself did with them is not known
      const { total, machine } = this.#turns.event(endNs)
      return { waitedNs: total, machineNs: machine }
    }
    const answeredNs = Number(this.#readNs - writtenNs)
    this.#fastestNs = Math.min(this.#fastestNs, answeredNs)
    const readNs = waitedWithin(answeredNs - this.#fastestNs, this.#waited)
    const ownNs = Number(writtenNs - beganNs) + Number(endNs - this.#readNs)
    return {
      waitedNs: ownNs + readNs,
      machineNs:
        machineNs + Math.min(readNs, this.#waited.machine) + this.#turns.stretch(Number(endNs - this.#readNs))
    }
  }
}

/**
 * What an answer waited that came within the last `roomNs`: where it could have come before, half of the time that is left.
 *
 * @param {number} roomNs
 * @param {import('./turns.js').Waited} waited
 */
const waitedWithin = (roomNs, { total, most }) => Math.min(roomNs, total - Math.max(0, most - roomNs) / 2)
