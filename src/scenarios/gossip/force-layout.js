/**
 * @typedef {{ x: number, y: number }} Place
 */

const STEPS = 120

/** Nodes that are not connected stay in the picture. */
const GRAVITY = 0.3

/** In radians: places on a spiral with this angle between them lie evenly. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** @param {number} value @param {Float64Array} all @returns {number} 0 to 1 */
function fitted(value, all) {
  const [min, max] = [Math.min(...all), Math.max(...all)]
  return max > min ? Number(((value - min) / (max - min)).toFixed(3)) : 0.5
}

/**
 * forceLayout places the nodes of a network so that connected ones are near each other: all nodes repel each other, edges attract (Fruchterman
 * and Reingold, 1991). An edge pulls the less the more edges its ends have, or hubs would draw the network into one point. There is no random
 * number in it: the same network gives the same picture.
 *
 * @param {number} nodes - time grows with their square
 * @param {readonly (readonly number[])[]} edges
 * @returns {Place[]} in a square from 0 to 1
 */
export function forceLayout(nodes, edges) {
  const length = 1 / Math.sqrt(nodes)
  const spiral = Array.from({ length: nodes }, (_, i) => [
    0.5 * Math.sqrt(i / nodes) * Math.cos(i * GOLDEN_ANGLE),
    0.5 * Math.sqrt(i / nodes) * Math.sin(i * GOLDEN_ANGLE)
  ])
  const [x, y] = [0, 1].map(axis => Float64Array.from(spiral, place => place[axis]))
  const degrees = new Uint32Array(nodes)
  for (const ends of edges) for (const node of ends) degrees[node]++
  for (let step = 0; step < STEPS; step++) {
    const pullX = x.map(place => -GRAVITY * length * place)
    const pullY = y.map(place => -GRAVITY * length * place)
    /** Moves two nodes apart, or together where `force` is negative. @param {number} a @param {number} b @param {number} force */
    const push = (a, b, force) => {
      pullX[a] += force * (x[a] - x[b])
      pullY[a] += force * (y[a] - y[b])
      pullX[b] -= force * (x[a] - x[b])
      pullY[b] -= force * (y[a] - y[b])
    }
    for (let a = 0; a < nodes; a++)
      for (let b = a + 1; b < nodes; b++)
        push(a, b, length ** 2 / Math.max(1e-6, (x[a] - x[b]) ** 2 + (y[a] - y[b]) ** 2))
    for (const [a, b] of edges)
      push(a, b, -Math.hypot(x[a] - x[b], y[a] - y[b]) / length / Math.min(degrees[a], degrees[b]))
    const furthest = 0.1 * (1 - step / STEPS)
    for (let node = 0; node < nodes; node++) {
      const pull = Math.max(1e-9, Math.hypot(pullX[node], pullY[node]))
      x[node] += (pullX[node] / pull) * Math.min(pull, furthest)
      y[node] += (pullY[node] / pull) * Math.min(pull, furthest)
    }
  }
  return Array.from(x, (place, node) => ({ x: fitted(place, x), y: fitted(y[node], y) }))
}
