import { Distribution } from '../../../measure/distribution.js'
import { InterArrival } from './inter-arrival.js'

/** Publishing this late is more than timers explain, */
const LATE_MS = 10
/** and messages do not come as planned. Of the time between two of them. */
const LATE_SHARE = 0.1

/**
 * lateAllowedMs is how late a message may be published and still be in time. It goes by the median time between two: within a burst there is
 * none.
 *
 * @param {Pick<import('./delivery-result.js').DeliveryResult, 'interArrival'>} outcome
 */
export function lateAllowedMs({ interArrival }) {
  const { p50, avg } = interArrival.planned.summary
  return Math.max(LATE_MS, LATE_SHARE * ((p50 ?? avg)?.ms ?? 0))
}

/** PublicationTimes compares when messages were due with when they were published. */
export class PublicationTimes {
  #lateness = new Distribution()
  #early = 0
  #actual = new InterArrival()
  #planned = new InterArrival()

  /** plan records what was due, whatever became of it. @param {number} dueNs */
  plan(dueNs) {
    this.#planned.add(dueNs)
  }

  /** publish records a publication. @param {number} dueNs @param {number} atNs */
  publish(dueNs, atNs) {
    this.#actual.add(atNs)
    if (atNs < dueNs) this.#early++
    this.#lateness.known.record(Math.max(0, atNs - dueNs) / 1000)
  }

  /** leave records what was due when publishing ended, and had not gone out. @param {number} dueNs @param {number} endedNs */
  leave(dueNs, endedNs) {
    this.#lateness.censor((endedNs - dueNs) / 1000, 1)
  }

  close() {
    this.#actual.close()
    this.#planned.close()
  }

  /** @returns {Pick<import('./delivery-result.js').DeliveryResult, 'lateness' | 'interArrival'>} */
  result() {
    const { histogram: _, ...planned } = this.#planned.result()
    const { all: summary, histogram, censoredHistogram } = this.#lateness.result()
    return {
      lateness: { summary, histogram, censoredHistogram, early: this.#early },
      interArrival: { actual: this.#actual.result(), planned }
    }
  }
}
