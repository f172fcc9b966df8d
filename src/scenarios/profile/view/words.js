import { counted, significant } from '../../../kit/numbers.js'
import { percentOf } from './hot-spot-tables.js'

/**
 * @typedef {import('../profile-types.js').Profiled} Profiled
 */

/**
 * intervalInWords writes the time between two samples.
 *
 * @param {number} micros
 */
export const intervalInWords = micros => `${micros / 1000} ms`

/**
 * sampledInWords says what shares are of.
 *
 * @param {Profiled} profiled
 */
export const sampledInWords = ({ hotSpots: { samples, durationMs, busyShare }, workers, intervalMicros }) =>
  `${counted(samples, 'sample')}, one due each ${intervalInWords(intervalMicros)}, of ${counted(workers.length, 'process', 'processes')} while messages were published; busy ${percentOf(busyShare)} % of ${significant(durationMs / 1000)} s`

/**
 * mostInWords names the categories with the most self time.
 *
 * @param {Profiled} profiled
 * @param {number} [most]
 */
export const mostInWords = ({ hotSpots: { categories } }, most = 3) =>
  categories
    .slice(0, most)
    .map(({ category, selfShare }) => `${category} ${percentOf(selfShare)} %`)
    .join(', ')

/**
 * filesInWords says where profiles are and what opens them.
 *
 * @param {Profiled} profiled
 * @returns {string[]} none: no file was written
 */
export const filesInWords = ({ files }) =>
  files.length === 0
    ? []
    : [
        `CPU profiles in the folder of the run: ${files.join(', ')}. They open in the developer tools of browsers (Performance, load profile), in editors and in speedscope.`
      ]

/**
 * categoriesInWords lists all categories with their self time, and with their total time where that is more.
 *
 * @param {Profiled} profiled
 */
export const categoriesInWords = ({ hotSpots: { categories } }) =>
  categories
    .map(({ category, selfShare, totalShare }) => {
      const total = percentOf(totalShare)
      return `${category} ${percentOf(selfShare)}${total === percentOf(selfShare) ? '' : ` (${total})`}`
    })
    .join(', ')
