import { createHash } from 'node:crypto'

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

/** edgesIn are those of a text such as `0-1 1-2`. @param {string} text @returns {Edge[]} */
export const edgesIn = text =>
  text.split(' ').map(edge => /** @type {Edge} */ (/** @type {unknown} */ (edge.split('-').map(Number))))

/** digestOfEdges is the same whatever the order of edges, and whoever dials. @param {Edge[]} edges */
export function digestOfEdges(edges) {
  const lines = undirected(edges).map(edge => edge.join(' '))
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
