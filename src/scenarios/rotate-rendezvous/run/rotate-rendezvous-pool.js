import { sumOf } from '../../../kit/lists.js'
import { allStarted } from '../../../workers/all-started.js'
import { ofThoseLeft } from '../../../workers/of-those-left.js'
import { GeneratorPool, soon, startGenerators } from '../../rendezvous/run/generator-pool.js'
import { toldHere } from './told-here.js'

/**
 * @typedef {object} OwnOptions
 * @property {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} plan
 * @property {string} runId - for namespaces
 * @property {string} server - multiaddr
 *
 * @typedef {OwnOptions & import('../../rendezvous/run/generator-pool.js').GeneratorEvents} RotateRendezvousPoolOptions
 */

const ENTRY = new URL('./rotate-rendezvous-entry.js', import.meta.url)

/** RotateRendezvousPool drives the processes that hold the peers of a rendezvous server that come and go. */
export class RotateRendezvousPool extends GeneratorPool {
  #startAfterMs

  /** @param {import('../../../workers/fleet.js').HeldProcess[]} processes @param {number} [startAfterMs] - time for all to hear of a start */
  constructor(processes, startAfterMs) {
    super(processes)
    this.#startAfterMs = startAfterMs
  }

  /** @param {RotateRendezvousPoolOptions} options @returns {Promise<RotateRendezvousPool>} */
  static async start(options) {
    const { plan, runId, server, fleet, onInterval } = options
    const { workers } = plan
    const here = {
      ...options,
      onInterval: (/** @type {any} */ interval, /** @type {number} */ worker) =>
        onInterval({ ...interval, rotation: toldHere(interval.rotation, fleet?.clockOf(worker)) }, worker)
    }
    const setupOf = (/** @type {number} */ index, /** @type {boolean} */ precise) => ({
      ...{ index, workers, plan, runId, server, precise }
    })
    const started = await allStarted(
      signal => startGenerators({ ...here, signal }, ENTRY, setupOf),
      options.signal
    )
    return new RotateRendezvousPool(started, fleet?.startAfterMs)
  }

  /** register renews all registrations; not measured. */
  async register() {
    await this.all('register')
  }

  /** warmUp has all peers discover for a time, without counting it. @param {number} durationMs */
  async warmUp(durationMs) {
    const startNs = soon(this.#startAfterMs)
    await ofThoseLeft(
      this.processes.map(worker => worker.call('warmUp', worker.clock?.there(startNs) ?? startNs, durationMs))
    )
  }

  /**
   * run starts the measurement in all workers at once.
   *
   * @returns {{ startNs: bigint, ended: Promise<{ endNs: bigint }[]>, over: Promise<unknown> }} `ended` when the last operation has
   *   ended; `over` when each process has handed over what it measured, or is gone
   */
  run() {
    const startNs = soon(this.#startAfterMs)
    const running = this.processes.map(async ({ clock, began, call }) => {
      const ownNs = clock?.there(startNs) ?? startNs
      const { beganNs, endNs } = await call('run', ownNs)
      began?.(Number(beganNs - ownNs) / 1e6)
      return { endNs: clock?.here(endNs) ?? endNs }
    })
    return { startNs, ended: ofThoseLeft(running), over: Promise.allSettled(running) }
  }

  /** leave takes back what living peers have registered. @returns {Promise<number>} registrations taken back */
  async leave() {
    const left = await this.whoever('leave')
    return sumOf(left, result => (result.status === 'fulfilled' ? result.value : 0))
  }
}
