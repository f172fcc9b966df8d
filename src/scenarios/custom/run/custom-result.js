import { generatorUse, limitedBy } from '../../../measure/limited-by.js'
import { judgeAll } from '../../../result/thresholds/judge.js'
import { generatorLimited } from '../../generator-limited.js'
import { figuresSoFar, operationResults } from '../../rendezvous/measure/operation-result.js'
import { healthOfRun } from '../../rendezvous/run/rendezvous-result.js'
import { operationWarnings } from '../../rendezvous/run/run-warnings.js'

/**
 * @typedef {import('../types.js').CustomPlan} CustomPlan
 * @typedef {import('../types.js').CustomOutcome} CustomOutcome
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').AnyResult} AnyResult
 */

/**
 * customResult is everything known of a run of a scenario of a user's own so far.
 *
 * @param {CustomPlan} plan
 * @param {import('../../rendezvous/measure/measurement.js').Measurement} measurement
 * @param {{ header: import('../../run-header.js').RunHeader, figures: readonly import('../../../measure/figure.js').Figure[],
 *   description?: CustomOutcome['description'] }} known
 * @returns {AnyResult}
 */
export function customResult(plan, measurement, { header, figures, description }) {
  const { load, coveredMs } = measurement
  /** @type {Omit<CustomOutcome, 'limitedBy'>} */
  const outcome = {
    operations: operationResults({ ratePerSecond: null }, measurement),
    measuredMs: coveredMs,
    perSecond: load.perSecond(),
    secondsPerPoint: load.secondsPerPoint,
    thresholds: judgeAll(plan.thresholds, figuresSoFar(measurement), figures, header.brokeOff),
    ...(description !== undefined && { description })
  }
  const health = healthOfRun(measurement)
  const times = Object.entries(outcome.operations).map(
    ([type, { rt }]) => /** @type {[string, typeof rt.all]} */ ([type, rt.all])
  )
  const run = header.run(health, [])
  // what its operations load is not known here
  const limited =
    coveredMs > 0 ? limitedBy({ server: { percent: null }, generator: generatorUse(run) }) : undefined
  const warnings = [...generatorLimited({ health, limitedBy: limited, times }), ...operationWarnings(outcome)]
  const result = {
    ...header.ending(),
    scenario: plan.scenario,
    plan,
    outcome: { ...outcome, ...(limited !== undefined && { limitedBy: limited }) },
    run: { ...run, warnings: [...run.warnings, ...warnings] }
  }
  return /** @type {AnyResult} */ (/** @type {unknown} */ (result))
}
