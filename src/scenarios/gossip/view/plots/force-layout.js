/**
 * @typedef {{ x: number, y: number }} Place
 * @typedef {readonly (readonly [number, number])[]} Edges
 */

const ITERATIONS = 300

/** What keeps parts that are not connected on the same picture, as a share of the force of a link. */
const GRAVITY = 0.1

/** A circle does for the beginning: no two nodes are at one place, and nothing is left to chance. @param {number} nodes */
const circle = nodes =>
  Array.from({ length: nodes }, (_, node) => ({
    x: 0.5 + 0.4 * Math.cos((2 * Math.PI * node) / nodes),
    y: 0.5 + 0.4 * Math.sin((2 * Math.PI * node) / nodes)
  }))

/**
 * forceLayout places the nodes of a network so that linked ones are near and others are not, as Fruchterman and Reingold (1991)
 * do: all nodes push one another off, links pull, and the steps grow shorter. The same network always gets the same picture.
 *
 * @param {{ nodes: number, edges: Edges }} network - time grows with the square of the nodes
 * @returns {Place[]} in a square from 0 to 1
 */
export function forceLayout({ nodes, edges }) {
  const places = circle(nodes)
  const distance = 0.75 / Math.sqrt(Math.max(1, nodes))
  for (let i = 0; i < ITERATIONS; i++) {
    const longest = 0.1 * (1 - i / ITERATIONS)
    move(places, forces(places, edges, distance), longest)
  }
  return fitted(places)
}

/** @param {Place[]} places @param {Edges} edges @param {number} distance - that two linked nodes would have */
function forces(places, edges, distance) {
  const sums = places.map(({ x, y }) => ({
    x: GRAVITY * (0.5 - x),
    y: GRAVITY * (0.5 - y)
  }))
  for (let a = 0; a < places.length; a++)
    for (let b = a + 1; b < places.length; b++) {
      const { dx, dy, length } = between(places[a], places[b])
      add(sums, a, b, { dx, dy }, distance ** 2 / length ** 2)
    }
  for (const [a, b] of edges) {
    const { dx, dy, length } = between(places[a], places[b])
    add(sums, a, b, { dx, dy }, -length / distance)
  }
  return sums
}

/** @param {Place} a @param {Place} b */
function between(a, b) {
  const [dx, dy] = [a.x - b.x, a.y - b.y]
  return { dx, dy, length: Math.max(1e-4, Math.hypot(dx, dy)) }
}

/** @param {Place[]} sums @param {number} a @param {number} b @param {{ dx: number, dy: number }} way @param {number} force */
function add(sums, a, b, { dx, dy }, force) {
  sums[a].x += dx * force
  sums[a].y += dy * force
  sums[b].x -= dx * force
  sums[b].y -= dy * force
}

/** @param {Place[]} places @param {Place[]} sums @param {number} longest - step */
function move(places, sums, longest) {
  places.forEach((place, i) => {
    const { x, y } = sums[i]
    const length = Math.max(1e-9, Math.hypot(x, y))
    const step = Math.min(length, longest) / length
    place.x += x * step
    place.y += y * step
  })
}

/** @param {Place[]} places */
function fitted(places) {
  /** @param {(place: Place) => number} of */
  const scale = of => {
    const values = places.map(of)
    const [least, most] = [Math.min(...values), Math.max(...values)]
    return (/** @type {number} */ value) => (most > least ? (value - least) / (most - least) : 0.5)
  }
  const [scaleX, scaleY] = [scale(({ x }) => x), scale(({ y }) => y)]
  return places.map(({ x, y }) => ({ x: scaleX(x), y: scaleY(y) }))
}
