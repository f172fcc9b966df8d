import { addedSince } from '../../plan/option.js'
import { abusePlan } from './abuse-plan.js'
import { COMMAND } from './command.js'
import { ABUSE_COMPARED, ABUSE_FIGURES } from './figures.js'
import { ABUSE_KIND, estimateMs } from './plan/abuse-kind.js'
import { casesOf } from './plan/cases.js'

/** What was added to the plan since it was first written, with what the program did before. */
const ADDED_TO_PLAN = addedSince(ABUSE_KIND.options)

/** ABUSE runs hostile peers beside honest clients of a rendezvous server. @type {import('../scenario.js').Scenario} */
export const ABUSE = {
  name: 'abuse',
  command: COMMAND,
  ...ABUSE_KIND,
  naming: {
    short: new Set(['kinds', 'times']),
    inShort: plan => casesOf(abusePlan(plan)).map(({ name }) => name)
  },
  estimateMs,
  fixedMs: estimateMs,
  schemas: () => import('./abuse-schema.js'),
  filled: document => ({ ...document, plan: document.plan && { ...ADDED_TO_PLAN, ...document.plan } }),
  figures: ABUSE_FIGURES,
  compared: ABUSE_COMPARED,
  run: async () => (await import('./run/abuse.js')).runAbuse,
  describe: () => import('../rendezvous/describe.js')
}
