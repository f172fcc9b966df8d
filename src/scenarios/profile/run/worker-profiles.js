import { join } from 'node:path'
import { folded } from '../measure/folded.js'
import { hotSpots } from '../measure/hot-spots.js'

/**
 * @typedef {import('../plan/profile-options.js').ProfilePlan} ProfilePlan
 * @typedef {import('../measure/types.js').CpuProfile} CpuProfile
 * @typedef {import('../profile-types.js').Profiled} Profiled
 * @typedef {import('../../../result/types.js').Warning} Warning
 * @typedef {import('../../gossip/run/companion.js').Companion} Companion
 * @typedef {Pick<import('../../gossip/run/gossip-pool.js').GossipPool, 'startProfile' | 'stopProfile'>} Pool
 */

/** Nodes that publish as fast as the machine lets them keep it busy and are late: that is what is looked at here. */
const INTENDED = new Set(['NODES_BUSY', 'PUBLISH_LATE'])

/** @param {number} worker */
const fileOf = worker => `worker-${worker}.cpuprofile`

/**
 * WorkerProfiles samples what worker processes spend their CPU time on while messages are published.
 *
 * @implements {Companion}
 */
export class WorkerProfiles {
  #plan
  #folder
  /** @type {Pool | null} null: nothing is sampled yet */
  #pool = null
  /** @type {Map<number, CpuProfile>} by worker */
  #profiles = new Map()
  /** @type {Map<number, string | null>} why the file of a worker could not be written */
  #errors = new Map()
  /** @type {Promise<void> | null} */
  #stopping = null
  /** @type {Profiled | null} */
  #profiled = null

  /**
   * @param {ProfilePlan} plan
   * @param {string | null} folder - for the `.cpuprofile` files; null: none are written
   */
  constructor(plan, folder) {
    this.#plan = plan
    this.#folder = folder
  }

  /** start begins to sample. @param {Pool} pool */
  async start(pool) {
    const { samplingIntervalMicros } = this.#plan
    this.#pool = pool
    await Promise.all(this.#workers.map(worker => pool.startProfile(worker, samplingIntervalMicros)))
  }

  /** stop ends it, and takes what was sampled of the workers that are still there. @returns {Promise<void>} */
  stop() {
    this.#stopping ??= this.#take()
    return this.#stopping
  }

  /** outcome is what it adds to that of the run. @returns {{ profile: Profiled | null }} */
  outcome() {
    return { profile: this.#profiled }
  }

  /** warnings are those of the run, as they hold for a profile. @param {Warning[]} ofRun @returns {Warning[]} */
  warnings(ofRun) {
    const { publishers, loadModel } = this.#plan
    const intended = publishers === 'every' && loadModel === 'closed'
    const unwritten = [...this.#errors].flatMap(([worker, error]) =>
      error === null ? [] : [{ code: 'PROFILE_NOT_WRITTEN', values: { worker, error } }]
    )
    return [...ofRun.filter(({ code }) => !(intended && INTENDED.has(code))), ...unwritten]
  }

  get #workers() {
    const { profileWorkers, workers } = this.#plan
    return profileWorkers === 'all' ? Array.from({ length: workers }, (_, worker) => worker) : profileWorkers
  }

  async #take() {
    const pool = this.#pool
    if (pool === null) return
    await Promise.allSettled(
      this.#workers.map(async worker => {
        const file = this.#folder === null ? null : join(this.#folder, fileOf(worker))
        const { profile, error } = await pool.stopProfile(worker, file)
        this.#profiles.set(worker, profile)
        this.#errors.set(worker, error)
      })
    )
    this.#summarize()
  }

  #summarize() {
    const workers = [...this.#profiles.keys()].sort((a, b) => a - b)
    if (workers.length === 0) return
    const profiles = [...this.#profiles.values()]
    const written = workers.filter(worker => this.#folder !== null && this.#errors.get(worker) === null)
    this.#profiled = {
      hotSpots: hotSpots(profiles),
      folded: folded(profiles),
      files: written.map(fileOf),
      workers,
      intervalMicros: this.#plan.samplingIntervalMicros
    }
  }
}
