/** @typedef {import('./edge.js').Edge} Edge */

/**
 * ringLattice places the nodes on a ring, where each dials the `reach` next ones. With a reach of 1 it is the ring itself, with
 * half of the nodes the full mesh, in which every node then dials as many as it accepts.
 *
 * @param {number} nodes
 * @param {number} reach - from 1 to half of the nodes
 * @returns {Edge[]} the shortest reach first
 */
export function ringLattice(nodes, reach) {
  /** @type {Edge[]} */
  const edges = []
  for (let distance = 1; distance <= reach; distance++) {
    // the node opposite is as far in both directions
    const dialers = distance * 2 === nodes ? distance : nodes
    for (let node = 0; node < dialers; node++) edges.push([node, (node + distance) % nodes])
  }
  return edges
}
