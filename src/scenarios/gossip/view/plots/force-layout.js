import { forceLink, forceManyBody, forceSimulation, forceX, forceY } from '#d3-force'

/**
 * @typedef {{ x: number, y: number }} Place
 * @typedef {readonly (readonly [number, number])[]} Edges
 */

/** What keeps parts that are not connected on the same picture. */
const GRAVITY = 0.05

/** In which d3-force, as it is set, cools down: log(alphaMin) / log(1 − alphaDecay). */
const TICKS = 300

/** In the simulation's units, in which a node pushes others off with 30. */
const LINK_LENGTH = 30

/**
 * forceLayout places the nodes of a network so that linked ones are near and others are not: all push one another off, links
 * pull. The same network always gets the same picture: d3-force begins with a spiral and has a random generator of its own.
 *
 * @param {{ nodes: number, edges: Edges }} network
 * @returns {Place[]} in a square from 0 to 1
 */
export function forceLayout({ nodes, edges }) {
  /** @type {import('d3-force').SimulationNodeDatum[]} */
  const places = Array.from({ length: nodes }, () => ({}))
  forceSimulation(places)
    .force('apart', forceManyBody())
    .force('links', forceLink(edges.map(([source, target]) => ({ source, target }))).distance(LINK_LENGTH))
    .force('x', forceX().strength(GRAVITY))
    .force('y', forceY().strength(GRAVITY))
    .stop()
    .tick(TICKS)
  return fitted(places.map(({ x = 0, y = 0 }) => ({ x, y })))
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
