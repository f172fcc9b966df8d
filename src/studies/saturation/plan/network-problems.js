import { grouped } from '../../../kit/numbers.js'
import { MOST_PER_SECOND } from '../../../scenarios/saturation-options.js'

/** @typedef {import('../../../plan/read-options.js').Problem} Problem */

/** MOST_HELD: no server is given more registrations. */
export const MOST_HELD = 10_000_000

/** twoPeaks refuses a busiest hour that is said twice. @param {Record<string, any>} own @returns {Problem | false} */
export const twoPeaks = ({ peakFactor, peakHourShare }) =>
  peakFactor !== undefined &&
  peakHourShare !== undefined && {
    flag: '--peakHourShare',
    value: String(peakHourShare),
    allowed: 'cannot be given together with --peakFactor: choose one'
  }

/**
 * tooFast refuses a network that sends more than can be tried.
 *
 * @param {number} peers
 * @param {number} perSecond
 * @returns {Problem | false}
 */
export const tooFast = (peers, perSecond) =>
  perSecond > MOST_PER_SECOND && {
    flag: '--peers',
    value: grouped(peers),
    allowed: `make ${grouped(perSecond)} requests per second, above the ${grouped(MOST_PER_SECOND)} that are tried at most`
  }
