import { failRuleWords, readFailRule } from './fail-rule.js'

/**
 * failRules is the kind of --fail-on, which can be given several times.
 *
 * @param {import('../measure/figure.js').Comparable} compared
 * @returns {import('./values.js').Kind}
 */
export const failRules = compared => ({
  allowed: failRuleWords(compared),
  item: raw => readFailRule(raw, compared),
  schema: z =>
    z.array(z.object({ text: z.string(), metric: z.string(), operator: z.string(), ratio: z.number() }))
})
