/** A second half that was over sooner came out of buffers, whatever the line is like. */
const LEAST_SECONDS = 0.05

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
    return seconds >= LEAST_SECONDS ? (this.#last.bytes - this.#half.bytes) / seconds : null
  }
}

/**
 * ownUsage reads what this process has used so far.
 *
 * @returns {{ cpuMicros: number, rssBytes: number }}
 */
export function ownUsage() {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() }
}
