import { describeFiles, filesPhases, filesWork, PROTOCOL_COLUMNS } from './files-description.js'
import { movesFiles } from './plan/ways.js'
import { transferPlan } from './transfer-plan.js'
import { describeZeros, MEASURE_COLUMNS, zerosPhases, zerosWork } from './zeros-description.js'

/**
 * describePlan says what a plan measures, and what its phases are called.
 *
 * @param {unknown} asked
 * @returns {import('../../report/description/description.js').PlanDescription}
 */
export function describePlan(asked) {
  const plan = transferPlan(asked)
  return movesFiles(plan)
    ? {
        what: filesWork(plan),
        phases: filesPhases,
        columns: PROTOCOL_COLUMNS.map(([heading]) => heading),
        rateUnit: 'repeats/s',
        measured: 'provider'
      }
    : {
        what: zerosWork(plan),
        phases: zerosPhases(plan),
        columns: MEASURE_COLUMNS.map(([heading]) => heading),
        rateUnit: '/s',
        measured: ''
      }
}

/**
 * describeResult describes what was measured of each protocol on each network.
 *
 * @param {unknown} document
 * @returns {import('../../report/description/description.js').Description}
 */
export function describeResult(document) {
  const result = /** @type {import('./transfer-plan.js').AnyTransfer} */ (document)
  return movesFiles(result.plan)
    ? describeFiles(/** @type {import('./transfer-plan.js').FilesResult} */ (result))
    : describeZeros(/** @type {import('./transfer-plan.js').ZerosResult} */ (result))
}
