import { z } from 'zod'
import { OPTIONS } from './options.js'

/** Keys that another option can put out of force. */
const OUT_OF_FORCE = new Set(['benchmarkRuns', 'mix'])

/** What an option's value is once it was read. @param {import('zod').ZodType} schema */
const outputOf = schema => (schema instanceof z.ZodPipe ? schema.out : schema)

/** @param {[string, Readonly<import('./options.js').Option>]} entry */
function inPlan([key, { planKey = key, schema, default: usual, describe, defaultText }]) {
  const value = /** @type {import('zod').ZodType} */ (outputOf(schema))
  const always = (usual !== undefined || defaultText !== undefined) && !OUT_OF_FORCE.has(key)
  return [planKey, (always ? value : value.nullable()).describe(describe)]
}

/**
 * PLAN_SCHEMA describes a plan as it stands in a result, from the one table of options. What a later version adds is let
 * through.
 *
 * @type {import('zod').ZodType<import('./plan.js').Plan, import('./plan.js').Plan>}
 */
export const PLAN_SCHEMA = /** @type {any} */ (
  z.looseObject({
    scenario: z.literal('rendezvous'),
    ...Object.fromEntries(
      Object.entries(OPTIONS)
        .filter(([, { part = 'plan' }]) => part === 'plan')
        .map(inPlan)
    )
  })
)
