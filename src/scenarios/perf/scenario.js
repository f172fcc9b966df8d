import { COMMAND } from './command.js'
import { PERF_FIGURES } from './figures.js'
import { perfPlan } from './perf-plan.js'
import { estimateMs, PERF_KIND } from './plan/perf-kind.js'

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
  scaled: () => ({}),
  endless: () => false,
  case: [],
  rates: [],
  reference: () => ({}),
  schemas: () => import('./perf-schema.js'),
  filled: document => document,
  figures: PERF_FIGURES,
  compared: null,
  run: async () => (await import('./run/perf.js')).runPerf,
  view: async () => (await import('./view.js')).VIEW
}
