import { Histogram, merged } from './histogram.js'
import { SparseHistogram } from './sparse-histogram.js'
import { summarize } from './summary.js'

/** @typedef {import('../result/types.js').Summary} Summary */

/**
 * Distribution is of times in µs, some of which are only known to be longer than what was waited for (censored).
 */
export class Distribution {
  known = new SparseHistogram()
  censored = new SparseHistogram()

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
      withHistogram(this.censored, censored => {
        const all = merged([known, censored])
        try {
          return {
            all: summarize(all, { answered: known }),
            known: summarize(known),
            histogram: known.encode(),
            censoredHistogram: censored.count > 0 ? censored.encode() : null
          }
        } finally {
          all.destroy()
        }
      })
    )
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
