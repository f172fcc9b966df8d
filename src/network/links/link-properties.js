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
 * @typedef {object} LinkProperties
 * @property {import('./link-latencies.js').LinkLatencies} latencyNs
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
 * @param {Pick<LinkSettings, 'latency' | 'lossShare' | 'linkBytesPerSecond' | 'upBytesPerSecond' | 'downBytesPerSecond' | 'links' |
 *   'hosts'>} settings
 * @param {{ nodes: number, streams: import('./link-latencies.js').RandomStreams }} of
 * @returns {LinkProperties}
 */
export function linkProperties(settings, { nodes, streams }) {
  const { links = [], hosts = [] } = settings
  const latencies = linkLatencies(settings.latency, { nodes, streams })
  const byEnds = new Map(links.map(link => [link.from * nodes + link.to, link]))
  const said = (/** @type {number} */ from, /** @type {number} */ to) => byEnds.get(from * nodes + to)
  return {
    latencyNs(from, to) {
      const ms = said(from, to)?.latencyMs
      return ms === undefined ? latencies(from, to) : toNs(ms)
    },
    lossShare: (from, to) => said(from, to)?.lossShare ?? settings.lossShare,
    linkBytesPerSecond: (from, to) => said(from, to)?.bytesPerSecond ?? settings.linkBytesPerSecond,
    upBytesPerSecond: node => hosts[node]?.upBytesPerSecond ?? settings.upBytesPerSecond,
    downBytesPerSecond: node => hosts[node]?.downBytesPerSecond ?? settings.downBytesPerSecond
  }
}

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
 * @param {Pick<LinkSettings, 'latency' | 'jitter' | 'links'>} settings
 * @param {number} nodes
 * @returns {number} ns, whole; 0: it can be there at once
 */
export function lookaheadNs({ latency, jitter: spec, links = [] }, nodes) {
  const usualNs = latency.kind === 'matrix' ? toNs(leastOf(latency, nodes)) : latencySampler(latency)(() => 0)
  if (!Number.isFinite(usualNs)) return 0
  // nodes without a link between them can connect later
  const latencyNs = links.reduce(
    (least, { latencyMs = Infinity }) => Math.min(least, toNs(latencyMs)),
    usualNs
  )
  return spec === null ? latencyNs : jitter(spec, { latencyNs, random: () => 0 })()
}
