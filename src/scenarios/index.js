/**
 * @typedef {import('./scenario.js').Scenario} Scenario
 * @typedef {(name: string) => Promise<Scenario | undefined>} FindScenario - undefined: there is none of that name
 */

/**
 * SCENARIOS are the doors of all scenarios, by the name that stands in plans and results.
 *
 * @type {Readonly<Record<string, () => Promise<Scenario>>>}
 */
export const SCENARIOS = Object.freeze({
  rendezvous: async () => (await import('./rendezvous/scenario.js')).RENDEZVOUS,
  gossip: async () => (await import('./gossip/scenario.js')).GOSSIP,
  profile: async () => (await import('./profile/scenario.js')).PROFILE,
  rotation: async () => (await import('./rotate-gossip/scenario.js')).ROTATE_GOSSIP,
  'rotation-rendezvous': async () => (await import('./rotate-rendezvous/scenario.js')).ROTATE_RENDEZVOUS
})

/**
 * findScenario opens the door of a scenario.
 *
 * @type {FindScenario}
 */
export const findScenario = async name => (Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name]() : undefined)

/** allScenarios opens all doors. @returns {Promise<Scenario[]>} */
export const allScenarios = () => Promise.all(Object.values(SCENARIOS).map(open => open()))
