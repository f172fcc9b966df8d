import { ringLattice } from './ring-lattice.js'

/**
 * full connects each node to every other one; all dial about as many as they accept.
 *
 * @param {number} nodes
 */
export const full = nodes => ringLattice(nodes, Math.floor(nodes / 2))
