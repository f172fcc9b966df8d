import { Histogram, merged } from './histogram.js'
import { SparseHistogram } from './sparse-histogram.js'
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
  known = new SparseHistogram()
  censored = new SparseHistogram()
  #least = new SparseHistogram()
  #lessMachine = new SparseHistogram()

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
    const once = new SparseHistogram()
    once.record(us)
    const { values, sum, max } = once.toData()
    this.censored.merge({ values, counts: Uint32Array.of(count), count, sum: sum * count, max })
  }

  /** knownSummary is of the times that are known. @returns {Summary} */
  knownSummary() {
    return withHistogram(this.known, known => summarize(known))
  }

  /** knownResult is of the times that are known. @returns {{ summary: Summary, histogram: string }} */
  knownResult() {
    return withHistogram(this.known, known => ({ summary: summarize(known), histogram: known.encode() }))
  }

  /**
   * result summarizes both.
   *
   * @returns {{ all: Summary, known: Summary, histogram: string, censoredHistogram: string | null }}
   */
  result() {
    return withHistogram(this.known, known =>
      withHistogram(this.censored, censored => ({
        all: this.#withOf(censored, less =>
          withMerged([known, censored], all => summarize(all, { answered: known, less }))
        ),
        known: this.#withOf(null, less => summarize(known, { less })),
        histogram: known.encode(),
        censoredHistogram: censored.count > 0 ? censored.encode() : null
      }))
    )
  }

  /** @template T @param {Histogram | null} censored - nothing is known to have been added to those @param {(less?: import('./summary.js').Less) => T} use */
  #withOf(censored, use) {
    // nobody told, or not of all yet
    if (this.#least.count !== this.known.count) return use()
    return withHistogram(this.#least, least =>
      withHistogram(this.#lessMachine, lessMachine => {
        if (censored !== null) for (const each of [least, lessMachine]) each.add(censored)
        return use({ least, lessMachine })
      })
    )
  }
}

/** @template T @param {Histogram[]} parts @param {(histogram: Histogram) => T} use */
function withMerged(parts, use) {
  const all = merged(parts)
  try {
    return use(all)
  } finally {
    all.destroy()
  }
}

/**
 * @template T
 * @param {SparseHistogram} sparse
 * @param {(histogram: Histogram) => T} use
 */
function withHistogram(sparse, use) {
  const histogram = new Histogram()
  try {
    histogram.merge(sparse.toData())
    return use(histogram)
  } finally {
    histogram.destroy()
  }
}
