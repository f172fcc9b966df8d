import { significant, spell } from '../../../kit/numbers.js'

/**
 * changeWords say where what was carried in a second changed.
 *
 * @param {import('../../../measure/slope-change.js').SlopeChange | null} slope
 */
export const changeWords = slope =>
  slope === null
    ? 'what was carried in a second did not change'
    : `what was carried in a second changed after ${spell(slope.at * 1000)}, from ${significant(slope.before)} to ${significant(slope.after)}`
