/**
 * @typedef {{ kind: 'share', share: number }} JitterShare - of the link's latency
 * @typedef {{ kind: 'time', ms: number }} JitterTime
 * @typedef {JitterShare | JitterTime} JitterSpec
 */

/**
 * jitter makes what varies the latency of one link from segment to segment: evenly, by up to so much in either direction, and never
 * below 0. Segments of a connection do not overtake one another all the same: that is kept where they arrive.
 *
 * @param {JitterSpec} spec
 * @param {{ latencyNs: number, random: () => number }} of - the link
 * @returns {() => number} the latency of the next segment, ns, whole
 */
export function jitter(spec, { latencyNs, random }) {
  const mostNs = spec.kind === 'share' ? spec.share * latencyNs : spec.ms * 1e6
  if (mostNs === 0) return () => latencyNs
  return () => Math.max(0, Math.round(latencyNs + (2 * random() - 1) * mostNs))
}
