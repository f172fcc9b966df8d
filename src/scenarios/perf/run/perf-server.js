import { SettingsReader } from '../../../libp2p/node-settings.js'
import { lineOf } from '../perf-plan.js'
import { waysOf } from '../plan/ways.js'
import { ownUsage, Receipts } from './counts.js'
import { endsOf } from './ways/index.js'
import { NODE_REASONS } from './ways/way.js'

/**
 * @typedef {object} ServerCount - what the server has counted since it was told to begin
 * @property {number} receivedBytes
 * @property {number} sentBytes - of replies that were handed over whole
 * @property {number | null} steadyBytesPerSecond - at which the second half of the uploads arrived
 * @property {number} cpuMicros
 * @property {number} rssBytes
 */

/** PerfServer holds the servers of all ways of a plan, in a process of its own. */
export class PerfServer {
  #plan
  #reader = new SettingsReader(NODE_REASONS)
  #at
  /** @type {{ name: string, server: import('./ways/way.js').WayServer }[]} */
  #servers = []
  #receipts = new Receipts(0)
  #sentBytes = 0
  #cpuMicros = 0

  /** @param {{ plan: import('../perf-plan.js').PerfPlan, at: import('../../listening-at.js').At }} setup */
  constructor({ plan, at }) {
    this.#plan = plan
    this.#at = at
  }

  /** start starts all of them, and gives their addresses by way. @returns {Promise<Record<string, unknown>>} */
  async start() {
    const served = {
      onReceived: (/** @type {number} */ bytes) => this.#receipts.took(bytes, process.hrtime.bigint()),
      onSent: (/** @type {number} */ bytes) => {
        this.#sentBytes += bytes
      }
    }
    for (const way of waysOf(this.#plan)) {
      const ends = await endsOf(way)
      const server = await ends.serve({
        reader: this.#reader,
        way,
        plan: this.#plan,
        line: lineOf(this.#plan),
        at: this.#at,
        served
      })
      this.#servers.push({ name: way.name, server })
    }
    return Object.fromEntries(this.#servers.map(({ name, server }) => [name, server.address]))
  }

  /** begin counts anew. @param {number} expectedBytes - of uploads */
  begin(expectedBytes) {
    this.#receipts = new Receipts(expectedBytes)
    this.#sentBytes = 0
    this.#cpuMicros = ownUsage().cpuMicros
  }

  /** count is what there was since. @returns {ServerCount} */
  count() {
    const { cpuMicros, rssBytes } = ownUsage()
    return {
      receivedBytes: this.#receipts.bytes,
      sentBytes: this.#sentBytes,
      steadyBytesPerSecond: this.#receipts.steadyBytesPerSecond,
      cpuMicros: cpuMicros - this.#cpuMicros,
      rssBytes
    }
  }

  /** settings are what its nodes have other than what libp2p takes by itself. */
  settings() {
    return this.#reader.settings()
  }

  async close() {
    await Promise.allSettled(this.#servers.map(({ server }) => server.stop()))
  }
}
