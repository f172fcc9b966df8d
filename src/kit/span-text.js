import { grouped } from './numbers.js'

/**
 * spanText writes from which number to which some numbers go.
 *
 * @param {number[]} values - at least one
 * @returns {string} `5 to 200`, or `5` where they are all the same
 */
export function spanText(values) {
  const ascending = [...values].sort((a, b) => a - b)
  const ends = [...new Set([ascending[0], ascending[ascending.length - 1]])]
  return ends.map(grouped).join(' to ')
}
