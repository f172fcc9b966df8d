import { CLIENT_SETTINGS } from '../client/node.js'
import { Measurement } from '../measure/measurement.js'
import { machine, versions } from './environment.js'
import { healthOfRun, outcomeOfRun, warningsOfRun } from './rendezvous-result.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../result/types.js').Result} Result
 */

/** RunDocument is everything known of a run so far; `result` can be asked for at any time. */
export class RunDocument {
  #plan
  #id
  #log
  #startedAt = new Date()
  #machine = machine()
  #versions = versions()
  /** @type {string | null} */
  #finishedAt = null
  /** @type {Result['status']} */
  #status = 'partial'
  #failed = false
  /** @type {Result['reason']} */
  #reason = {
    code: 'UNFINISHED',
    message: 'the run had not ended when this was written: it still goes on, or it was killed'
  }
  /** @type {import('../result/types.js').ThresholdResult | null} the threshold that ended the run */
  #brokeOff = null
  measurement
  /** @type {import('../target/target.js').Target | null} */
  target = null
  /** @type {string | null} what --server auto was decided by */
  targetChosenBy = null
  /** @type {Result['outcome']['registrations']} */
  registrations = { before: null, after: null, namespaces: null }
  /** @type {{ detail: string, count: number }[]} */
  badReplies = []

  /**
   * @param {Plan} plan
   * @param {string} id
   * @param {import('./run-log.js').RunLog} log
   */
  constructor(plan, id, log) {
    this.#plan = plan
    this.#id = id
    this.#log = log
    this.measurement = new Measurement(plan.workers)
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
   * @param {Error & { code?: string, brokeOff?: import('../result/types.js').ThresholdResult }} error
   */
  failed({ code = 'RUN_FAILED', message, brokeOff }) {
    if (this.#failed) return
    this.#failed = true
    this.#brokeOff = brokeOff ?? null
    this.#status = 'partial'
    this.#reason = { code, message }
  }

  finished() {
    this.#finishedAt = new Date().toISOString()
  }

  /** @returns {import('../result/types.js').StartRecord} */
  startRecord() {
    return { type: 'start', id: this.#id, plan: this.#plan, run: this.#run([], []) }
  }

  /** @returns {Result} */
  result() {
    const health = healthOfRun(this.measurement)
    const outcome = outcomeOfRun(this.#plan, this.measurement, {
      target: {
        kind: this.target?.kind ?? 'none',
        chosenBy: this.targetChosenBy,
        multiaddr: this.target?.multiaddr ?? null,
        container: this.target?.container ?? null,
        settings: { server: this.target?.settings ?? {}, clients: CLIENT_SETTINGS }
      },
      memoryCountedAs: this.target?.memoryCountedAs ?? null,
      registrations: this.registrations,
      brokeOff: this.#brokeOff,
      sinceBegin: ms => this.#log.sinceBegin(ms)
    })
    const known = { namespacesUsed: this.measurement.namespacesUsed, badReplies: this.badReplies }
    const warnings = warningsOfRun(this.#plan, outcome, health, known)
    return {
      schemaVersion: 1,
      id: this.#id,
      scenario: 'rendezvous',
      status: this.#status,
      reason: this.#reason,
      plan: this.#plan,
      outcome,
      run: this.#run(health, [...this.#log.warnings, ...warnings])
    }
  }

  /**
   * @param {Result['run']['health']} health
   * @param {Result['run']['warnings']} warnings
   * @returns {Result['run']}
   */
  #run(health, warnings) {
    return {
      startedAt: this.#startedAt.toISOString(),
      finishedAt: this.#finishedAt,
      phases: this.#log.phases.map(phase => ({ ...phase })),
      machine: this.#machine,
      versions: { ...this.#versions, ...this.target?.versions },
      health,
      warnings
    }
  }
}
