/** @typedef {import('../../src/network/topology.js').Edge} Edge */

/**
 * undirected gives edges in one order, whatever the one they were made in and whoever dials.
 *
 * @param {Iterable<Edge>} edges
 * @returns {Edge[]}
 */
export const undirected = edges =>
  Array.from(edges, ([a, b]) => /** @type {Edge} */ (a < b ? [a, b] : [b, a])).sort(
    ([a, b], [c, d]) => a - c || b - d
  )
