import { collectGarbage } from '../../../measure/own-memory.js'

const LOOK_EVERY_MS = 20

/**
 * ownUsage reads what this process has used so far.
 *
 * @returns {{ cpuMicros: number, rssBytes: number }}
 */
export function ownUsage() {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() }
}

/** A second half that was over sooner came out of buffers, whatever the line is like. */
const MIN_SECONDS = 0.05

/**
 * Receipts keeps when half of a transfer had arrived: the rate from then on is that of the steady state, when windows have grown and the
 * line is full.
 */
export class Receipts {
  #expectedBytes
  #bytes = 0
  /** @type {{ ns: bigint, bytes: number } | null} */
  #half = null
  /** @type {{ ns: bigint, bytes: number } | null} */
  #last = null

  /** @param {number} expectedBytes - in all its streams together */
  constructor(expectedBytes) {
    this.#expectedBytes = expectedBytes
  }

  /** bytes that arrived. */
  get bytes() {
    return this.#bytes
  }

  /** took notes a piece that arrived. @param {number} bytes @param {bigint} ns - when */
  took(bytes, ns) {
    this.#bytes += bytes
    this.#last = { ns, bytes: this.#bytes }
    if (this.#half === null && this.#bytes * 2 >= this.#expectedBytes) this.#half = this.#last
  }

  /** steadyBytesPerSecond is the rate of the second half; null: it was over too soon to tell. */
  get steadyBytesPerSecond() {
    if (this.#half === null || this.#last === null) return null
    const seconds = Number(this.#last.ns - this.#half.ns) / 1e9
    return seconds >= MIN_SECONDS ? (this.#last.bytes - this.#half.bytes) / seconds : null
  }
}

/**
 * @typedef {object} Usage - of a process, while something went on
 * @property {number} cpuMs
 * @property {number} wallMs
 * @property {number} peakBytes - resident, as looked at every 20 ms
 */

/** watchUsage begins to watch what this process uses. @returns {() => Usage} ends it */
export function watchUsage() {
  const [beganMs, before] = [performance.now(), process.cpuUsage()]
  let peakBytes = process.memoryUsage.rss()
  const look = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    look()
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1000, wallMs: performance.now() - beganMs, peakBytes }
  }
}

/**
 * @typedef {{ residentBytes: number, heapBytes: number, externalBytes: number }} Memory - of this process
 * @typedef {{ blocks: number | null, before: Memory, after: Memory }} MemoryReading - `blocks`: that were stored by then; null: at the end
 */

/** @returns {Memory} */
function inUse() {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { residentBytes: rss, heapBytes: heapUsed, externalBytes: external }
}

/** readMemory reads the memory of this process, before and after a full collection. @param {number | null} blocks @returns {MemoryReading} */
export function readMemory(blocks) {
  const before = inUse()
  collectGarbage()
  return { blocks, before, after: inUse() }
}
