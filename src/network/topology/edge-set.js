/** @typedef {import('./edge.js').Edge} Edge */

/** Above this number of nodes two edges could get the same key. */
const MOST_NODES = 2 ** 26

/** @param {number} a @param {number} b */
const keyOf = (a, b) => (a < b ? a * MOST_NODES + b : b * MOST_NODES + a)

/**
 * edgeSet knows which nodes are connected. Between two nodes there is one connection, whoever dials.
 *
 * @param {Iterable<Edge>} [edges]
 */
export function edgeSet(edges = []) {
  const keys = new Set(Array.from(edges, ([a, b]) => keyOf(a, b)))
  return {
    /** @param {number} a @param {number} b */
    has: (a, b) => keys.has(keyOf(a, b)),
    /** @param {number} a @param {number} b */
    add: (a, b) => void keys.add(keyOf(a, b)),
    /** @param {number} a @param {number} b */
    delete: (a, b) => void keys.delete(keyOf(a, b))
  }
}
