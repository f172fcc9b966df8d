import { jitter } from './jitter.js'
import { latencySampler } from './latency-sampler.js'
import { linkLatencies } from './link-latencies.js'

/**
 * @typedef {import('./link-model.js').LinkSettings} LinkSettings
 *
 * @typedef {object} LinkData - what is said of one direction of one link
 * @property {number} from
 * @property {number} to
 * @property {number} [latencyMs] - one way
 * @property {number} [bytesPerSecond]
 * @property {number} [lossShare] - of the segments, 0 to below 1
 *
 * @typedef {object} HostData - what is said of one node
 * @property {number} [upBytesPerSecond]
 * @property {number} [downBytesPerSecond]
 *
 * @typedef {object} ZoneData - what is said of links from one zone to another
 * @property {readonly number[]} zoneOf - by node
 * @property {readonly (readonly import('./jitter.js').JitterSpec[])[] | null} jitter - null: nothing
 * @property {readonly (readonly number[])[] | null} lossShare
 *
 * @typedef {object} LinkProperties
 * @property {import('./link-latencies.js').LinkLatencies} latencyNs
 * @property {(from: number, to: number) => import('./jitter.js').JitterSpec | null} jitter
 * @property {(from: number, to: number) => number} lossShare
 * @property {(from: number, to: number) => number | null} linkBytesPerSecond - null: without a limit
 * @property {(node: number) => number | null} upBytesPerSecond
 * @property {(node: number) => number | null} downBytesPerSecond
 */

/** @param {number} ms */
const toNs = ms => Math.round(ms * 1e6)

/**
 * linkProperties gives what each direction of a link and each node has: what is said of it, else what holds for all.
 *
 * @param {Pick<LinkSettings, 'latency' | 'jitter' | 'lossShare' | 'linkBytesPerSecond' | 'upBytesPerSecond' | 'downBytesPerSecond' |
 *   'links' | 'hosts' | 'zones'>} settings
 * @param {{ nodes: number, streams: import('./link-latencies.js').RandomStreams }} of
 * @returns {LinkProperties}
 */
export function linkProperties(settings, { nodes, streams }) {
  const { links = [], hosts = [], zones } = settings
  const latencies = linkLatencies(settings.latency, { nodes, streams })
  const byEnds = new Map(links.map(link => [link.from * nodes + link.to, link]))
  const said = (/** @type {number} */ from, /** @type {number} */ to) => byEnds.get(from * nodes + to)
  /** @template T @param {readonly (readonly T[])[] | null | undefined} table @param {number} from @param {number} to */
  const ofZones = (table, from, to) =>
    zones === undefined ? undefined : table?.[zones.zoneOf[from]][zones.zoneOf[to]]
  return {
    latencyNs(from, to) {
      const ms = said(from, to)?.latencyMs
      return ms === undefined ? latencies(from, to) : toNs(ms)
    },
    jitter: (from, to) => ofZones(zones?.jitter, from, to) ?? settings.jitter,
    lossShare: (from, to) =>
      said(from, to)?.lossShare ?? ofZones(zones?.lossShare, from, to) ?? settings.lossShare,
    linkBytesPerSecond: (from, to) => said(from, to)?.bytesPerSecond ?? settings.linkBytesPerSecond,
    upBytesPerSecond: node => hosts[node]?.upBytesPerSecond ?? settings.upBytesPerSecond,
    downBytesPerSecond: node => hosts[node]?.downBytesPerSecond ?? settings.downBytesPerSecond
  }
}

/**
 * @param {import('./link-latencies.js').LatencyMatrix} matrix
 * @param {number} nodes
 * @param {(ms: number, from: number, to: number) => number} leastNs - of a link from a row to a column
 */
function leastOf({ ms, regions }, nodes, leastNs) {
  const count = (/** @type {number} */ row) => regions?.filter(region => region === row).length
  const counts = ms.map((_, row) => count(row) ?? (ms.length === nodes ? 1 : 2))
  const isLink = (/** @type {number} */ from, /** @type {number} */ to) =>
    counts[from] > (from === to ? 1 : 0) && counts[to] > 0
  return ms.reduce(
    (least, row, from) =>
      row.reduce(
        (less, each, to) => (isLink(from, to) ? Math.min(less, leastNs(each, from, to)) : less),
        least
      ),
    Infinity
  )
}

/**
 * lookaheadNs gives how long whatever a node sends is under way at the least, between any two nodes: for so long no node can know of what
 * another one does.
 *
 * @param {Pick<LinkSettings, 'latency' | 'jitter' | 'links' | 'zones'>} settings
 * @param {number} nodes
 * @returns {number} ns, whole; 0: it can be there at once
 */
export function lookaheadNs({ latency, jitter: usual, links = [], zones }, nodes) {
  const least = (/** @type {number} */ latencyNs, spec = usual) =>
    spec === null ? latencyNs : jitter(spec, { latencyNs, random: () => 0 })()
  const usualNs =
    latency.kind === 'matrix'
      ? leastOf(latency, nodes, (ms, from, to) => least(toNs(ms), zones?.jitter?.[from][to]))
      : least(latencySampler(latency)(() => 0))
  if (!Number.isFinite(usualNs)) return 0
  // nodes without a link between them can connect later
  return links.reduce(
    (shortest, { latencyMs = Infinity }) => Math.min(shortest, least(toNs(latencyMs))),
    usualNs
  )
}
