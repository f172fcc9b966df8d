import { meanLatencyMs } from '../../namespaces/mean-latency.js'

/**
 * ownLatencyMs is the latency of the links to the provider, on average, where each has its own.
 *
 * @param {Record<string, any>} of - of a plan, or values of options
 * @returns {number | null} null: all have the same, of the round
 */
export const ownLatencyMs = ({ linkLatency, requestors, seed }) =>
  linkLatency == null ? null : meanLatencyMs(linkLatency, { seed, namespaces: 1 + requestors })
