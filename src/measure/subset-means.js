/** MOST_VALUES is how many values can be looked at exactly: 2^20 subsets take a tenth of a second. */
export const MOST_VALUES = 20

/**
 * subsetMeans gives the mean of every non-empty subset of some values, ascending. They are where the exact sign-flip test of
 * the mean changes its answer (J. A. Hartigan, Using subsample values as typical values, JASA 64 (1969) 1303–1317).
 *
 * @param {readonly number[]} values - at most 20; infinite ones of one sign only
 * @returns {Float64Array} 2^n − 1 means
 * @throws {RangeError} for more values
 */
export function subsetMeans(values) {
  const n = values.length
  if (n > MOST_VALUES) throw new RangeError(`at most ${MOST_VALUES} values, not ${n}`)
  const sums = new Float64Array(2 ** n)
  const sizes = new Uint8Array(2 ** n)
  for (let place = 0; place < n; place++) {
    const half = 2 ** place
    for (let subset = 0; subset < half; subset++) {
      sums[half + subset] = sums[subset] + values[place]
      sizes[half + subset] = sizes[subset] + 1
    }
  }
  return sums
    .subarray(1)
    .map((sum, place) => sum / sizes[place + 1])
    .sort()
}
