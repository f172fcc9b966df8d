import { FILES } from './files-description.js'
import { movesFiles } from './plan/ways.js'
import { transferPlan } from './transfer-plan.js'
import { ZEROS } from './zeros-description.js'

/** @param {import('./transfer-plan.js').TransferPlan} plan */
const describerOf = plan => (movesFiles(plan) ? FILES : ZEROS)

/**
 * describePlan says what a plan measures, and what its phases are called.
 *
 * @param {unknown} asked
 * @returns {import('../../report/description/description.js').PlanDescription}
 */
export function describePlan(asked) {
  const plan = transferPlan(asked)
  return describerOf(plan).plan(plan)
}

/**
 * describeResult describes what was measured of each protocol on each network.
 *
 * @param {unknown} document
 * @returns {import('../../report/description/description.js').Description}
 */
export function describeResult(document) {
  const result = /** @type {import('./transfer-plan.js').AnyTransfer & { outcome: any }} */ (document)
  return describerOf(result.plan).result(result)
}
