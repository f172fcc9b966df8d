import { failRuleWords, isFailRule, readFailRule } from './fail-rule.js'

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

const UNREAD = 'must be a metric, > or <, and a change in %, such as "p99 > +10%"'

/**
 * UNREAD_RULES is the kind of --fail-on as long as it is not known what runs the rules are about.
 *
 * @type {import('./values.js').Kind}
 */
export const UNREAD_RULES = {
  allowed: UNREAD,
  item: raw => (isFailRule(raw) ? { value: raw } : { allowed: UNREAD }),
  schema: z => z.array(z.unknown())
}
