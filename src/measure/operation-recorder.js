/**
 * @typedef {object} Timing - one operation; times in ns on the monotonic clock of the host
 * @property {import('../result/types.js').OperationType} type
 * @property {bigint | null} dueNs - null in the closed model: it is due when it is sent
 * @property {bigint} sentNs
 * @property {bigint} repliedNs - when it ended, whatever its outcome
 * @property {number} overheadNs - client overhead between send and reply, see Turns and WireWatch
 */

/**
 * timingOf begins the timing of an operation that is sent now.
 *
 * @param {Timing['type']} type
 * @param {bigint | null} dueNs
 * @returns {Timing}
 */
export function timingOf(type, dueNs) {
  const sentNs = process.hrtime.bigint()
  return { type, dueNs, sentNs, repliedNs: sentNs, overheadNs: 0 }
}

/**
 * OperationRecorder turns timings into the metrics of a run: response time from when an operation was due (open model) or sent
 * (closed model), and in the open model service time and lag beside it.
 */
export class OperationRecorder {
  #meter
  #log

  /**
   * @param {import('./meter.js').Meter} meter
   * @param {(timing: Timing, outcome: string) => void} [log] - told every single operation
   */
  constructor(meter, log = () => {}) {
    this.#meter = meter
    this.#log = log
  }

  /**
   * dropped counts an operation that was due but never sent: all that is known is that it had no reply when it was due.
   *
   * @param {Timing} timing
   */
  dropped(timing) {
    this.#meter.record('rt', timing.type, 'DROPPED', 0)
    this.#meter.overhead(timing.type, 'DROPPED', 0, 0)
    this.#log(timing, 'DROPPED')
  }

  /**
   * @param {Timing} timing
   * @param {string} outcome
   */
  record(timing, outcome) {
    const { type, dueNs, sentNs, repliedNs, overheadNs } = timing
    const serviceNs = Number(repliedNs - sentNs)
    const lagNs = dueNs == null ? 0 : Number(sentNs - dueNs)
    const rtNs = lagNs + serviceNs
    this.#meter.record('rt', type, outcome, rtNs)
    this.#meter.overhead(type, outcome, rtNs, Math.min(rtNs, lagNs + overheadNs))
    if (dueNs != null) {
      this.#meter.record('service', type, outcome, serviceNs)
      this.#meter.record('lag', type, '', lagNs)
    }
    this.#log(timing, outcome)
  }
}
