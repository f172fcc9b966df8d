import { z } from 'zod'
import { GOSSIPSUB_PARAMS } from './gossip/gossipsub-params.js'
import { KINDS } from './kinds.js'
import { schemaOf } from './schema-of.js'

/** Keys that another option can put out of force. */
const OUT_OF_FORCE = new Set(['benchmarkRuns', 'mix', 'messages', 'rate'])

/** What an option's value is once it was read. @param {import('zod').ZodType} schema */
const outputOf = schema => (schema instanceof z.ZodPipe ? schema.out : schema)

/** @param {[string, Readonly<import('./options.js').Option>]} entry */
function inPlan([key, option]) {
  const { planKey = key, default: usual, describe, defaultText } = option
  const value = /** @type {import('zod').ZodType} */ (outputOf(schemaOf(option)))
  const always = (usual !== undefined || defaultText !== undefined) && !OUT_OF_FORCE.has(key)
  return [planKey, (always ? value : value.nullable()).describe(describe)]
}

/** @param {import('./plan.js').ScenarioName} scenario @param {Record<string, import('zod').ZodType>} [more] */
function planSchema(scenario, more = {}) {
  const entries = Object.entries(KINDS[scenario].options).filter(
    ([key, { part = 'plan' }]) => part === 'plan' && !Object.hasOwn(GOSSIPSUB_PARAMS, key)
  )
  return z.looseObject({
    scenario: z.literal(scenario),
    ...Object.fromEntries(entries.map(inPlan)),
    ...more
  })
}

/**
 * PLAN_SCHEMA describes a plan of the rendezvous scenario as it stands in a result, from the one table of options. What a later
 * version adds is let through.
 *
 * @type {import('zod').ZodType<import('./plan.js').Plan, import('./plan.js').Plan>}
 */
export const PLAN_SCHEMA = /** @type {any} */ (planSchema('rendezvous'))

/** How a rate stands in a plan. */
const AUTO_PLAN_SCHEMA = Object.freeze({
  ratePerSecond: z
    .number()
    .positive()
    .nullable()
    .describe('messages of the whole network; null: with autoRate, or nodes publish in their own time'),
  autoRate: z.boolean().describe('the rate that is carried is to be found')
})

const gossipsub = z
  .record(z.string(), z.union([z.number(), z.boolean()]))
  .describe("parameters of gossipsub other than the library's defaults, by the library's names")

/**
 * GOSSIP_PLAN_SCHEMA does so for the gossip scenario.
 *
 * @type {import('zod').ZodType<import('./plan.js').GossipPlan, import('./plan.js').GossipPlan>}
 */
export const GOSSIP_PLAN_SCHEMA = /** @type {any} */ (
  planSchema('gossip', { gossipsub, ...AUTO_PLAN_SCHEMA })
)

/**
 * PROFILE_PLAN_SCHEMA does so for the profile scenario.
 *
 * @type {import('zod').ZodType<import('./plan.js').ProfilePlan, import('./plan.js').ProfilePlan>}
 */
export const PROFILE_PLAN_SCHEMA = /** @type {any} */ (
  planSchema('profile', { gossipsub, ...AUTO_PLAN_SCHEMA })
)

/**
 * ROTATION_PLAN_SCHEMA does so for the rotation scenario.
 *
 * @type {import('zod').ZodType<import('./plan.js').RotationPlan, import('./plan.js').RotationPlan>}
 */
export const ROTATION_PLAN_SCHEMA = /** @type {any} */ (planSchema('rotation', { gossipsub }))

/**
 * RENDEZVOUS_ROTATION_PLAN_SCHEMA does so for the rotation-rendezvous scenario.
 *
 * @type {import('zod').ZodType<import('./plan.js').RendezvousRotationPlan, import('./plan.js').RendezvousRotationPlan>}
 */
export const RENDEZVOUS_ROTATION_PLAN_SCHEMA = /** @type {any} */ (planSchema('rotation-rendezvous'))
