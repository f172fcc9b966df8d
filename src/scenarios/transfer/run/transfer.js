import { execute } from '../../execute.js'
import { recordsOf } from '../../phases.js'
import { transferPlan } from '../transfer-plan.js'
import { TransferRun } from './transfer-run.js'

/**
 * runTransfer moves files by a plan. It never throws for what goes wrong with the run: the last record is always the result, whose
 * `status` and `reason` tell.
 *
 * @type {import('../../scenario.js').Run}
 */
export const runTransfer = (plan, options) =>
  recordsOf(emit =>
    execute(new TransferRun(transferPlan(plan), options, emit), async run => {
      await run.setup()
      await run.make()
      await run.warmUp()
      await run.measure()
      await run.cooldown()
    })
  )
