import { availableParallelism } from 'node:os'
import { sumOf } from '../../../kit/lists.js'
import { allStarted } from '../../../workers/all-started.js'
import { startForkedProcess } from '../../../workers/forked-process.js'

/**
 * @typedef {import('../../../workers/forked-process.js').ForkedProcess} ForkedProcess
 * @typedef {import('./rotate-rendezvous-worker.js').RotateRendezvousInterval} RotateRendezvousInterval
 *
 * @typedef {object} RotateRendezvousPoolOptions
 * @property {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} plan
 * @property {string} runId - for namespaces
 * @property {string} server - multiaddr
 * @property {(interval: RotateRendezvousInterval, worker: number) => void} onInterval
 * @property {(connected: number) => void} onConnected
 * @property {(worker: number) => void} onAlive - of each process once a second, whatever it does
 * @property {(error: Error) => void} onDied
 */

const ENTRY = new URL('./rotate-rendezvous-entry.js', import.meta.url)

/** Time for all workers to hear of a start. */
const START_AFTER_MS = 30

/** RotateRendezvousPool drives the processes that hold the peers of a rendezvous server that come and go. */
export class RotateRendezvousPool {
  #workers

  /** @param {ForkedProcess[]} workers */
  constructor(workers) {
    this.#workers = workers
  }

  /** @param {RotateRendezvousPoolOptions} options @returns {Promise<RotateRendezvousPool>} */
  static async start({ plan, runId, server, onInterval, onConnected, onAlive, onDied }) {
    const connected = Array(plan.workers).fill(0)
    // pacing without sleeping takes a core, and the server needs one too
    const precise = plan.workers < availableParallelism()
    const workers = await allStarted(
      connected.map((_, index) =>
        startForkedProcess({
          entry: ENTRY,
          name: `worker ${index}`,
          setup: { index, workers: plan.workers, plan, runId, server, precise },
          handlers: {
            interval: interval => onInterval(interval, index),
            alive: () => onAlive(index),
            connected: count => {
              connected[index] = count
              onConnected(sumOf(connected))
            }
          },
          onDied
        })
      )
    )
    return new RotateRendezvousPool(workers)
  }

  get pids() {
    return this.#workers.map(({ pid }) => pid)
  }

  /** connect starts the peers of the beginning, connects and registers them. */
  async connect() {
    await this.#all('connect')
  }

  /** register renews all registrations; not measured. */
  async register() {
    await this.#all('register')
  }

  /** warmUp has all peers discover for a time, without counting it. @param {number} durationMs */
  async warmUp(durationMs) {
    await this.#all('warmUp', soon(), durationMs)
  }

  /**
   * run starts the measurement in all workers at once.
   *
   * @returns {{ startNs: bigint, ended: Promise<{ endNs: bigint }[]>, over: Promise<unknown> }} `ended` when the last operation has
   *   ended; `over` when each process has handed over what it measured, or is gone
   */
  run() {
    const startNs = soon()
    const running = this.#workers.map(worker => worker.call('run', startNs))
    return { startNs, ended: Promise.all(running), over: Promise.allSettled(running) }
  }

  /** abort ends everything under way. @param {string} reason */
  async abort(reason) {
    await Promise.allSettled(this.#workers.map(worker => worker.call('abort', reason)))
  }

  /** leave takes back what living peers have registered. @returns {Promise<number>} registrations taken back */
  async leave() {
    const left = await Promise.allSettled(this.#workers.map(worker => worker.call('leave')))
    return sumOf(left, result => (result.status === 'fulfilled' ? result.value : 0))
  }

  /** finish gives what was wrong with replies. @returns {Promise<{ detail: string, count: number }[]>} */
  async finish() {
    return (await this.#all('finish')).flat()
  }

  async stop() {
    await Promise.all(this.#workers.map(worker => worker.stop()))
  }

  /** @param {string} method @param {...any} args @returns {Promise<any[]>} */
  #all(method, ...args) {
    return Promise.all(this.#workers.map(worker => worker.call(method, ...args)))
  }
}

const soon = () => process.hrtime.bigint() + BigInt(START_AFTER_MS * 1e6)
