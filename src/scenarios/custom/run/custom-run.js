// Controls a run of a scenario that the user wrote, from the main process: its phases, its measurements, its result.
import { findGeneratorUse, findLimit } from '../../../measure/limited-by.js'
import { judgeThresholds } from '../../../report/checks.js'
import { findGeneratorLimit } from '../../../report/warnings.js'
import { executeRun, generateRecords, makeRunDocument, Run } from '../../../run/run.js'
import { Measurement, watchIntervals } from '../../rendezvous/measurement.js'
import {
  makeLiveFigures,
  makeOperationResults,
  makeOperationWarnings,
  makeWorkerHealth
} from '../../rendezvous/outcome.js'
import { asCustomPlan } from '../module.js'
import { ScenarioProcess, STEP_TIMEOUT_MS } from '../scenario-process.js'

/**
 * @typedef {import('../module.js').CustomPlan} CustomPlan
 * @typedef {import('../module.js').CustomOutcome} CustomOutcome
 * @typedef {import('../../index.js').AnyResult} AnyResult
 */

/**
 * makeCustomResult makes the result of a run, also of one that has not ended.
 *
 * @param {CustomPlan} plan
 * @param {import('../../rendezvous/measurement.js').Measurement} measurement
 * @param {{ header: import('../../../run/run-header.js').RunHeader, figures: readonly import('../../../measure/figure.js').Figure[],
 *   description?: CustomOutcome['description'] }} known
 * @returns {AnyResult}
 */
function makeCustomResult(plan, measurement, { header, figures, description }) {
  const { load, coveredMs } = measurement
  /** @type {Omit<CustomOutcome, 'limitedBy'>} */
  const outcome = {
    operations: makeOperationResults({ ratePerSecond: null }, measurement),
    measuredMs: coveredMs,
    perSecond: load.perSecond(),
    secondsPerPoint: load.secondsPerPoint,
    thresholds: judgeThresholds(plan.thresholds, makeLiveFigures(measurement), figures, header.brokeOff),
    ...(description !== undefined && { description })
  }
  const health = makeWorkerHealth(measurement)
  const times = Object.entries(outcome.operations).map(
    ([type, { rt }]) => /** @type {[string, typeof rt.all]} */ ([type, rt.all])
  )
  const run = header.run(health, [])
  // the target of its operations is not known here
  const limited =
    coveredMs > 0 ? findLimit({ server: { percent: null }, generator: findGeneratorUse(run) }) : undefined
  const warnings = [
    ...findGeneratorLimit({ health, limitedBy: limited, times }),
    ...makeOperationWarnings(outcome)
  ]
  const result = {
    ...header.ending(),
    scenario: plan.scenario,
    plan,
    outcome: { ...outcome, ...(limited !== undefined && { limitedBy: limited }) },
    run: { ...run, warnings: [...run.warnings, ...warnings] }
  }
  return /** @type {AnyResult} */ (/** @type {unknown} */ (result))
}

/**
 * @typedef {import('./custom-process.js').LoadSummary} LoadSummary
 * @typedef {readonly import('../../../measure/figure.js').Figure[]} Figures
 * @typedef {import('../../../report/schema.js').RunRecord} RunRecord
 */

/** Time that a busy machine may take in addition to --timeout. */
const SPARE_MS = 5000

/**
 * CustomRun is a run of a user's own scenario, which has a process of its own.
 *
 * @extends {Run<import('../../../run/run.js').RunDocument>}
 */
class CustomRun extends Run {
  #plan
  #path
  #figures
  #own
  #process
  #hasStarted = false
  #describesResult = false
  /** @type {Map<number, PromiseWithResolvers<any>>} phases under way */
  #phases = new Map()
  #measurement
  /** @type {PromiseWithResolvers<LoadSummary>} */
  #measured = Promise.withResolvers()
  /** @type {Promise<void>} */
  #measuring = Promise.resolve()

  /**
   * @param {CustomPlan} plan
   * @param {import('../../index.js').RunOptions} options
   * @param {{ path: string, figures: Figures, emit: (record: RunRecord) => void }} parts
   */
  constructor(plan, { id, signal }, { path, figures, emit }) {
    const measurement = new Measurement(1)
    /** @type {Pick<import('../module.js').CustomOutcome, 'description'>} the description by the scenario */
    const own = {}
    super({
      emit,
      signal,
      documentOf: makeRunDocument({ id, plan, packages: ['libp2p'] }, header =>
        makeCustomResult(plan, measurement, { header, figures, ...own })
      )
    })
    this.#plan = plan
    this.#path = path
    this.#figures = figures
    this.#own = own
    this.#measurement = measurement
    this.#measured.promise.catch(() => {})
    this.#process = new ScenarioProcess(path, {
      onFault: fault => this.failure.raise(fault),
      handlers: {
        phase: (id, name, turning) => this.#begin(id, name, turning),
        phaseEnded: (id, how) => this.#end(id, how),
        progress: progress => this.log.progress(progress),
        measure: () => this.#measure(),
        interval: interval => this.#measurement.addLoad(interval, 0),
        measured: measured => {
          this.#measured.resolve(measured)
          return this.#measuring
        }
      }
    })
    this.#process.exited.catch(this.#measured.reject)
  }

  /** run runs the scenario in its process. */
  async run() {
    const { describesResult } = await this.failure.guard(this.#process.load())
    this.#describesResult = describesResult
    this.#hasStarted = true
    this.#between()
    await this.failure.guard(this.#process.call('run', this.#plan))
    if (this.#measurement.measuredMs === 0)
      throw new Error(`${this.#path}: the scenario has measured nothing: it never called measure`)
    this.document.header.completed()
  }

  async teardown() {
    if (this.#hasStarted) await this.#close().catch(() => {}) // the process is gone; its fault is recorded below
    const described =
      this.#process.fault === null && this.#describesResult && this.#measurement.measuredMs > 0
    if (described) await this.#describe()
    await this.#process.end()
    await this.#measuring.catch(() => {})
    if (this.#process.fault !== null && !described) this.fail(this.#process.fault)
  }

  /** Errors of describeResult do not affect the result. */
  async #describe() {
    const result = this.document.result()
    const interrupted = this.failure.error !== null
    await this.log.phase('describe', async () => {
      const describing = this.#process.describe(result)
      const checked = await (interrupted ? describing : this.failure.guard(describing)).catch(
        ({ message }) => ({
          description: undefined,
          problem: message
        })
      )
      if (checked.description === undefined) this.log.warn('NOT_DESCRIBED', { why: checked.problem })
      else this.#own.description = checked.description
      return {}
    })
  }

  async #close() {
    const closers = await this.#process.endRun(this.failure.error ?? new Error('the run has ended'))
    await this.#measuring.catch(() => {})
    if (closers === 0) return
    await this.endAll([() => this.log.phase('teardown', () => this.#process.closeAll().then(() => ({})))])
  }

  #between() {
    this.#step('in run, outside of its phases')
  }

  /** @param {string} at @param {boolean} [turning] */
  #step(at, turning = false) {
    const { timeoutMs } = this.#plan
    this.#process.step({
      at,
      turning,
      ms: turning ? timeoutMs + SPARE_MS : Math.max(STEP_TIMEOUT_MS, timeoutMs)
    })
  }

  /** @param {number} id @param {string} name @param {boolean} turning */
  #begin(id, name, turning) {
    const work = Promise.withResolvers()
    this.#phases.set(id, work)
    this.#step(`in phase ${name}`, turning)
    this.phases.guarded(name, () => work.promise).catch(() => {})
  }

  /** @param {number} id @param {{ failed?: boolean, detail?: string }} how */
  #end(id, { failed, detail }) {
    const work = this.#phases.get(id)
    this.#phases.delete(id)
    this.#between()
    if (failed) work?.reject(new Error('the phase failed'))
    else work?.resolve(detail)
  }

  /** Gives back when the measurement may begin. */
  #measure() {
    this.#step('in phase measure', true)
    const started = Promise.withResolvers()
    const processes = [{ name: 'worker 0', pid: () => this.#process.pid }]
    // the measurement ends by itself, after its last report
    this.#measuring = this.phases.plain('measure', () =>
      this.document.header.watching(processes, () => {
        started.resolve(undefined)
        return this.#counted()
      })
    )
    this.#measuring.catch(() => {})
    return started.promise
  }

  /** @returns {Promise<string | undefined>} */
  async #counted() {
    const measurement = this.#measurement
    const startNs = process.hrtime.bigint()
    measurement.begin(startNs)
    const watch = watchIntervals(
      { plan: this.#plan, log: this.log, failure: this.failure },
      { measurement, figures: () => makeLiveFigures(measurement), rows: this.#figures }
    )
    /** @type {LoadSummary | undefined} */
    let measured
    try {
      measured = await this.#measured.promise
      if (this.failure.error !== null) throw this.failure.error
      return measured.failure
    } finally {
      watch.stop()
      const lastedNs = measured && BigInt(Math.round(measured.durationMs * 1e6))
      measurement.end([lastedNs === undefined ? process.hrtime.bigint() : startNs + lastedNs])
      this.#between()
    }
  }
}

/**
 * makeCustomRunner makes the function that runs plans of a user's own scenario.
 *
 * @param {string} path - of its file
 * @param {Figures} figures
 * @returns {import('../../index.js').Run}
 */
export const makeCustomRunner = (path, figures) => (plan, options) =>
  generateRecords(emit =>
    executeRun(new CustomRun(asCustomPlan(plan), options, { path, figures, emit }), run => run.run())
  )
