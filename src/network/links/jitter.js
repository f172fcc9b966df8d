/**
 * @typedef {{ kind: 'share', share: number }} JitterShare - of the link's latency
 * @typedef {{ kind: 'time', ms: number }} JitterTime
 * @typedef {JitterShare | JitterTime} JitterSpec
 */

/** mostJitterNs is by how much a segment of a link can take longer or shorter. @param {JitterSpec | null} spec @param {number} latencyNs */
export function mostJitterNs(spec, latencyNs) {
  if (spec === null) return 0
  return spec.kind === 'share' ? spec.share * latencyNs : spec.ms * 1e6
}

/**
 * meanLatencyNs is what a segment takes on average: longer than the latency where jitter is, for none takes less than nothing.
 *
 * @param {JitterSpec | null} spec
 * @param {number} latencyNs
 */
export function meanLatencyNs(spec, latencyNs) {
  const mostNs = mostJitterNs(spec, latencyNs)
  const longestNs = latencyNs + mostNs
  return mostNs <= latencyNs ? latencyNs : (longestNs * longestNs) / (4 * mostNs)
}

/**
 * jitter makes what varies the latency of one link from segment to segment: evenly, by up to so much in either direction, and never
 * below 0. Segments of a connection do not overtake one another all the same: that is kept where they arrive.
 *
 * @param {JitterSpec} spec
 * @param {{ latencyNs: number, random: () => number }} of - the link
 * @returns {() => number} the latency of the next segment, ns, whole
 */
export function jitter(spec, { latencyNs, random }) {
  const mostNs = mostJitterNs(spec, latencyNs)
  if (mostNs === 0) return () => latencyNs
  return () => Math.max(0, Math.round(latencyNs + (2 * random() - 1) * mostNs))
}
