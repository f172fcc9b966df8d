// The parts of a result that all scenarios share: status, time, machine, versions. Also the log of phases and warnings.
import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPackageFolder, readManifest } from '../kit/files.js'
import { makeClock } from '../kit/time.js'
import { readHostFacts } from '../measure/resources.js'
import { LatenessWatch } from './lateness.js'

/**
 * @typedef {import('../report/schema.js').Result} Result
 * @typedef {import('../report/schema.js').ThresholdResult} ThresholdResult
 */

/** One period of a CPU quota is 100 ms. Less throttling changes only one or two times. */
const MIN_THROTTLED_MS = 100

/** RunHeader makes the parts of a result that all scenarios have: status, time, machine, versions. */
export class RunHeader {
  #id
  #log
  #startedAt = new Date()
  #now = makeClock(this.#startedAt)
  #machine = readMachineFacts()
  #host = readHostFacts()
  #versions
  /** @type {string | null} */
  #finishedAt = null
  /** @type {Result['status']} */
  #status = 'partial'
  #failed = false
  /** @type {LatenessWatch | null} */
  #lateness = null
  /** @type {Result['reason']} */
  #reason = {
    code: 'UNFINISHED',
    message: 'the run had not ended when this was written: it is still running, or it was killed'
  }
  /** @type {ThresholdResult | null} the threshold that ended the run */
  brokeOff = null
  /** @type {import('./fleet.js').Fleet | undefined} machines that hold the workers; none: this one does */
  fleet = undefined

  /**
   * @param {string} id
   * @param {RunLog} log
   * @param {readonly string[]} packages - whose version can change the measurements
   */
  constructor(id, log, packages) {
    this.#id = id
    this.#log = log
    this.#versions = readVersions(packages)
  }

  /** complete says whether all measurements of the plan were made. */
  get complete() {
    return this.#status === 'complete'
  }

  completed() {
    this.#status = 'complete'
    this.#reason = null
  }

  /**
   * failed records why the run ended early. The first reason counts, for later errors follow from it.
   *
   * @param {Error & { code?: string, brokeOff?: ThresholdResult }} error
   */
  failed({ code = 'RUN_FAILED', message, brokeOff }) {
    if (this.#failed) return
    this.#failed = true
    this.brokeOff = brokeOff ?? null
    this.#status = 'partial'
    this.#reason = { code, message }
  }

  finished() {
    this.#finishedAt = this.#now().toISOString()
  }

  /**
   * watching measures the lateness of processes during some work.
   *
   * @template T
   * @param {readonly import('./lateness.js').WatchedProcess[]} processes
   * @param {() => Promise<T>} work
   * @param {(watch: LatenessWatch) => void} [keep] - stores the watch; default: this header
   * @returns {Promise<T>}
   */
  async watching(
    processes,
    work,
    keep = watch => {
      this.#lateness = watch
    }
  ) {
    const watch = new LatenessWatch(processes, this.#log)
    keep(watch)
    try {
      await watch.ready
      return await work()
    } finally {
      await watch.stop()
    }
  }

  /** @returns {Pick<Result, 'schemaVersion' | 'id' | 'status' | 'reason'>} */
  ending() {
    return { schemaVersion: 2, id: this.#id, status: this.#status, reason: this.#reason }
  }

  /** A row for each machine with workers. @param {Result['run']['health']} health */
  #agents(health) {
    const nowNs = process.hrtime.bigint()
    const rows = this.fleet?.agents(ns => this.#log.elapsedMs - Number(nowNs - ns) / 1e6) ?? []
    return rows.map(row => {
      const own = health.filter(({ worker }) => row.workers.includes(worker))
      const busiest = Math.max(0, ...own.map(({ utilization }) => utilization))
      const largest = own.flatMap(({ overhead }) => overhead.max?.ms ?? [])
      return { ...row, busiest, ...(largest.length > 0 && { overheadMs: Math.max(...largest) }) }
    })
  }

  /** A warning, if the CPU quota throttled this program. @returns {Result['run']['warnings']} */
  #throttled() {
    const ms = this.#lateness?.result().throttledMs ?? 0
    return ms < MIN_THROTTLED_MS
      ? []
      : [{ code: 'THROTTLED', values: { ms, quotaCores: this.#host.quotaCores } }]
  }

  /**
   * run is the part of a result that differs from run to run.
   *
   * @param {Result['run']['health']} health
   * @param {Result['run']['warnings']} warnings - beside those that were emitted before
   * @param {Record<string, string>} [moreVersions]
   * @returns {Result['run']}
   */
  run(health, warnings, moreVersions = {}) {
    return {
      startedAt: this.#startedAt.toISOString(),
      finishedAt: this.#finishedAt,
      phases: this.#log.phases.map(phase => ({ ...phase })),
      machine: this.#machine,
      host: this.#host,
      versions: { ...this.#versions, ...moreVersions },
      health,
      ...(this.#lateness === null ? {} : { lateness: this.#lateness.result() }),
      ...(this.fleet !== undefined && { agents: this.#agents(health), starts: this.fleet.starts() }),
      warnings: [...this.#log.warnings, ...warnings, ...this.#throttled()]
    }
  }
}

/**
 * @typedef {import('../report/schema.js').RunRecord} RunRecord
 * @typedef {import('../report/schema.js').Result['run']['phases'][number]} Phase
 * @typedef {import('../report/schema.js').Warning} Warning
 */

/** RunLog stores the phases and warnings of a run, and emits records of them. */
export class RunLog {
  #emit
  #clock
  #began
  /** @type {Phase[]} */
  phases = []
  /** @type {Warning[]} */
  warnings = []

  /**
   * @param {(record: RunRecord) => void} emit
   * @param {() => number} [clock] - ms, monotonic
   */
  constructor(emit, clock = () => performance.now()) {
    this.#emit = emit
    this.#clock = clock
    this.#began = clock()
  }

  /** elapsedMs since the run began. */
  get elapsedMs() {
    return this.#clock() - this.#began
  }

  /** sinceBegin converts a time of the same clock to ms since the run began. @param {number} ms */
  sinceBegin(ms) {
    return ms - this.#began
  }

  /**
   * phase runs one phase.
   *
   * @param {string} name
   * @param {() => Promise<{ detail?: string }>} work - `detail`: a few words on how it went
   */
  async phase(name, work) {
    /** @type {Phase} */
    const phase = { name, state: 'running', startMs: this.elapsedMs, durationMs: null, detail: null }
    this.phases.push(phase)
    this.#emit({ type: 'phase', name, state: 'begin', atMs: phase.startMs })
    try {
      const { detail } = await work()
      this.#end(phase, 'done', detail)
    } catch (error) {
      this.#end(phase, 'failed')
      throw error
    }
  }

  /** @param {Phase} phase @param {'done' | 'failed'} state @param {string} [detail] */
  #end(phase, state, detail) {
    phase.state = state
    phase.durationMs = this.elapsedMs - phase.startMs
    phase.detail = detail ?? null
    this.#emit({ type: 'phase', name: phase.name, state, atMs: this.elapsedMs, detail })
  }

  /** @param {Omit<import('../report/schema.js').ProgressRecord, 'type'>} progress */
  progress(progress) {
    this.#emit({ type: 'progress', ...progress })
  }

  /** @param {Omit<import('../report/schema.js').IntervalRecord, 'type'>} interval */
  interval(interval) {
    this.#emit({ type: 'interval', ...interval })
  }

  /** @param {Omit<import('../report/schema.js').MeasuredRecord, 'type'>} measured */
  measured(measured) {
    this.#emit({ type: 'measured', ...measured })
  }

  /** @param {string} code @param {Record<string, unknown>} values */
  warn(code, values = {}) {
    const warning = { code, values }
    this.warnings.push(warning)
    this.#emit({ type: 'warning', warning })
  }
}

const THIS_FOLDER = dirname(fileURLToPath(import.meta.url))

/** readMachineFacts describes the host of a run. @returns {import('../report/schema.js').Result['run']['machine']} */
export const readMachineFacts = () => ({
  platform: `${platform()} ${release()}`,
  arch: arch(),
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  loadAverage: loadavg()
})

/**
 * readVersions reads the versions of this tool, of Node and of packages.
 *
 * @param {readonly string[]} packages - whose version can change the measurements, as they are installed
 * @returns {Record<string, string>} by the packages' own names; both versions of a package that is installed under two names
 */
export const readVersions = packages => ({
  'libp2p-loadtest': JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
  node: process.version,
  ...readPackageVersions(packages)
})

/**
 * readPackageVersions reads the versions of packages.
 *
 * @param {readonly string[]} packages - as they are installed
 * @returns {Record<string, string>}
 */
export function readPackageVersions(packages) {
  /** @type {Record<string, string>} */
  const versions = {}
  for (const installed of packages) {
    const folder = findPackageFolder(installed, THIS_FOLDER)
    const { name, version } = folder === null ? { name: installed, version: 'unknown' } : readManifest(folder)
    versions[name] = versions[name] === undefined ? version : `${versions[name]} and ${version}`
  }
  return versions
}
