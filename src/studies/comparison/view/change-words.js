import { significant, spell } from '../../../kit/numbers.js'

/** Two slopes over fewer seconds are chance. */
const LEAST_SECONDS = 20

/**
 * changeWords say where what was carried in a second changed.
 *
 * @param {import('../../../measure/slope-change.js').SlopeChange | null} slope
 * @param {number} seconds - that were looked at
 */
export function changeWords(slope, seconds) {
  if (slope !== null)
    return `what was carried in a second changed after ${spell(slope.at * 1000)}, from ${significant(slope.before)} to ${significant(slope.after)}`
  return seconds < LEAST_SECONDS
    ? 'the run is too short to tell whether what was carried in a second changed'
    : 'what was carried in a second did not change'
}
