import { Histogram } from '../../measure/histogram.js'

/**
 * withHistogram reads a stored histogram, uses it and gives its memory back.
 *
 * @template T
 * @param {string} base64
 * @param {(histogram: Histogram) => T} use
 * @returns {T}
 */
export function withHistogram(base64, use) {
  const histogram = Histogram.decode(base64)
  try {
    return use(histogram)
  } finally {
    histogram.destroy()
  }
}

/**
 * withHistograms does so with several at once.
 *
 * @template T
 * @param {string[]} encoded - base64
 * @param {(histograms: Histogram[]) => T} use
 * @returns {T}
 */
export function withHistograms(encoded, use) {
  const histograms = encoded.map(base64 => Histogram.decode(base64))
  try {
    return use(histograms)
  } finally {
    for (const histogram of histograms) histogram.destroy()
  }
}
