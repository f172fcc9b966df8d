import { sumOf } from '../../../kit/lists.js'
import { allStarted } from '../../../workers/all-started.js'
import { GeneratorPool, soon, startGenerators } from '../../rendezvous/run/generator-pool.js'

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
  /** @param {RotateRendezvousPoolOptions} options @returns {Promise<RotateRendezvousPool>} */
  static async start(options) {
    const { plan, runId, server } = options
    const { workers } = plan
    const started = startGenerators(options, ENTRY, (index, precise) => ({
      index,
      workers,
      plan,
      runId,
      server,
      precise
    }))
    return new RotateRendezvousPool(await allStarted(started))
  }

  /** register renews all registrations; not measured. */
  async register() {
    await this.all('register')
  }

  /** warmUp has all peers discover for a time, without counting it. @param {number} durationMs */
  async warmUp(durationMs) {
    await this.all('warmUp', soon(), durationMs)
  }

  /**
   * run starts the measurement in all workers at once.
   *
   * @returns {{ startNs: bigint, ended: Promise<{ endNs: bigint }[]>, over: Promise<unknown> }} `ended` when the last operation has
   *   ended; `over` when each process has handed over what it measured, or is gone
   */
  run() {
    const startNs = soon()
    const running = this.processes.map(worker => worker.call('run', startNs))
    return { startNs, ended: Promise.all(running), over: Promise.allSettled(running) }
  }

  /** leave takes back what living peers have registered. @returns {Promise<number>} registrations taken back */
  async leave() {
    const left = await this.whoever('leave')
    return sumOf(left, result => (result.status === 'fulfilled' ? result.value : 0))
  }
}
