import { join } from 'node:path'
import { HEAP_INTERVAL_BYTES } from '../../gossip/run/heap-sampling.js'
import { allocationsOf } from '../measure/allocations.js'
import { folded } from '../measure/folded.js'
import { hotSpots } from '../measure/hot-spots.js'
import { SAMPLING_INTERVAL_MICROS } from '../plan/profile-options.js'

/**
 * @typedef {import('../plan/profile-options.js').ProfilePlan} ProfilePlan
 * @typedef {import('../measure/types.js').CpuProfile} CpuProfile
 * @typedef {import('../measure/types.js').HeapProfile} HeapProfile
 * @typedef {import('../profile-types.js').Profiled} Profiled
 * @typedef {import('../profile-types.js').Allocated} Allocated
 * @typedef {import('../../../result/types.js').Warning} Warning
 * @typedef {import('../../gossip/run/companion.js').Companion} Companion
 * @typedef {Pick<import('../../gossip/run/gossip-pool.js').GossipPool, 'startProfile' | 'stopProfile' | 'startAllocations' | 'stopAllocations'>} Pool
 */

/** Nodes that publish as fast as the machine lets them keep it busy and are late: that is what is looked at here. */
const INTENDED = new Set(['GENERATOR_LIMITED', 'PUBLISH_LATE'])

/** @param {number} worker */
const fileOf = worker => `worker-${worker}.cpuprofile`

/** @param {number} worker */
const heapFileOf = worker => `worker-${worker}.heapprofile`

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
  /** @type {Map<number, HeapProfile>} by worker */
  #heaps = new Map()
  /** @type {Map<number, string | null>} as of CPU */
  #heapErrors = new Map()

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
    this.#pool = pool
    await Promise.all(
      this.#workers.flatMap(worker => [
        ...(this.#takes('cpu') ? [pool.startProfile(worker, SAMPLING_INTERVAL_MICROS)] : []),
        ...(this.#takes('heap') ? [pool.startAllocations(worker)] : [])
      ])
    )
  }

  /** stop ends it, and takes what was sampled of the workers that are still there. @returns {Promise<void>} */
  stop() {
    this.#stopping ??= this.#take()
    return this.#stopping
  }

  /** outcome is what it adds to that of the run. @returns {{ profile: Profiled | null, allocations?: Allocated }} */
  outcome() {
    const allocations = this.#allocated()
    return { profile: this.#profiled, ...(allocations !== null && { allocations }) }
  }

  /** warnings are those of the run, as they hold for a profile. @param {Warning[]} ofRun @returns {Warning[]} */
  warnings(ofRun) {
    const { publishers, loadModel } = this.#plan
    const intended = publishers === 'every' && loadModel === 'closed'
    const unwritten = [...this.#errors, ...this.#heapErrors].flatMap(([worker, error]) =>
      error === null ? [] : [{ code: 'PROFILE_NOT_WRITTEN', values: { worker, error } }]
    )
    return [...ofRun.filter(({ code }) => !(intended && INTENDED.has(code))), ...unwritten]
  }

  get #workers() {
    return Array.from({ length: this.#plan.workers }, (_, worker) => worker)
  }

  /** @param {'cpu' | 'heap'} what */
  #takes(what) {
    return this.#plan.profiled.includes(what)
  }

  async #take() {
    const pool = this.#pool
    if (pool === null) return
    await Promise.allSettled(
      this.#workers.flatMap(worker => [
        ...(this.#takes('cpu') ? [this.#takeTimes(pool, worker)] : []),
        ...(this.#takes('heap') ? [this.#takeAllocations(pool, worker)] : [])
      ])
    )
    this.#summarize()
  }

  /** @param {Pool} pool @param {number} worker */
  async #takeTimes(pool, worker) {
    const { profile, error } = await pool.stopProfile(worker, this.#path(fileOf(worker)))
    this.#profiles.set(worker, profile)
    this.#errors.set(worker, error)
  }

  /** @param {Pool} pool @param {number} worker */
  async #takeAllocations(pool, worker) {
    const { profile, error } = await pool.stopAllocations(worker, this.#path(heapFileOf(worker)))
    this.#heaps.set(worker, profile)
    this.#heapErrors.set(worker, error)
  }

  /** @param {string} file */
  #path(file) {
    return this.#folder === null ? null : join(this.#folder, file)
  }

  /** @returns {Allocated | null} */
  #allocated() {
    const workers = [...this.#heaps.keys()].sort((a, b) => a - b)
    if (workers.length === 0) return null
    const written = workers.filter(worker => this.#folder !== null && this.#heapErrors.get(worker) === null)
    return {
      ...allocationsOf([...this.#heaps.values()]),
      files: written.map(heapFileOf),
      workers,
      intervalBytes: HEAP_INTERVAL_BYTES
    }
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
      intervalMicros: SAMPLING_INTERVAL_MICROS
    }
  }
}
