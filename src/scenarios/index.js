import { COMMAND as GOSSIP } from './gossip/command.js'
import { COMMAND as RENDEZVOUS } from './rendezvous/command.js'
import { COMMAND as TRANSFER } from './transfer/command.js'

/**
 * @typedef {import('./scenario.js').Scenario} Scenario
 * @typedef {(name: string) => Promise<Scenario | undefined>} FindScenario - undefined: there is none of that name
 *
 * @typedef {object} Entry
 * @property {Readonly<import('./scenario.js').CommandText>} command - that runs it
 * @property {() => Promise<Scenario['options']>} options - that it takes: all that help needs beside
 * @property {() => Promise<Scenario>} open - its door
 *
 * @typedef {import('../result/types.js').Result
 *   | import('./gossip/gossip-types.js').GossipResult} AnyResult
 * @typedef {AnyResult['plan']} AnyPlan
 */

/**
 * SCENARIOS are all there are, by the name that stands in plans and results. The first runs where no command is named.
 *
 * @type {Readonly<Record<string, Entry>>}
 */
export const SCENARIOS = {
  rendezvous: {
    command: RENDEZVOUS,
    options: async () => (await import('./rendezvous/plan/options.js')).OPTIONS,
    open: async () => (await import('./rendezvous/scenario.js')).RENDEZVOUS
  },
  gossip: {
    command: GOSSIP,
    options: async () => (await import('./gossip/plan/gossip-options.js')).GOSSIP_OPTIONS,
    open: async () => (await import('./gossip/scenario.js')).GOSSIP
  },
  transfer: {
    command: TRANSFER,
    options: async () => (await import('./transfer/plan/transfer-options.js')).TRANSFER_OPTIONS,
    open: async () => (await import('./transfer/scenario.js')).TRANSFER
  }
}

/** What is a property of another scenario now, by its name in older documents. @type {Readonly<Record<string, keyof typeof SCENARIOS>>} */
const FORMER = {
  perf: 'transfer',
  profile: 'gossip',
  rotation: 'gossip',
  'rotation-rendezvous': 'rendezvous'
}

/**
 * findScenario opens the door of a scenario.
 *
 * @type {FindScenario}
 */
export async function findScenario(asked) {
  const name = Object.hasOwn(FORMER, asked) ? FORMER[asked] : asked
  if (Object.hasOwn(SCENARIOS, name)) return SCENARIOS[name].open()
  const { isCustom, storedScenario } = await import('./custom/scenario.js')
  return isCustom(name) ? storedScenario(name) : undefined
}

/** usualScenario opens the door of what runs where no command is named. */
export const usualScenario = () => Object.values(SCENARIOS)[0].open()

/** allScenarios opens all doors. @returns {Promise<Scenario[]>} */
export const allScenarios = () => Promise.all(Object.values(SCENARIOS).map(({ open }) => open()))
