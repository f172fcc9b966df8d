/**
 * star has every node dial node 0.
 *
 * @param {number} nodes
 * @returns {import('./edge.js').Edge[]}
 */
export const star = nodes => Array.from({ length: nodes - 1 }, (_, i) => [i + 1, 0])
