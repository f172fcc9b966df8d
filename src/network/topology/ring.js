import { ringLattice } from './ring-lattice.js'

/**
 * ring has each node dial the next one, and the last one the first.
 *
 * @param {number} nodes - at least 3
 */
export const ring = nodes => ringLattice(nodes, 1)
