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

/** Time between the messages of a host of the study. */
const STUDY_MS = { min: 100, max: 300 }
/**
 * 30 nodes that publish as often have 2,800 deliveries/s, which take 1.3 ms of CPU each, twice that until their code is compiled: so many cores
 * carry them and have half of their time left.
 */
const STUDY = { nodes: 30, cores: 16 }

/**
 * scaledInterval is the study's where there are cores enough for it, and so many times as long where there are fewer. Deliveries grow with the
 * square of the nodes.
 *
 * @param {number} nodes
 * @param {number} cores
 */
function scaledInterval(nodes, cores) {
  const times = Math.max(1, (STUDY.cores / cores) * (nodes / STUDY.nodes) ** 2)
  return Object.freeze({ min: Math.round(times * STUDY_MS.min), max: Math.round(times * STUDY_MS.max) })
}

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
    intervalMs:
      values.interval ??
      (values.publishers === 'every'
        ? scaledInterval(plan.nodes, machine.cores)
        : Object.freeze({ ...STUDY_MS })),
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
    ...(plan.publishers === 'every' ? [] : ['intervalMs', 'loadModel'])
  ]
}
