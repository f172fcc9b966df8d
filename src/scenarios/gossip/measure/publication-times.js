import { Distribution } from '../../../measure/distribution.js'

/**
 * REORDER_WINDOW: how many times wait to be put in order. Workers tell theirs once a second, each in its own order; up to half
 * as many publications as this may be told between one publication and another that was earlier. Runs with fewer publications
 * than this are in order whatever happens.
 */
const REORDER_WINDOW = 65_536

/** InterArrival measures the time from each event to the next one of the whole network. Memory is bounded by the window. */
export class InterArrival {
  #distribution = new Distribution()
  #waiting
  #count = 0
  #lastNs = -Infinity
  /** outOfOrder counts events that came after the window had passed them: they are in no interval. */
  outOfOrder = 0

  /** @param {number} [window] - at least 2 */
  constructor(window = REORDER_WINDOW) {
    this.#waiting = new Float64Array(window)
  }

  /** @param {number} atNs */
  add(atNs) {
    if (atNs < this.#lastNs) {
      this.outOfOrder++
      return
    }
    if (this.#count === this.#waiting.length) this.#pass(this.#count >> 1)
    this.#waiting[this.#count++] = atNs
  }

  /** close passes everything that waits. */
  close() {
    this.#pass(this.#count)
  }

  /** Records the earliest of those that wait. @param {number} count */
  #pass(count) {
    const waiting = this.#waiting.subarray(0, this.#count).sort()
    for (let i = 0; i < count; i++) {
      if (this.#lastNs !== -Infinity) {
        this.#distribution.known.record((waiting[i] - this.#lastNs) / 1000)
      }
      this.#lastNs = waiting[i]
    }
    waiting.copyWithin(0, count)
    this.#count -= count
  }

  /** @returns {import('./delivery-result.js').Intervals} of what was passed */
  result() {
    return { ...this.#distribution.knownResult(), outOfOrder: this.outOfOrder }
  }
}

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
