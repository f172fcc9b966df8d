import { encodedHistogram } from './encoded-histogram.js'
import { Histogram, merged } from './histogram.js'
import { summarize } from './summary.js'

/**
 * @typedef {import('../result/types.js').Summary} Summary
 *
 * @typedef {object} Without - a time that is known, in µs
 * @property {number} leastUs - without all that generator and machine added to it
 * @property {number} lessMachineUs - without what the machine added
 */

/**
 * Distribution is of times in µs, some of which are only known to be longer than what was waited for (censored).
 */
export class Distribution {
  known = new Histogram()
  censored = new Histogram()
  #least = new Histogram()
  #lessMachine = new Histogram()

  /** without records what a known time would be without what was added to it: where that is told of all, percentiles get brackets. @param {Without} time */
  without({ leastUs, lessMachineUs }) {
    this.#least.record(leastUs)
    this.#lessMachine.record(lessMachineUs)
  }

  /**
   * censor records times that are only known to be longer.
   *
   * @param {number} us - that was waited for
   * @param {number} count
   */
  censor(us, count) {
    const once = new Histogram()
    once.record(us)
    const { values, sum, max } = once.toData()
    this.censored.merge({ values, counts: Uint32Array.of(count), count, sum: sum * count, max })
  }

  /** knownSummary is of the times that are known. @returns {Summary} */
  knownSummary() {
    return summarize(this.known)
  }

  /** knownResult is of the times that are known. @returns {{ summary: Summary, histogram: string }} */
  knownResult() {
    return { summary: this.knownSummary(), histogram: encodedHistogram(this.known) }
  }

  /**
   * result summarizes both.
   *
   * @returns {{ all: Summary, known: Summary, histogram: string, censoredHistogram: string | null }}
   */
  result() {
    const { known, censored } = this
    return {
      all: summarize(merged([known, censored]), { answered: known, less: this.#lessWith(censored) }),
      known: summarize(known, { less: this.#lessWith(new Histogram()) }),
      histogram: encodedHistogram(known),
      censoredHistogram: censored.count > 0 ? encodedHistogram(censored) : null
    }
  }

  /** @param {Histogram} censored - nothing is known to have been added to those @returns {import('./summary.js').Less | undefined} */
  #lessWith(censored) {
    // nobody told, or not of all yet
    if (this.#least.count !== this.known.count) return
    return { least: merged([this.#least, censored]), lessMachine: merged([this.#lessMachine, censored]) }
  }
}
