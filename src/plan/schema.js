// Makes the Zod schemas of options and plans when they are first used. Finds values of older plans that no longer run.
import { z } from 'zod'
import * as addresses from './addresses.js'

/** @typedef {import('./values.js').OptionValueKind} OptionValueKind */

/** Kinds are spread into options: what stays the same is how their schema is made. @type {WeakMap<OptionValueKind['schema'], import('zod').ZodType>} */
const made = new WeakMap()

/**
 * getKindSchema gives the schema of an option's values. Tables of options load without zod: making its schemas takes longer than all
 * else that --help does.
 *
 * @param {Pick<OptionValueKind, 'schema'>} kind
 * @returns {import('zod').ZodType}
 */
export function getKindSchema({ schema }) {
  const known = made.get(schema) ?? schema(z, addresses)
  made.set(schema, known)
  return known
}

/** What is no object is the same for all plans, and lists of plans ask for each default once each. @type {WeakMap<object, unknown>} */
const plain = new WeakMap()

/**
 * getOptionDefault gives an option's default in the plan's unit; undefined: it has none.
 *
 * @param {Readonly<import('./options.js').Option>} option
 * @returns {any}
 */
export function getOptionDefault(option) {
  if (plain.has(option)) return plain.get(option)
  const value = getKindSchema(option).safeParse(option.default).data
  if (typeof value !== 'object') plain.set(option, value)
  return value
}

/** @param {[string, Readonly<import('./options.js').Option>]} entry */
function inPlan([key, option]) {
  const { planKey = key, default: usual, describe, defaultText, canBeOutOfForce, ofSomePlans } = option
  const former = FORMER_VALUES[planKey]
  const schema = getKindSchema(option)
  const now = /** @type {import('zod').ZodType} */ (schema instanceof z.ZodPipe ? schema.out : schema)
  const value = former === undefined ? now : z.union([now, z.enum(Object.keys(former))])
  const always = (usual !== undefined || defaultText !== undefined) && !canBeOutOfForce
  const known = always ? value : value.nullable()
  return [planKey, (ofSomePlans ? known.optional() : known).describe(describe)]
}

/**
 * makePlanSchema describes a plan of a scenario as it stands in a result, from the one table of options. What a later version adds is let
 * through.
 *
 * @param {{ name: string, options: import('./plan.js').OptionTable }} scenario
 * @param {object} [parts]
 * @param {Readonly<Record<string, unknown>>} [parts.without] - options that have no key of their own in the plan
 * @param {Record<string, import('zod').ZodType>} [parts.more] - keys of the plan that are no option's, or otherwise than its
 */
export function makePlanSchema({ name, options }, { without = {}, more = {} } = {}) {
  const entries = Object.entries(options).filter(
    ([key, { part = 'plan' }]) => part === 'plan' && !Object.hasOwn(without, key)
  )
  return z.looseObject({
    scenario: z.literal(name),
    ...Object.fromEntries(entries.map(inPlan)),
    ...more
  })
}

/**
 * FORMER_VALUES are values that plans of earlier releases can have and that nothing runs any more, by key of the plan, each with what is said
 * of it. Results with them are still read and shown.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const FORMER_VALUES = Object.freeze({
  store: { pglite: 'is no longer supported: use --store postgres' },
  fidelity: { full: 'is no longer supported: simulated nodes are gossipsub on simulated streams' },
  ideal: { true: 'is no longer supported: simulated links have TCP, nodes take time' },
  autoRate: { true: 'is no longer supported: use saturate gossip --search' },
  ways: { bitswap: 'is no longer supported: docs/transfer.md lists the protocols' }
})

/**
 * findFormerValueProblems says what of the plan of a result cannot be run any more.
 *
 * @param {object} plan
 * @returns {import('./plan.js').Problem[]}
 */
export const findFormerValueProblems = plan =>
  Object.entries(plan).flatMap(([key, values]) =>
    [values].flat().flatMap(value => {
      const allowed = FORMER_VALUES[key]?.[value]
      return allowed === undefined ? [] : [{ flag: `--${key}`, value: value === true ? '' : value, allowed }]
    })
  )
