/**
 * @typedef {import('../../../network/links/link-latencies.js').LatencySpec} LatencySpec
 * @typedef {import('../../../network/links/jitter.js').JitterSpec} JitterSpec
 * @typedef {import('./gossip-plan.js').GossipPlan} GossipPlan
 */

/** Jitter of a simulated link, unless it is given: a hundredth of its latency. @type {Readonly<JitterSpec>} */
const USUAL_JITTER = { kind: 'share', share: 0.01 }

/** @param {Record<string, any>} values @returns {JitterSpec | null} */
function jitterOf({ network, ideal, linkJitter }) {
  if (network !== 'simulated' || ideal) return null
  return linkJitter ?? USUAL_JITTER
}

/**
 * linksInPlan gives what a plan has of its links that does not stand there as it was given.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @returns {Pick<GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' | 'partitions'>}
 */
export function linksInPlan(values) {
  /** @type {LatencySpec} */
  const latency = values.linkLatency
  const isSame = latency.kind === 'constant'
  return {
    linkLatencyMs: isSame ? latency.ms : 0,
    linkLatencies: isSame ? null : Object.freeze(latency),
    linkJitter: jitterOf(values),
    partitions: Object.freeze(values.partition ?? [])
  }
}

/**
 * linksAsked gives it back as it was asked for.
 *
 * @param {GossipPlan} plan
 * @returns {{ linkLatencyMs: LatencySpec, linkJitter: JitterSpec | null, partitions: GossipPlan['partitions'] | null }} null: it is as usual
 */
export function linksAsked({ network, ideal, linkLatencyMs, linkLatencies, linkJitter, partitions }) {
  const usual = JSON.stringify(jitterOf({ network, ideal }))
  return {
    linkLatencyMs: linkLatencies ?? { kind: 'constant', ms: linkLatencyMs },
    linkJitter: JSON.stringify(linkJitter) === usual ? null : linkJitter,
    partitions: partitions.length === 0 ? null : partitions
  }
}
