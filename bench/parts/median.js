/**
 * median of an odd number of values, or the lower one of the middle two.
 *
 * @param {number[]} values
 */
export const median = values => [...values].sort((a, b) => a - b)[(values.length - 1) >> 1]
