import { execute } from '../../execute.js'
import { recordsOf } from '../../phases.js'
import { perfPlan } from '../perf-plan.js'
import { PerfRun } from './perf-run.js'

/**
 * runPerf moves bytes as a plan says. It never throws for what goes wrong with the run: the last record is always the result, whose
 * `status` and `reason` tell.
 *
 * @type {import('../../scenario.js').Run}
 */
export const runPerf = (plan, options) =>
  recordsOf(emit =>
    execute(new PerfRun(perfPlan(plan), options, emit), async run => {
      await run.setup()
      await run.warmUp()
      await run.measure()
    })
  )
