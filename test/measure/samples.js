import { Histogram } from '../../src/measure/histogram.js'

/**
 * histogramOf counts values.
 *
 * @param {Iterable<number>} values - µs
 */
export function histogramOf(values) {
  const histogram = new Histogram()
  for (const value of values) histogram.record(value)
  return histogram
}

/**
 * exactQuantile is the smallest of the values that a share of all does not exceed.
 *
 * @param {number[]} values
 * @param {number} share
 */
export const exactQuantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length - 1e-9) - 1)]

/** range gives whole numbers from one to the other, both included. @param {number} from @param {number} to */
export const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** SHAPES of response times in µs, each from uniform random numbers. @type {Record<string, (random: () => number) => number>} */
export const SHAPES = {
  uniform: random => 500 + Math.floor(random() * 100_000),
  exponential: random => 200 + Math.floor(-Math.log(1 - random()) * 20_000),
  'heavy-tailed': random => Math.floor(300 / (1 - random()) ** 0.8),
  'two-humped': random => (random() < 0.97 ? 700 : 2_000_000) + Math.floor(random() * 400),
  'all the same': () => 1234
}
