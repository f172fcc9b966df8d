import { z } from 'zod'
import { FAIL_RULE, readFailRule } from '../result/comparison/fail-rule.js'

/**
 * failRules is the kind of --fail-on, which can be given several times.
 *
 * @returns {import('./values.js').Kind}
 */
export const failRules = () => ({
  allowed: FAIL_RULE,
  item: readFailRule,
  schema: z.array(z.object({ text: z.string(), metric: z.string(), operator: z.string(), ratio: z.number() }))
})
