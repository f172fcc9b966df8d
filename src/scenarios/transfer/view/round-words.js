import { sizeText } from '../../../kit/units.js'

/**
 * latencyWords write a one-way latency.
 *
 * @param {number} ms
 */
export const latencyWords = ms => (ms === 0 ? 'none' : `${ms} ms`)

/**
 * bandwidthWords write a bandwidth.
 *
 * @param {number | null} bytesPerSecond
 */
export const bandwidthWords = bytesPerSecond =>
  bytesPerSecond === null ? 'unlimited' : `${sizeText(bytesPerSecond)}/s`

/**
 * roundWords name a round.
 *
 * @param {import('../transfer-plan.js').Round} round
 */
export const roundWords = ({ latencyMs, bytesPerSecond }) =>
  `${latencyMs === 0 ? 'no latency' : `${latencyMs} ms`}, ${bandwidthWords(bytesPerSecond)}`
