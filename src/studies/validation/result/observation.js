import { decodedHistogram } from '../../../measure/encoded-histogram.js'

/**
 * @typedef {import('../../../scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 *
 * @typedef {object} Observation - what of a run a simulation is held against
 * @property {number[]} latencies - evenly spaced quantiles of the latencies of its deliveries, in units of the latency of a link, ascending
 * @property {number[]} hops - deliveries by hops
 * @property {number[]} meshDegrees - (node, topic) pairs by mesh peers
 * @property {number} duplicates - per delivery
 * @property {number} rpcs - per delivery
 * @property {number} control - control messages, per delivery
 * @property {number} bytes - sent in RPCs, per delivery
 */

/** A distribution is kept in at most so many steps. */
const MOST_QUANTILES = 1000

/** The histogram has three digits. @param {number} x */
const kept = x => Number(x.toPrecision(5))

/**
 * @param {string} encoded - a histogram in µs
 * @param {number} unitMs
 */
function quantiles(encoded, unitMs) {
  const histogram = decodedHistogram(encoded)
  const steps = Math.min(MOST_QUANTILES, histogram.count)
  return Array.from({ length: steps }, (_, i) => kept(histogram.quantile((i + 0.5) / steps) / 1000 / unitMs))
}

/** @param {Record<string, number>} degrees */
function byDegree(degrees) {
  const most = Math.max(0, ...Object.keys(degrees).map(Number))
  return Array.from({ length: most + 1 }, (_, degree) => degrees[degree] ?? 0)
}

/**
 * observationOf takes from the result of a run what is compared.
 *
 * @param {GossipResult} result - of a plan whose links take time
 * @param {number} unitMs - the latency that times are counted in: that of the links of the real network
 * @returns {Observation | null} null: nothing was delivered
 */
export function observationOf({ outcome }, unitMs) {
  const { latency, hops, mesh, cost, delivery } = outcome
  const { duplicatesPerDelivery, rpcsPerDelivery, controlPerDelivery, bytesPerDelivery } = cost
  if (delivery.delivered === 0) return null
  return {
    latencies: quantiles(latency.histogram, unitMs),
    hops: [...hops.deliveries],
    meshDegrees: byDegree(mesh.degrees),
    duplicates: duplicatesPerDelivery ?? 0,
    rpcs: rpcsPerDelivery ?? 0,
    control: controlPerDelivery ?? 0,
    bytes: bytesPerDelivery ?? 0
  }
}
