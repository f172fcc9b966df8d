import { failRuleWords, readFailRule } from './fail-rule.js'

/**
 * failRules is the kind of --fail-on, which can be given several times.
 *
 * @param {import('./compared-metrics.js').ComparedScenario} [scenario]
 * @returns {import('./values.js').Kind}
 */
export const failRules = (scenario = 'rendezvous') => ({
  allowed: failRuleWords(scenario),
  item: raw => readFailRule(raw, scenario),
  schema: z =>
    z.array(z.object({ text: z.string(), metric: z.string(), operator: z.string(), ratio: z.number() }))
})
