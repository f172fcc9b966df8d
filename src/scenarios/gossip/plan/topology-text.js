/** @typedef {import('./gossip-plan.js').TopologySpec} TopologySpec */

/** Parameters that say what a topology is like; others say which one of its kind it is. */
const SHAPING = ['m', 'k', 'p', 'radius']

/**
 * topologyText names a topology: `barabasi-albert m=6`.
 *
 * @param {TopologySpec} topology
 * @returns {string}
 */
export function topologyText(topology) {
  if (topology.kind === 'file') return `file ${topology.path}`
  const parameters = Object.entries(topology).filter(([name]) => SHAPING.includes(name))
  return [topology.kind, ...parameters.map(([name, value]) => `${name}=${value}`)].join(' ')
}
