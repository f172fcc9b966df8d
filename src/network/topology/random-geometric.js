import { mersenneTwister } from './mersenne-twister.js'
import { onRing } from './on-ring.js'

/** @typedef {import('./edge.js').Edge} Edge */

/**
 * randomGeometric makes the graph that NetworkX's `random_geometric_graph(nodes, radius, seed=seed)` makes, edge for edge: nodes lie at
 * random in a square of side 1, and are connected where they are no further apart than the radius. With a small one it may fall apart.
 *
 * @param {object} options
 * @param {number} options.nodes
 * @param {number} options.radius - above 0
 * @param {import('./read-topology.js').Seed} options.seed
 * @returns {Edge[]}
 */
export function randomGeometric({ nodes, radius, seed }) {
  const { random } = mersenneTwister(seed)
  const places = Array.from({ length: nodes }, () => [random(), random()])
  /** @type {Edge[]} */
  const edges = []
  for (let a = 0; a < nodes; a++)
    for (let b = a + 1; b < nodes; b++) {
      const [x, y] = [places[a][0] - places[b][0], places[a][1] - places[b][1]]
      if (x * x + y * y <= radius * radius) edges.push(onRing(a, b, nodes))
    }
  return edges
}
