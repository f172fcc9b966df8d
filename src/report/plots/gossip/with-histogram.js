import { Histogram } from '../../../measure/histogram.js'

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
