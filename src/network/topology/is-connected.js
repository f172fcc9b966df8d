import { countComponents } from './count-components.js'

/**
 * isConnected says whether every node can reach every other one.
 *
 * @param {number} nodes
 * @param {Iterable<import('./edge.js').Edge>} edges
 * @param {Iterable<number>} [among] - whether these can reach one another over edges between themselves; all unless given
 * @returns {boolean} true of a single node and of none
 */
export const isConnected = (nodes, edges, among) => countComponents(nodes, edges, among) <= 1
