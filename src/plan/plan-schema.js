import { z } from 'zod'
import { FORMER_VALUES } from './former-values.js'
import { schemaOf } from './schema-of.js'

/** What an option's value is once it was read. @param {import('zod').ZodType} schema */
const outputOf = schema => (schema instanceof z.ZodPipe ? schema.out : schema)

/** @param {[string, Readonly<import('./option.js').Option>]} entry */
function inPlan([key, option]) {
  const { planKey = key, default: usual, describe, defaultText, canBeOutOfForce, ofSomePlans } = option
  const former = FORMER_VALUES[planKey]
  const now = /** @type {import('zod').ZodType} */ (outputOf(schemaOf(option)))
  const value = former === undefined ? now : z.union([now, z.enum(Object.keys(former))])
  const always = (usual !== undefined || defaultText !== undefined) && !canBeOutOfForce
  const known = always ? value : value.nullable()
  return [planKey, (ofSomePlans ? known.optional() : known).describe(describe)]
}

/**
 * planSchema describes a plan of a scenario as it stands in a result, from the one table of options. What a later version adds is let
 * through.
 *
 * @param {{ name: string, options: import('./read-options.js').OptionTable }} scenario
 * @param {object} [parts]
 * @param {Readonly<Record<string, unknown>>} [parts.without] - options that have no key of their own in the plan
 * @param {Record<string, import('zod').ZodType>} [parts.more] - keys of the plan that are no option's, or otherwise than its
 */
export function planSchema({ name, options }, { without = {}, more = {} } = {}) {
  const entries = Object.entries(options).filter(
    ([key, { part = 'plan' }]) => part === 'plan' && !Object.hasOwn(without, key)
  )
  return z.looseObject({
    scenario: z.literal(name),
    ...Object.fromEntries(entries.map(inPlan)),
    ...more
  })
}
