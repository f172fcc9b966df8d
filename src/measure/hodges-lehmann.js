import { median } from '../kit/median.js'

/**
 * hodgesLehmann estimates the centre of values that scatter evenly around it: the median of the means of all pairs, each
 * value paired with itself too (J. L. Hodges, E. L. Lehmann, Ann. Math. Statist. 34 (1963) 598–611). One value far out moves
 * it little.
 *
 * @param {readonly number[]} values - at least one
 * @returns {number}
 */
export const hodgesLehmann = values =>
  median(values.flatMap((value, place) => values.slice(place).map(other => (value + other) / 2)))
