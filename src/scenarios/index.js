import { COMMAND as GOSSIP } from './gossip/command.js'
import { COMMAND as PROFILE } from './profile/command.js'
import { COMMAND as RENDEZVOUS } from './rendezvous/command.js'
import { COMMAND as ROTATE_GOSSIP } from './rotate-gossip/command.js'
import { COMMAND as ROTATE_RENDEZVOUS } from './rotate-rendezvous/command.js'

/**
 * @typedef {import('./scenario.js').Scenario} Scenario
 * @typedef {(name: string) => Promise<Scenario | undefined>} FindScenario - undefined: there is none of that name
 *
 * @typedef {object} Entry
 * @property {Readonly<import('./scenario.js').CommandText>} command - that runs it
 * @property {() => Promise<Scenario>} open - its door
 */

/**
 * SCENARIOS are all there are, by the name that stands in plans and results. The first runs where no command is named.
 *
 * @type {Readonly<Record<string, Entry>>}
 */
export const SCENARIOS = Object.freeze({
  rendezvous: {
    command: RENDEZVOUS,
    open: async () => (await import('./rendezvous/scenario.js')).RENDEZVOUS
  },
  gossip: { command: GOSSIP, open: async () => (await import('./gossip/scenario.js')).GOSSIP },
  profile: { command: PROFILE, open: async () => (await import('./profile/scenario.js')).PROFILE },
  rotation: {
    command: ROTATE_GOSSIP,
    open: async () => (await import('./rotate-gossip/scenario.js')).ROTATE_GOSSIP
  },
  'rotation-rendezvous': {
    command: ROTATE_RENDEZVOUS,
    open: async () => (await import('./rotate-rendezvous/scenario.js')).ROTATE_RENDEZVOUS
  }
})

/**
 * findScenario opens the door of a scenario.
 *
 * @type {FindScenario}
 */
export const findScenario = async name =>
  Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name].open() : undefined

/** allScenarios opens all doors. @returns {Promise<Scenario[]>} */
export const allScenarios = () => Promise.all(Object.values(SCENARIOS).map(({ open }) => open()))
