import { GOSSIP_KIND } from './gossip/gossip-kind.js'
import { PROFILE_KIND } from './gossip/profile-kind.js'
import { ROTATION_KIND } from './gossip/rotation-kind.js'
import { RENDEZVOUS_KIND } from './rendezvous-kind.js'
import { RENDEZVOUS_ROTATION_KIND } from './rendezvous-rotation-kind.js'

/**
 * @typedef {object} Kind - what the plans of a scenario are made from
 * @property {Readonly<Record<string, Readonly<import('./options.js').Option>>>} options - the one table of its flags
 * @property {readonly import('./combinations.js').Rule[]} combinations - of options that cannot be run
 * @property {readonly (readonly [flag: string, rival: string])[]} rivals - the first puts the second one, given with less
 *   weight, out of force
 * @property {(picked: Record<string, any>, values: Record<string, any>, machine: { cores: number }) => object} toPlan - from the
 *   options of the plan by their keys there, and all values by their flags
 * @property {(plan: any) => Record<string, any>} flat - the plan with a value for each option by its key in the plan
 * @property {(plan: any) => readonly string[]} unsaid - keys of a plan that no flag is needed for
 * @property {readonly string[]} case - keys in which a plan must agree with a published case
 */

/** KINDS of plans, by scenario. @type {Readonly<Record<import('./plan.js').ScenarioName, Kind>>} */
export const KINDS = Object.freeze({
  rendezvous: RENDEZVOUS_KIND,
  gossip: GOSSIP_KIND,
  profile: PROFILE_KIND,
  rotation: ROTATION_KIND,
  'rotation-rendezvous': RENDEZVOUS_ROTATION_KIND
})

/** SCENARIOS are the names of the scenarios. */
export const SCENARIOS = /** @type {import('./plan.js').ScenarioName[]} */ (Object.keys(KINDS))
