// In the place of d3-force where Node runs with --conditions=undrawn, as test/undrawn-vega.js is in that of Vega: of a network that nobody
// looks at, where its nodes are drawn would be a quarter of what its page costs.

const force = () => {
  /** @type {any} */
  const settings = { distance: () => settings, strength: () => settings }
  return settings
}

export const forceLink = force
export const forceManyBody = force
export const forceX = force
export const forceY = force

/** forceSimulation has nodes stand on a line. @param {{ x?: number, y?: number }[]} nodes */
export function forceSimulation(nodes) {
  nodes.forEach((node, place) => {
    Object.assign(node, { x: place, y: place })
  })
  /** @type {any} */
  const simulation = { force: () => simulation, stop: () => simulation, tick: () => simulation }
  return simulation
}
