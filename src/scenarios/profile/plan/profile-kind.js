import { GOSSIP_COMBINATIONS, OWN_TIME_ENDS } from '../../gossip/plan/gossip-combinations.js'
import { GOSSIP_KIND } from '../../gossip/plan/gossip-kind.js'
import { PROFILE_OPTIONS } from './profile-options.js'

/**
 * @typedef {import('./profile-options.js').ProfilePlan} ProfilePlan
 * @typedef {import('../../../plan/option.js').Rule} Rule
 */

/** Only here may nodes publish without an end: their user sees enough. */
const GOSSIP_RULES = GOSSIP_COMBINATIONS.filter(rule => rule !== OWN_TIME_ENDS)

/** @type {readonly Rule[]} */
const RULES = [
  {
    flag: 'publishers',
    needs: ['messages', 'duration'],
    refuse: ({ publishers, messages, duration }) =>
      publishers !== 'every' &&
      messages === undefined &&
      duration === undefined &&
      'needs --duration or --messages: a schedule has an end'
  }
]

/**
 * @param {Record<string, any>} picked
 * @param {Record<string, any>} values
 * @param {{ cores: number }} machine
 * @returns {ProfilePlan}
 */
function toPlan(picked, values, machine) {
  const plan = /** @type {ProfilePlan} */ (GOSSIP_KIND.toPlan(picked, values, machine))
  return {
    ...plan,
    scenario: 'profile',
    messages: plan.messages ?? null,
    loadModel: values.publishers === 'every' ? plan.loadModel : 'open'
  }
}

/** PROFILE_KIND makes the plans of the profile scenario. @type {Readonly<import('../../scenario.js').Kind>} */
export const PROFILE_KIND = {
  ...GOSSIP_KIND,
  options: PROFILE_OPTIONS,
  combinations: [...GOSSIP_RULES, ...RULES],
  toPlan,
  unsaid: (/** @type {ProfilePlan} */ plan) => [
    ...GOSSIP_KIND.unsaid(plan),
    ...(plan.publishers === 'every' ? [] : ['loadModel'])
  ]
}
