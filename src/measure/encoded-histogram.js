import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { Histogram, MAX_VALUE, quantize, SIGNIFICANT_DIGITS } from './histogram.js'

const require = createRequire(import.meta.url)

/** Before the deflated bytes of a histogram stand a mark and their length. */
const HEAD_BYTES = 8
/** More than the counts of all values that are told apart take. */
const MOST_BYTES = 1 << 20

/** Loaded for who writes or reads one, not at each start of the program. @returns {typeof import('hdr-histogram-js')} */
const hdrHistograms = () => require('hdr-histogram-js')

/**
 * encodedHistogram writes a histogram as others read it.
 *
 * @param {Histogram} histogram
 * @returns {string} HDR V2, compressed, base64
 */
export function encodedHistogram({ counts }) {
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
 * decodedHistogram reads what encodedHistogram, or another HDR histogram in µs with 3 digits, wrote. Sum and maximum are as exact as its
 * resolution.
 *
 * @param {string} base64
 * @returns {Histogram}
 */
export function decodedHistogram(base64) {
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
    inflateSync(Buffer.from(base64, 'base64').subarray(HEAD_BYTES), { maxOutputLength: MOST_BYTES })
    decodedHistogram(base64)
    return true
  } catch {
    return false
  }
}
