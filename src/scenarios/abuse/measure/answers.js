import { isSure } from '../../../measure/summary.js'

/** LAST_REPLIES_MS is how long it is waited for the last replies of a stretch: what has none by then has failed. */
export const LAST_REPLIES_MS = 5000

/**
 * @typedef {object} Answers - to honest requests of a stretch, in the order they were due in
 * @property {Float64Array} dueMs - since it began
 * @property {Float64Array} tookMs - from then on; Infinity: it failed
 * @property {Record<string, number>} failures - how many, by what they failed with
 *
 * @typedef {object} Summed
 * @property {number} asked
 * @property {number} failed
 * @property {Record<string, number>} failures
 * @property {number | null} p50Ms - null: fewer than 10 beyond it
 * @property {number | null} p99Ms
 * @property {{ p50: boolean, p99: boolean }} censored - a lower bound
 */

/** @param {Float64Array} sorted @param {number} share - below it */
const rank = (sorted, share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]

/**
 * sumUp gives the figures of a stretch. What failed counts as if it had taken as long as is waited for the last replies: it took longer.
 *
 * @param {Answers} answers
 * @returns {Summed}
 */
export function sumUp({ tookMs, failures }) {
  const sorted = tookMs.toSorted()
  const asked = sorted.length
  const percentile = (/** @type {number} */ share) => (isSure(share, asked) ? rank(sorted, share) : null)
  const [p50, p99] = [percentile(0.5), percentile(0.99)]
  const known = (/** @type {number | null} */ ms) => (ms === Infinity ? LAST_REPLIES_MS : ms)
  return {
    asked,
    failed: tookMs.filter(ms => ms === Infinity).length,
    failures,
    p50Ms: known(p50),
    p99Ms: known(p99),
    censored: { p50: p50 === Infinity, p99: p99 === Infinity }
  }
}
