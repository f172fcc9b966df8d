import { addedSince } from '../../plan/option.js'
import { COMMAND } from './command.js'
import { PERF_COMPARED, PERF_FIGURES } from './figures.js'
import { perfPlan } from './perf-plan.js'
import { estimateMs, PERF_KIND } from './plan/perf-kind.js'

/** What was added to the plan since it was first written, with what the program did before. */
const ADDED_TO_PLAN = addedSince(PERF_KIND.options)

/** PERF moves bytes over libp2p, and over what it is held against. @type {import('../scenario.js').Scenario} */
export const PERF = {
  name: 'perf',
  command: COMMAND,
  ...PERF_KIND,
  naming: {
    short: new Set(['size', 'streams']),
    inShort: plan => {
      const { sizeBytes, streams } = perfPlan(plan)
      return [`size${sizeBytes}`, `s${streams.join('_')}`]
    }
  },
  estimateMs,
  schemas: () => import('./perf-schema.js'),
  filled: document => ({ ...document, plan: document.plan && { ...ADDED_TO_PLAN, ...document.plan } }),
  figures: PERF_FIGURES,
  compared: PERF_COMPARED,
  run: async () => (await import('./run/perf-run.js')).runPerf,
  describe: () => import('./describe.js')
}
