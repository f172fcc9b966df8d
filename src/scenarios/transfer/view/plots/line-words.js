import { rateWords as inWords } from '../../../../kit/rate-words.js'

/** @typedef {import('./transfer-rows.js').LineOf} LineOf */

/** rateWords is a limit in words. @param {number | null} bytesPerSecond */
export function rateWords(bytesPerSecond) {
  if (bytesPerSecond === null) return 'no limit'
  return bytesPerSecond < 1e6
    ? `${inWords(bytesPerSecond / 1e3)} kB/s`
    : `${inWords(bytesPerSecond / 1e6)} MB/s`
}

/** latencyWords is a latency in words. @param {number} latencyMs - one way */
export const latencyWords = latencyMs => (latencyMs === 0 ? 'no latency' : `${inWords(latencyMs)} ms`)

/** lineWords is a line in words. @param {LineOf} line */
export const lineWords = ({ latencyMs, bytesPerSecond }) =>
  `${latencyWords(latencyMs)}, ${rateWords(bytesPerSecond)}`

/** lineId is a line as part of an id. @param {LineOf} line */
export const lineId = ({ latencyMs, bytesPerSecond }) =>
  `${latencyMs}ms-${bytesPerSecond ?? 'unlimited'}`.replaceAll('.', '_')
