import { isDeepStrictEqual } from 'node:util'
import { clean } from '../../plan/scale.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 */

/** Warnings of nodes that were asked for more than they carried. */
const TOO_FAST = ['NODES_BUSY', 'PUBLISH_LATE', 'NOT_PUBLISHED']
/** Two steps halve it. */
const STEP = Math.SQRT1_2
const LEAST_PER_SECOND = 0.05
const DIGITS = 2

/** What of a plan follows from its network: the same case on another one differs in nothing else. */
const OF_NETWORK = ['network', 'workers', 'congestionControl', 'ratePerSecond']

/** @param {object} plan */
const caseOf = plan => Object.fromEntries(Object.entries(plan).filter(([key]) => !OF_NETWORK.includes(key)))

/** @param {object} plan @returns {number | null} */
const rateOf = plan => /** @type {{ ratePerSecond?: number | null }} */ (plan).ratePerSecond ?? null

/**
 * atRate is a row at a lower rate than was asked for. What was published of its case is then of another rate.
 *
 * @template {import('./plan/matrix.js').MatrixRow} R
 * @param {R} row
 * @param {number} ratePerSecond
 * @param {number} loweredFrom - the rate that was asked for
 * @returns {R & { loweredFrom: number }}
 */
export function atRate({ reference, ...row }, ratePerSecond, loweredFrom) {
  const { intervalMs } = /** @type {any} */ (row.plan)
  const atAnotherRate = reference && { reference, ratePerSecond: loweredFrom, intervalMs }
  return /** @type {any} */ ({
    ...row,
    reference: null,
    atAnotherRate: row.atAnotherRate ?? atAnotherRate,
    plan: Object.freeze({ ...row.plan, ratePerSecond }),
    unscaled: { ratePerSecond: loweredFrom, ...row.unscaled },
    loweredFrom
  })
}

/**
 * isTooFast says whether a row has to be run again at a lower rate, and lowers it.
 *
 * @param {RowRecord} row
 * @param {Pick<AnyResult, 'run'> | null} result - of its run
 */
export function isTooFast(row, result) {
  const rate = rateOf(row.plan)
  const late = result?.run.warnings.some(({ code }) => TOO_FAST.includes(code)) ?? false
  if (!late || rate === null || rate * STEP < LEAST_PER_SECOND) return false
  const lower = Number((rate * STEP).toPrecision(DIGITS))
  Object.assign(row, atRate(row, clean(lower), row.loweredFrom ?? rate))
  return true
}

/**
 * takeRateOfOther gives a row the rate to which the same case on another network was lowered: both stand beside each other.
 *
 * @param {RowRecord} row
 * @param {readonly RowRecord[]} rows
 */
export function takeRateOfOther(row, rows) {
  const other = rows.find(
    ({ plan, status, loweredFrom }) =>
      status === 'complete' &&
      loweredFrom !== undefined &&
      loweredFrom === rateOf(row.plan) &&
      isDeepStrictEqual(caseOf(plan), caseOf(row.plan))
  )
  if (other !== undefined)
    Object.assign(row, atRate(row, Number(rateOf(other.plan)), Number(other.loweredFrom)))
}
