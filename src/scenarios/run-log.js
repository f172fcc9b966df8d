/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../result/types.js').Result['run']['phases'][number]} Phase
 * @typedef {import('../result/types.js').Warning} Warning
 */

/** RunLog keeps what happened in a run, and tells it to those who follow. */
export class RunLog {
  #emit
  #clock
  #began
  /** @type {Phase[]} */
  phases = []
  /** @type {Warning[]} */
  warnings = []

  /**
   * @param {(record: Record_) => void} emit
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

  /** sinceBegin turns a time of the same clock into ms since the run began. @param {number} ms */
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

  /** @param {Omit<import('../result/types.js').ProgressRecord, 'type'>} progress */
  progress(progress) {
    this.#emit({ type: 'progress', ...progress })
  }

  /** @param {Omit<import('../result/types.js').IntervalRecord, 'type'>} interval */
  interval(interval) {
    this.#emit({ type: 'interval', ...interval })
  }

  /** @param {Omit<import('../result/types.js').MeasuredRecord, 'type'>} measured */
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
