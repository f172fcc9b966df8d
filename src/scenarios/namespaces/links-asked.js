import { largestOf, sumOf } from '../../kit/lists.js'
import { hasOwnLinks } from '../../network/links/asks-of-links.js'
import { meanLatencyNs, mostJitterNs } from '../../network/links/jitter.js'

/**
 * @typedef {import('../../network/namespaces/as-asked.js').Rate} Rate
 * @typedef {import('../../network/namespaces/as-asked.js').RoundTrip} RoundTrip
 * @typedef {import('./network-plan.js').NetworkPlan} NetworkPlan
 * @typedef {import('../../network/links/link-properties.js').LinkProperties} Links
 * @typedef {{ what: string, from: number, to: number, roundTripMs: number }} KindOfLink - without jitter
 */

/** Of more links than this the first ones are looked at. */
const MOST_NODES = 60

/** @param {NetworkPlan} plan @returns {{ from: number, to: number }[]} between whom something is sent */
function pairsOf({ workers, star = false, topology }) {
  if (topology?.kind === 'file') return topology.edges.map(([from, to]) => ({ from, to }))
  const nodes = Math.min(workers, MOST_NODES)
  return Array.from({ length: star ? 1 : nodes }, (_, from) =>
    Array.from({ length: nodes - from - 1 }, (_, i) => ({ from, to: from + 1 + i }))
  ).flat()
}

/**
 * kindsOfLinks are those of a plan that differ in their latency: the shortest, the middle and the longest round trip.
 *
 * @param {NetworkPlan} plan
 * @param {Links} links
 * @returns {KindOfLink[]}
 */
export function kindsOfLinks(plan, links) {
  const { linkLatencies, linkLatencyMs, workers } = plan
  if (workers < 2) return []
  if (linkLatencies === null && !hasOwnLinks(plan))
    return [{ what: 'every link', from: 0, to: 1, roundTripMs: 2 * linkLatencyMs }]
  const all = pairsOf(plan)
    .map(({ from, to }) => ({
      from,
      to,
      roundTripMs: (links.latencyNs(from, to) + links.latencyNs(to, from)) / 1e6
    }))
    .sort((a, b) => a.roundTripMs - b.roundTripMs)
  if (all.length === 1) return [{ what: 'the link', ...all[0] }]
  const [shortest, longest] = [all[0], all[all.length - 1]]
  return [
    { what: 'the shortest link', ...shortest },
    ...(all.length > 2 ? [{ what: 'a middle link', ...all[all.length >> 1] }] : []),
    { what: 'the longest link', ...longest }
  ]
}

/**
 * roundTripAskedOf is what a byte takes there and back.
 *
 * @param {Pick<KindOfLink, 'from' | 'to'>} link
 * @param {Links} links
 * @returns {Pick<RoundTrip, 'askedMs' | 'jitterMs'>}
 */
export function roundTripAskedOf({ from, to }, links) {
  const ways = [
    { ns: links.latencyNs(from, to), jitter: links.jitter(from, to) },
    { ns: links.latencyNs(to, from), jitter: links.jitter(to, from) }
  ]
  return {
    askedMs: sumOf(ways, ({ ns, jitter }) => meanLatencyNs(jitter, ns)) / 1e6,
    jitterMs: largestOf(ways, ({ ns, jitter }) => mostJitterNs(jitter, ns)) / 1e6
  }
}

/**
 * rateAskedOf is what lines carry from one node to another. What is lost has been on the lines before the last one.
 *
 * @param {Pick<KindOfLink, 'from' | 'to'>} link
 * @param {Links} links
 * @returns {Rate | null} null: no line is limited
 */
export function rateAskedOf({ from, to }, links) {
  const before = Math.min(
    links.upBytesPerSecond(from) ?? Infinity,
    links.linkBytesPerSecond(from, to) ?? Infinity
  )
  const last = links.downBytesPerSecond(to) ?? Infinity
  const asked = Math.min(before, last)
  return asked === Infinity ? null : { asked, due: Math.min(before * (1 - links.lossShare(from, to)), last) }
}
