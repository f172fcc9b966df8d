import { linkModelOf } from '../../network/simulated/link-settings.js'
import { networkPlan } from './network-plan.js'

/** Hundredths of a ms are as fine as anybody reads a latency. */
const FINEST_MS = 0.01

/**
 * meanLatencyMs is the latency one way of the links between namespace 0 and all others, on average, both directions.
 *
 * @param {import('../../network/links/link-latencies.js').LatencySpec} linkLatency
 * @param {{ seed: number, namespaces: number }} of
 * @returns {number}
 */
export function meanLatencyMs(linkLatency, { seed, namespaces }) {
  const links = linkModelOf(networkPlan({ linkLatency, seed }, namespaces))
  const both = Array.from(
    { length: namespaces - 1 },
    (_, i) => links.latencyNs(0, 1 + i) + links.latencyNs(1 + i, 0)
  )
  const meanMs = both.reduce((sum, ns) => sum + ns, 0) / (2 * both.length) / 1e6
  return Number((Math.round(meanMs / FINEST_MS) * FINEST_MS).toFixed(2))
}
