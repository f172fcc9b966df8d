import { jitter } from './jitter.js'
import { latencySampler } from './latency-sampler.js'

/** @param {import('./link-latencies.js').LatencyMatrix} matrix @param {number} nodes */
function leastOf({ ms }, nodes) {
  // with a row for each node no link leads from a row to itself
  const isLink = (/** @type {number} */ from, /** @type {number} */ to) => from !== to || ms.length !== nodes
  return ms.reduce(
    (least, row, from) =>
      row.reduce((less, each, to) => (isLink(from, to) ? Math.min(less, each) : less), least),
    Infinity
  )
}

/**
 * lookaheadNs gives how long whatever a node sends is under way at the least, between any two nodes: for so long no node can know of what
 * another one does.
 *
 * @param {Pick<import('./link-model.js').LinkSettings, 'latency' | 'jitter'>} links
 * @param {number} nodes
 * @returns {number} ns, whole; 0: it can be there at once
 */
export function lookaheadNs({ latency, jitter: spec }, nodes) {
  const latencyNs =
    latency.kind === 'matrix' ? Math.round(leastOf(latency, nodes) * 1e6) : latencySampler(latency)(() => 0)
  if (!Number.isFinite(latencyNs)) return 0
  return spec === null ? latencyNs : jitter(spec, { latencyNs, random: () => 0 })()
}
