/**
 * @typedef {import('../transfer-plan.js').Round} Round
 *
 * @typedef {'latenciesMs' | 'noLatencyCase' | 'bandwidths' | 'unlimitedBandwidthCase'} LineKey
 * @typedef {Pick<import('../transfer-plan.js').TransferPlan, LineKey>} Lines
 */

/**
 * roundsOf gives a round for each pair of a latency and a bandwidth, the easiest line first.
 *
 * @param {Lines} plan
 * @returns {Round[]}
 */
export function roundsOf({ latenciesMs, noLatencyCase, bandwidths, unlimitedBandwidthCase }) {
  const latencies = [...(noLatencyCase ? [0] : []), ...latenciesMs]
  const limits = [...(unlimitedBandwidthCase ? [null] : []), ...bandwidths]
  return latencies.flatMap(latencyMs => limits.map(bytesPerSecond => ({ latencyMs, bytesPerSecond })))
}
