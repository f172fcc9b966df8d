import { clockFrom } from '../kit/clock-from.js'
import { hostFacts } from '../measure/host.js'
import { LatenessWatch } from '../workers/lateness.js'
import { machine, versions } from './environment.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').ThresholdResult} ThresholdResult
 * @typedef {import('./run-log.js').RunLog} RunLog
 */

/** One period of a quota is 100 ms; one that is cut short moves a time or two. */
const LEAST_THROTTLED_MS = 100

/** RunHeader is what the result of every run says around what was measured: how it ended, when and where. */
export class RunHeader {
  #id
  #log
  #startedAt = new Date()
  #now = clockFrom(this.#startedAt)
  #machine = machine()
  #host = hostFacts()
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
    message: 'the run had not ended when this was written: it still goes on, or it was killed'
  }
  /** @type {ThresholdResult | null} the threshold that ended the run */
  brokeOff = null
  /** @type {import('../workers/fleet.js').Fleet | undefined} machines that hold the workers; none: this one does */
  fleet = undefined

  /**
   * @param {string} id
   * @param {RunLog} log
   * @param {readonly string[]} packages - whose version can change what is measured
   */
  constructor(id, log, packages) {
    this.#id = id
    this.#log = log
    this.#versions = versions(packages)
  }

  /** complete is true when everything was measured that the plan asks for. */
  get complete() {
    return this.#status === 'complete'
  }

  completed() {
    this.#status = 'complete'
    this.#reason = null
  }

  /**
   * failed keeps why the run ended early: the first reason, for what goes wrong afterwards follows from it.
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
   * watching tells who could be late while something is done.
   *
   * @template T
   * @param {readonly import('../workers/lateness.js').Watched[]} processes
   * @param {() => Promise<T>} work
   * @param {(watch: LatenessWatch) => void} [keep] - whoever tells it; default: the run
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
      await watch.begun
      return await work()
    } finally {
      await watch.stop()
    }
  }

  /** @returns {Pick<Result, 'schemaVersion' | 'id' | 'status' | 'reason'>} */
  ending() {
    return { schemaVersion: 2, id: this.#id, status: this.#status, reason: this.#reason }
  }

  /** A row for each machine that held workers. @param {Result['run']['health']} health */
  #agents(health) {
    const nowNs = process.hrtime.bigint()
    const rows = this.fleet?.agents(ns => this.#log.elapsedMs - Number(nowNs - ns) / 1e6) ?? []
    return rows.map(row => {
      const own = health.filter(({ worker }) => row.workers.includes(worker))
      const busiest = Math.max(0, ...own.map(({ utilization }) => utilization))
      const most = own.flatMap(({ overhead }) => overhead.max?.ms ?? [])
      return { ...row, busiest, ...(most.length > 0 && { overheadMs: Math.max(...most) }) }
    })
  }

  /** What the quota of this program took away. @returns {Result['run']['warnings']} */
  #throttled() {
    const ms = this.#lateness?.result().throttledMs ?? 0
    return ms < LEAST_THROTTLED_MS
      ? []
      : [{ code: 'THROTTLED', values: { ms, quotaCores: this.#host.quotaCores } }]
  }

  /**
   * run is the part of a result that differs from run to run.
   *
   * @param {Result['run']['health']} health
   * @param {Result['run']['warnings']} warnings - beside those that were given out already
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
