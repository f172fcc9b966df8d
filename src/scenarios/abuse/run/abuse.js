import { execute } from '../../execute.js'
import { recordsOf } from '../../phases.js'
import { abusePlan } from '../abuse-plan.js'
import { AbuseRun } from './abuse-run.js'

/**
 * runAbuse runs hostile peers beside honest clients as a plan says. It never throws for what goes wrong with the run: the last record is
 * always the result, whose `status` and `reason` tell.
 *
 * @type {import('../../scenario.js').Run}
 */
export const runAbuse = (plan, options) =>
  recordsOf(emit =>
    execute(new AbuseRun(abusePlan(plan), options, emit), async run => {
      await run.all()
      run.completed()
    })
  )
