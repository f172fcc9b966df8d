import { Distribution } from '../../../measure/distribution.js'
import { InterArrival } from './inter-arrival.js'

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
