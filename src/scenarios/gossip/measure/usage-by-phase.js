import { WorkerUsage } from './worker-usage.js'

/**
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {'warmup' | 'publish' | 'cooldown'} Phase
 * @typedef {import('../gossip-types.js').Used} Used
 */

/** UsageByPhase is what each worker used in each phase of a run. */
export class UsageByPhase {
  #workers
  /** @type {Phase | null} */
  #phase = null
  /** @type {Map<Phase, WorkerUsage[]>} */
  #usage = new Map()
  /** @type {Set<number>} */
  #heard = new Set()

  /** @param {number} workers */
  constructor(workers) {
    this.#workers = workers
  }

  /** begin begins a phase. What was used in an earlier one of this name is no longer told. @param {Phase} phase */
  begin(phase) {
    this.#phase = phase
    this.#usage.set(
      phase,
      Array.from({ length: this.#workers }, () => new WorkerUsage(0))
    )
  }

  /** end ends the phase. */
  end() {
    this.#phase = null
  }

  /** add takes an interval. @param {HostInterval} interval @param {number} worker */
  add(interval, worker) {
    // the first one tells of the start as well
    const first = !this.#heard.has(worker)
    this.#heard.add(worker)
    if (this.#phase !== null && !first) this.#usage.get(this.#phase)?.[worker].add(interval)
  }

  /** health of each worker in a phase. @param {Phase} phase @returns {import('../../../result/types.js').WorkerHealth[]} none: there was no such phase yet */
  health(phase) {
    return (this.#usage.get(phase) ?? []).map((usage, worker) => usage.health(worker))
  }

  /** result of a worker. @param {number} worker @returns {Record<Phase, Used | null>} null: there was no such phase */
  result(worker) {
    const used = (/** @type {Phase} */ phase) => this.#usage.get(phase)?.[worker].summary() ?? null
    return { warmup: used('warmup'), publish: used('publish'), cooldown: used('cooldown') }
  }
}
