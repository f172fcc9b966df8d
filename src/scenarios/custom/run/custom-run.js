import { Meter } from '../../../measure/meter.js'
import { OperationRecorder } from '../../../measure/operation-recorder.js'
import { OwnMemoryWatch } from '../../../measure/own-memory.js'
import { Turns } from '../../../measure/turns.js'
import { generatorUsage } from '../../../workers/generator-usage.js'
import { execute } from '../../execute.js'
import { recordsOf } from '../../phases.js'
import { Measurement } from '../../rendezvous/measure/measurement.js'
import { figuresSoFar } from '../../rendezvous/measure/operation-result.js'
import { reportWhile } from '../../rendezvous/run/interval-reporter.js'
import { watchIntervals } from '../../rendezvous/run/interval-watch.js'
import { documentAround, Run } from '../../run.js'
import { customPlan } from '../custom-plan.js'
import { CustomLoad } from './custom-load.js'
import { customResult } from './custom-result.js'

/**
 * @typedef {import('../types.js').CustomModule} CustomModule
 * @typedef {import('../types.js').CustomPlan} CustomPlan
 * @typedef {import('../types.js').Operation} Operation
 * @typedef {readonly import('../../../measure/figure.js').Figure[]} Figures
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').Record_} Record_
 */

/** Nothing is sent ahead of its time, for which a pacer would have to spin. */
const NO_PACER = { spunNs: 0 }

/**
 * CustomRun is a run of a scenario of a user's own, in this process.
 *
 * @extends {Run<import('../../run.js').RunDocument>}
 */
class CustomRun extends Run {
  #plan
  #figures
  #names
  #ended = new AbortController()
  /** @type {(() => unknown)[]} */
  #closers = []
  #measurement
  #measured = false
  #load

  /**
   * @param {CustomPlan} plan
   * @param {import('../../scenario.js').RunOptions} options
   * @param {{ module: CustomModule, figures: Figures, emit: (record: Record_) => void }} parts
   */
  constructor(plan, { id, signal }, { module, figures, emit }) {
    const measurement = new Measurement(1)
    super({
      emit,
      signal,
      documentOf: documentAround({ id, plan, packages: ['libp2p'] }, header =>
        customResult(plan, measurement, { header, figures })
      )
    })
    this.#plan = plan
    this.#figures = figures
    this.#names = module.operations
    this.#measurement = measurement
    this.#load = new CustomLoad(plan, { log: this.log, ended: this.#ended.signal })
  }

  /** @override */
  begin() {
    super.begin()
    this.trouble.guard(new Promise(() => {})).catch(error => this.#stop(error))
  }

  /** @returns {import('../types.js').Tools} */
  get tools() {
    return {
      phase: (name, work) => this.#phase(name, work),
      measure: operations => this.#measure(operations),
      onEnd: close => void this.#closers.unshift(close),
      signal: this.#ended.signal
    }
  }

  complete() {
    if (!this.#measured) throw new Error('the scenario has measured nothing: it never called measure')
    this.document.header.completed()
  }

  /** @param {Error} [why] */
  #stop(why) {
    this.#ended.abort(why)
    this.#load.stop(why)
  }

  async teardown() {
    this.#stop()
    if (this.#closers.length === 0) return
    await this.log.phase('teardown', () => this.endAll(this.#closers))
  }

  /**
   * @template T
   * @param {string} name
   * @param {(signal: AbortSignal) => Promise<T> | T} work
   * @returns {Promise<T>}
   */
  async #phase(name, work) {
    /** @type {{ value?: T }} */
    const made = {}
    await this.phases.guarded(name, async () => {
      made.value = await work(this.#ended.signal)
    })
    return /** @type {T} */ (made.value)
  }

  /** @param {Readonly<Record<string, Operation>>} operations */
  async #measure(operations) {
    if (this.#measured) throw new Error('the scenario called measure twice: give it all operations at once')
    const stranger = Object.keys(operations).find(name => !this.#names.includes(name))
    if (stranger !== undefined)
      throw new Error(`${stranger} is measured, and is not among the scenario's operations`)
    this.#measured = true
    const { warmupMs, durationMs } = this.#plan
    if (warmupMs > 0)
      await this.phases.guarded('warmup', () =>
        this.#load.run(operations, { forMs: warmupMs, phase: 'warmup' })
      )
    // what was measured is told before it is left
    await this.phases.plain('measure', () =>
      this.document.header.watching([{ name: 'main process', pid: () => process.pid }], () =>
        this.#counted(operations, durationMs)
      )
    )
  }

  /** @param {Readonly<Record<string, Operation>>} operations @param {number} forMs @returns {Promise<string | undefined>} */
  async #counted(operations, forMs) {
    const measurement = this.#measurement
    const meter = new Meter()
    const recorder = new OperationRecorder(meter)
    const turns = new Turns({ onTurn: ns => meter.record('turn', '', '', ns) })
    const memory = new OwnMemoryWatch()
    const usage = generatorUsage(NO_PACER, memory)
    const startNs = process.hrtime.bigint()
    measurement.begin(startNs)
    const watch = watchIntervals(
      { plan: this.#plan, log: this.log, trouble: this.trouble },
      { measurement, figures: () => figuresSoFar(measurement), rows: this.#figures }
    )
    try {
      const failure = await reportWhile(
        {
          meter,
          startNs,
          report: async interval => measurement.addLoad({ ...interval, usage: usage() }, 0)
        },
        () =>
          this.#load.run(operations, {
            forMs,
            phase: 'measure',
            done: (type, outcome, sentNs, repliedNs) => {
              const { total: waitedNs, machine: machineNs } = turns.event(repliedNs)
              recorder.record({ type, dueNs: null, sentNs, repliedNs, waitedNs, machineNs }, outcome)
            }
          })
      )
      if (this.trouble.error !== null) throw this.trouble.error
      return failure
    } finally {
      watch.stop()
      memory.stop()
      measurement.end([process.hrtime.bigint()])
    }
  }
}

/**
 * runCustom gives what runs plans of a scenario of a user's own.
 *
 * @param {CustomModule} module
 * @param {Figures} figures
 * @returns {import('../../scenario.js').Run}
 */
export const runCustom = (module, figures) => (plan, options) =>
  recordsOf(emit =>
    execute(new CustomRun(customPlan(plan), options, { module, figures, emit }), async run => {
      await module.run(plan, run.tools)
      run.complete()
    })
  )
