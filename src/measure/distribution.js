import { encodedHistogram } from './encoded-histogram.js'
import { Histogram, merged } from './histogram.js'
import { mergedOverheads, Overheads } from './overhead.js'
import { summarize } from './summary.js'

/** @typedef {import('../result/types.js').Summary} Summary */

/**
 * Distribution is of times in µs, some of which are only known to be longer than what was waited for (censored).
 */
export class Distribution {
  known = new Histogram()
  censored = new Histogram()
  #overheads = new Overheads()

  /**
   * overhead records how much of a known time was client overhead: where that is recorded of all, percentiles have it.
   *
   * @param {number} us - the time
   * @param {number} overheadUs - of that
   */
  overhead(us, overheadUs) {
    this.#overheads.record(us, overheadUs)
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

  /** summary is of both. @returns {Summary} */
  summary() {
    const { known, censored } = this
    return summarize(merged([known, censored]), {
      answered: known,
      overheads: this.#overheadsWith(censored)
    })
  }

  /**
   * result summarizes both.
   *
   * @returns {{ all: Summary, known: Summary, histogram: string, censoredHistogram: string | null }}
   */
  result() {
    const { known, censored } = this
    return {
      all: this.summary(),
      known: summarize(known, { overheads: this.#overheads }),
      histogram: encodedHistogram(known),
      censoredHistogram: censored.count > 0 ? encodedHistogram(censored) : null
    }
  }

  /** @param {Histogram} censored - who waits for nobody that is known has no overhead that is */
  #overheadsWith(censored) {
    const all = mergedOverheads([this.#overheads])
    for (const [us, count] of censored.counts) all.record(us, 0, count)
    return all
  }
}
