import { studyFile } from '../../study-document.js'

/**
 * @typedef {import('./stage.js').Stage} Stage
 *
 * @typedef {object} ClusterNetwork - of peers that use the servers
 * @property {number} peers
 * @property {number} requestsPerDay - of each peer
 * @property {number} peakFactor - the rate of the peak over the mean
 *
 * @typedef {object} ClusterParts
 * @property {string} preset - whose rate it is
 * @property {ClusterNetwork} network
 * @property {Record<string, number>} mix - shares of register, refresh and discover
 * @property {{ meanPerSecond: number, peakPerSecond: number }} load - of all peers
 * @property {number} registrations - that the servers hold
 * @property {number} servers
 * @property {string} store - that they share
 * @property {number} connections - clients that stand for all peers
 * @property {number} seconds - of each stage
 * @property {number} searchSeconds - of each trial of the search
 * @property {Stage[]} stages - rates of the network; empty: the rate that is sustained is searched for
 * @property {import('../../saturation/result/trial.js').SearchState | null} search
 * @property {number | null} clusters - so many of these servers with their store the network needs, by the search; null: not known
 *
 * @typedef {import('../../saturation/result/saturation-document.js').Head & ClusterParts} ClusterDocument - `cluster.json`
 */

/** CLUSTER_DOCUMENT is the document of a folder of `capacity --run`. @type {import('../../study-document.js').StudyFile<ClusterDocument>} */
export const CLUSTER_DOCUMENT = studyFile({
  file: 'cluster.json',
  holds: ({ stages, servers }) => Array.isArray(stages) && Number.isInteger(servers)
})
