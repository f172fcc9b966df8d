/**
 * @typedef {import('../../../network/topology/make-topology.js').TopologySpec} EdgesSpec
 * @typedef {import('../../../network/topology/read-topology.js').RendezvousSpec} RendezvousSpec
 * @typedef {(EdgesSpec | RendezvousSpec) & { path?: string }} TopologySpec - `path`: of the file that edges were read from; they are
 *   kept, so that a plan can be run where the file is not
 *
 * @typedef {object} Topic
 * @property {string} name
 * @property {number} chance - that a node subscribes to it, above 0 to 1
 *
 * @typedef {import('../../../plan/ranges.js').Range} Range
 *
 * @typedef {object} Validation - by the application
 * @property {number} accept - shares that add up to 1
 * @property {number} ignore
 * @property {number} reject
 *
 * @typedef {import('./gossip-options.js').GossipPlan} GossipPlan
 */

export {}
