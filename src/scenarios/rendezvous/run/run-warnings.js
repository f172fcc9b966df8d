import { present, sumOf } from '../../../kit/lists.js'
import { OUT_OF_TIME } from '../../../load/outcomes.js'
import { driftOfType } from '../../../measure/stationarity.js'
import { generatorLimited } from '../../generator-limited.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 */

/**
 * warningsOfRun gives what a reader of the figures must know.
 *
 * @param {Plan} plan
 * @param {Result['outcome']} outcome
 * @param {Result['run']['health']} health
 * @param {object} known
 * @param {number} known.namespacesUsed
 * @param {{ detail: string, count: number }[]} known.badReplies
 * @param {import('../../../result/types.js').LimitedBy} [known.limitedBy]
 * @param {number} [known.clockErrorMs] - by which times between clients of two machines may be off
 * @returns {import('../../../result/types.js').Warning[]}
 */
export function warningsOfRun(
  plan,
  outcome,
  health,
  { namespacesUsed, badReplies, limitedBy, clockErrorMs = 0 }
) {
  return present([
    ...generatorLimited({
      health,
      limitedBy,
      times: Object.entries(outcome.operations).map(([type, { rt }]) => [type, rt.all])
    }),
    ...operationWarnings(outcome),
    ...badReplies.map(({ detail, count }) =>
      warning('REPLY_CHECK_FAILED', { type: plan.benchmarkType, detail, count })
    ),
    ...churnWarnings(outcome.churn, clockErrorMs),
    namespacesUsed > plan.nNamespaces &&
      warning('NAMESPACES_ADDED', { count: namespacesUsed - plan.nNamespaces }),
    ...outcome.faults
      .filter(({ kind, toMs }) => kind === 'restart' && toMs !== null && plan.store === 'memory')
      .map(({ toMs, registrationsLost }) =>
        warning('SERVER_RESTARTED', { atMs: toMs, lost: registrationsLost })
      ),
    ...lookUpWarnings(outcome.lookUp),
    ...growthWarnings(outcome.soak),
    outcome.server == null && couldBeSampled(plan) && warning('SERVER_NOT_SAMPLED', {})
  ])
}

/** Whose process nobody named; one of our own was ended before it was sampled. @param {Plan} plan */
const couldBeSampled = ({ target, targetPid, targetContainer }) =>
  target !== null && targetPid === null && targetContainer === null

/** @param {Result['outcome']['lookUp']} lookUp */
function lookUpWarnings(lookUp) {
  if (lookUp === null) return []
  const { drawn, lookedUp, missing, problem } = lookUp
  if (lookedUp === 0 && problem !== null && problem !== OUT_OF_TIME)
    return [warning('NOTHING_LOOKED_UP', { drawn, problem })]
  return present([
    missing > 0 && warning('REGISTRATIONS_MISSING', { missing, lookedUp }),
    problem !== null && warning('LOOK_UP_INCOMPLETE', { left: drawn - lookedUp, drawn, problem })
  ])
}

/** Later than this, a client was not where the schedule has it. */
const CHURN_LATE_MS = 1000

/** @param {Result['outcome']['churn']} churn @param {number} clockErrorMs */
function churnWarnings(churn, clockErrorMs) {
  if (churn === undefined) return []
  const { latestMs, failed } = churn.lives
  return present([
    clockErrorMs > 0 && warning('CLOCKS_APART', { errorMs: clockErrorMs }),
    failed > 0 && warning('PEERS_NOT_STARTED', { count: failed }),
    latestMs > CHURN_LATE_MS && warning('PEERS_LATE', { latestMs })
  ])
}

/** @param {[OperationType, OperationResult][]} operations */
function nothingSucceeded(operations) {
  const tried = operations.filter(([type]) => type !== 'CONNECT')
  const count = sumOf(tried, ([, operation]) => operation.count)
  const failed = tried.every(([, { count, errors }]) => errors === count)
  return count > 0 && failed ? [warning('NOTHING_SUCCEEDED', { count })] : []
}

/** @param {Result['outcome']['soak']} soak */
function growthWarnings(soak) {
  const growing = (/** @type {import('../../../result/types.js').Trend | null} */ trend) =>
    trend?.verdict === 'growing'
  if (soak === null) return []
  return present([
    growing(soak.serverBytes) && warning('SERVER_MEMORY_GROWS', { trend: soak.serverBytes }),
    ...soak.ownBytes
      .filter(({ inUse }) => growing(inUse))
      .map(({ process, inUse }) => warning('GENERATOR_MEMORY_GROWS', { process, trend: inUse }))
  ])
}

/** @typedef {Pick<Result['outcome'], 'operations' | 'perSecond' | 'secondsPerPoint' | 'limitedReplies'> & { hostile?: Result['outcome']['hostile'] }} MeasuredOperations */

/** operationWarnings say what to know of the figures of operations. @param {MeasuredOperations} outcome */
export function operationWarnings(outcome) {
  const operations = /** @type {[OperationType, OperationResult][]} */ (Object.entries(outcome.operations))
  return [
    ...operations.flatMap(([type, result]) => warningsOfType(type, result, outcome)),
    ...nothingSucceeded(operations),
    // beside hostile peers limits are part of what is measured
    ...(outcome.limitedReplies && outcome.hostile === undefined
      ? [warning('SERVER_LIMITED', { count: outcome.limitedReplies })]
      : [])
  ]
}

/** @param {OperationType} type @param {OperationResult} result @param {MeasuredOperations} measured */
function warningsOfType(type, { outcomes, errors, lag }, measured) {
  const drift = driftOfType(measured, type)
  const { DROPPED = 0, LOCAL_PORTS_EXHAUSTED = 0, INTERRUPTED = 0 } = outcomes
  const lateMs = lag?.p99?.ms ?? 0
  return present([
    drift?.settled === false &&
      warning('NOT_STATIONARY', { type, firstMs: drift.firstMs, lastMs: drift.lastMs }),
    DROPPED > 0 && warning('DROPPED', { count: DROPPED }),
    LOCAL_PORTS_EXHAUSTED > 0 && warning('LOCAL_PORTS_EXHAUSTED', { count: LOCAL_PORTS_EXHAUSTED }),
    errors > INTERRUPTED && warning('OPERATIONS_FAILED', { type, outcomes: failures(outcomes) }),
    lateMs > LATE_MS && warning('SCHEDULE_LATE', { p99Ms: lateMs })
  ])
}

/** Sending this late is more than timers explain. */
const LATE_MS = 10

/** @param {Record<string, number>} outcomes */
const failures = ({ OK, INTERRUPTED, ...others }) => others

/** @param {string} code @param {Record<string, unknown>} values */
const warning = (code, values) => ({ code, values })
