// Distributions of times as a result stores them: percentiles with an encoded HDR histogram. Also corrects times for
// clock errors between machines.

import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { mergeOverheads, Overheads } from './client-overhead.js'
import {
  Histogram,
  MAX_VALUE,
  mergeHistograms,
  quantize,
  SIGNIFICANT_DIGITS,
  summarize
} from './histogram.js'

/** @typedef {import('../report/schema.js').Summary} Summary */

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
    return { summary: this.knownSummary(), histogram: encodeHistogram(this.known) }
  }

  /** summary is of both. @returns {Summary} */
  summary() {
    const { known, censored } = this
    return summarize(mergeHistograms([known, censored]), {
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
      histogram: encodeHistogram(known),
      censoredHistogram: censored.count > 0 ? encodeHistogram(censored) : null
    }
  }

  /** @param {Histogram} censored - who waits for nobody that is known has no overhead that is */
  #overheadsWith(censored) {
    const all = mergeOverheads([this.#overheads])
    for (const [us, count] of censored.counts) all.record(us, 0, count)
    return all
  }
}

const require = createRequire(import.meta.url)

/** Before the deflated bytes of a histogram stand a mark and their length. */
const HEAD_BYTES = 8
/** More than the counts of all values that are told apart take. */
const MAX_BYTES = 1 << 20

/** Loaded for who writes or reads one, not at each start of the program. @returns {typeof import('hdr-histogram-js')} */
const hdrHistograms = () => require('hdr-histogram-js')

/**
 * encodeHistogram writes a histogram as others read it.
 *
 * @param {Histogram} histogram
 * @returns {string} HDR V2, compressed, base64
 */
export function encodeHistogram({ counts }) {
  const { build, encodeIntoCompressedBase64 } = hdrHistograms()
  const hdr = build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: MAX_VALUE,
    numberOfSignificantValueDigits: SIGNIFICANT_DIGITS
  })
  for (const [value, count] of counts) hdr.recordValueWithCount(value, count)
  return encodeIntoCompressedBase64(hdr)
}

/**
 * decodeHistogram reads what encodeHistogram, or another HDR histogram in µs with 3 digits, wrote. Sum and maximum are as exact as its
 * resolution.
 *
 * @param {string} base64
 * @returns {Histogram}
 */
export function decodeHistogram(base64) {
  const { decodeFromCompressedBase64 } = hdrHistograms()
  const hdr = /** @type {import('hdr-histogram-js').JsHistogram} */ (decodeFromCompressedBase64(base64))
  const [values, counts] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
  let sum = 0
  // its iterators, that of its mean among them, take eight times as long
  for (let i = 0; i < hdr.countsArrayLength; i++) {
    const count = hdr.getCountAtIndex(i)
    if (count === 0) continue
    const value = hdr.valueFromIndex(i)
    values.push(quantize(value, SIGNIFICANT_DIGITS))
    counts.push(count)
    sum += count * hdr.medianEquivalentValue(value)
  }
  const histogram = new Histogram()
  histogram.merge({ values, counts, count: hdr.totalCount, sum, max: hdr.maxValue })
  return histogram
}

/**
 * isEncodedHistogram says whether a text is a histogram that can be read.
 *
 * @param {string} base64
 */
export function isEncodedHistogram(base64) {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false
  try {
    // what it inflates to is bounded before it is read
    inflateSync(Buffer.from(base64, 'base64').subarray(HEAD_BYTES), { maxOutputLength: MAX_BYTES })
    decodeHistogram(base64)
    return true
  } catch {
    return false
  }
}

/** readUnixNs is the wall-clock time to the µs, which Date does not have. */
export const readUnixNs = () =>
  BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n

/**
 * findClockError is by how much times may be off that are between two machines: as much as both of their clocks may be.
 *
 * @param {readonly { clock: { errorMs: number } | null }[]} machines
 * @returns {number} ms; 0: there is one machine, or none of its own
 */
export function findClockError(machines) {
  if (machines.length < 2) return 0
  const errors = machines.map(({ clock }) => clock?.errorMs ?? Infinity).sort((a, b) => b - a)
  return errors[0] + errors[1]
}

/**
 * removeTimesBelow leaves out of a distribution of times what is less than they may be off by.
 *
 * @template {Summary} T
 * @param {T} summary
 * @param {number} errorMs
 * @returns {T}
 */
export const removeTimesBelow = (summary, errorMs) =>
  /** @type {T} */ (
    Object.fromEntries(
      Object.entries(summary).map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null && value.ms < errorMs ? null : value
      ])
    )
  )
