/**
 * line has each node but the last dial the next one.
 *
 * @param {number} nodes
 * @returns {import('./edge.js').Edge[]}
 */
export const line = nodes => Array.from({ length: nodes - 1 }, (_, node) => [node, node + 1])
