import { join } from 'node:path'
import { HEAP_INTERVAL_BYTES } from '../../measure/process-profile.js'
import { allocationsOf, folded, hotSpots } from './hot-spots.js'

/**
 * @typedef {import('../../measure/process-profile.js').ProcessProfile} ProcessProfile
 * @typedef {import('../../plan/profile-option.js').Profilable} Profilable
 * @typedef {import('../../result/types.js').Warning} Warning
 *
 * @typedef {'workers' | 'server'} Of - whose processes
 * @typedef {{ profile?: Profiled | null, allocations?: Allocated }} Sampled - of several processes; absent or null: it was not sampled
 *
 * @typedef {object} Profiled - what CPU time was spent on
 * @property {import('./hot-spots.js').HotSpots} hotSpots
 * @property {import('./hot-spots.js').FoldedCall} folded - for the flame graph
 * @property {string[]} files - `.cpuprofile` files in the folder of the run
 * @property {number[]} workers - numbers of the processes that were sampled
 * @property {number} intervalMicros
 *
 * @typedef {import('./hot-spots.js').Allocations & { files: string[], workers: number[], intervalBytes: number }} Allocated
 *
 * @typedef {object} Taken - of one process
 * @property {Of} of
 * @property {number} number
 * @property {Profilable} what
 * @property {any} profile
 * @property {string} file
 * @property {string | null} error - why the file could not be written
 */

/** Time between two samples of the CPU of a process: more often costs more than it shows. */
const INTERVAL_MICROS = 1000

/** @type {Readonly<Record<Of, string>>} */
const NAMES = { workers: 'worker', server: 'server' }

/** Profiles samples what processes spend their CPU time on, and what they allocate, while something is measured. */
export class Profiles {
  #what
  #folder
  /** @type {{ of: Of, number: number, process: ProcessProfile }[]} */
  #processes = []
  /** @type {Taken[]} */
  #taken = []
  /** @type {Promise<void> | null} */
  #stopping = null

  /**
   * @param {readonly Profilable[]} what
   * @param {string | null} folder - for the files of the profiles; null: none are written
   */
  constructor(what, folder) {
    this.#what = what
    this.#folder = folder
  }

  /** start begins to sample. @param {Partial<Record<Of, readonly ProcessProfile[]>>} processes */
  async start(processes) {
    this.#processes = Object.entries(processes).flatMap(([of, all]) =>
      all.map((process, number) => ({ of: /** @type {Of} */ (of), number, process }))
    )
    await Promise.all(
      this.#processes.flatMap(({ process }) =>
        this.#what.map(what =>
          what === 'cpu' ? process.startProfile(INTERVAL_MICROS) : process.startAllocations()
        )
      )
    )
  }

  /** stop ends it, and takes what was sampled of the processes that are still there. @returns {Promise<void>} */
  stop() {
    this.#stopping ??= this.#take()
    return this.#stopping
  }

  async #take() {
    await Promise.allSettled(
      this.#processes.flatMap(({ of, number, process }) =>
        this.#what.map(async what => {
          const file = `${NAMES[of]}-${number}.${what}profile`
          const path = this.#folder === null ? null : join(this.#folder, file)
          const taken = await (what === 'cpu' ? process.stopProfile(path) : process.stopAllocations(path))
          this.#taken.push({ of, number, what, file, ...taken })
        })
      )
    )
    this.#taken.sort((a, b) => a.number - b.number)
  }

  /** warnings are of files that could not be written. @returns {Warning[]} */
  get warnings() {
    return this.#taken.flatMap(({ of, number, error }) =>
      error === null
        ? []
        : [{ code: 'PROFILE_NOT_WRITTEN', values: { process: `${NAMES[of]} ${number}`, error } }]
    )
  }

  /** sampledOf is what was sampled so far. @param {Of} of @returns {Sampled} */
  sampledOf(of) {
    const cpu = this.#of(of, 'cpu')
    const heap = this.#of(of, 'heap')
    return {
      ...(cpu.workers.length > 0 && {
        profile: {
          hotSpots: hotSpots(cpu.profiles),
          folded: folded(cpu.profiles),
          ...{ files: cpu.files, workers: cpu.workers, intervalMicros: INTERVAL_MICROS }
        }
      }),
      ...(heap.workers.length > 0 && {
        allocations: {
          ...allocationsOf(heap.profiles),
          ...{ files: heap.files, workers: heap.workers, intervalBytes: HEAP_INTERVAL_BYTES }
        }
      })
    }
  }

  /** @param {Of} of @param {Profilable} what */
  #of(of, what) {
    const taken = this.#taken.filter(each => each.of === of && each.what === what)
    return {
      profiles: taken.map(({ profile }) => profile),
      workers: taken.map(({ number }) => number),
      files: taken.flatMap(({ file, error }) => (this.#folder === null || error !== null ? [] : [file]))
    }
  }
}
