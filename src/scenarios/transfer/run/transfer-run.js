import { execute } from '../../execute.js'
import { recordsOf } from '../../phases.js'
import { movesFiles } from '../plan/ways.js'
import { transferPlan } from '../transfer-plan.js'
import { FileRun } from './file-run.js'
import { ZerosRun } from './zeros-run.js'

/**
 * runTransfer moves bytes by a plan. It never throws for what goes wrong with the run: the last record is always the result, whose
 * `status` and `reason` tell.
 *
 * @type {import('../../scenario.js').Run}
 */
export const runTransfer = (asked, options) => {
  const plan = transferPlan(asked)
  return recordsOf(emit =>
    execute(new (movesFiles(plan) ? FileRun : ZerosRun)(plan, options, emit), run => run.work())
  )
}
