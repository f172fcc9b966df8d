import { isDeepStrictEqual } from 'node:util'
import { clean, scaledArrivals } from '../../plan/scale.js'

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
const OF_NETWORK = ['network', 'workers', 'congestionControl', 'ratePerSecond', 'arrivals']

/** What a machine carries depends on these first. A simulated network carries any rate. */
const LOAD = ['scenario', 'network', 'nodes', 'workers', 'messageBytes', 'signing']

/** @param {any} plan */
const caseOf = plan => ({
  ...Object.fromEntries(Object.entries(plan).filter(([key]) => !OF_NETWORK.includes(key))),
  // what these say of rates is lowered, too
  shape: plan.arrivals?.shape ?? plan.arrivals
})

/** @param {any} a @param {any} b */
const isAsMuch = (a, b) => a.network !== 'simulated' && LOAD.every(key => isDeepStrictEqual(a[key], b[key]))

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
  const { intervalMs, arrivals, ratePerSecond: before } = /** @type {any} */ (row.plan)
  const share = { rate: ratePerSecond / before, time: 1 }
  const atAnotherRate = reference && { reference, ratePerSecond: loweredFrom, intervalMs }
  return /** @type {any} */ ({
    ...row,
    reference: null,
    atAnotherRate: row.atAnotherRate ?? atAnotherRate,
    plan: Object.freeze({
      ...row.plan,
      ratePerSecond,
      ...(arrivals !== undefined && { arrivals: scaledArrivals(arrivals, share) })
    }),
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
 * takeLoweredRate gives a row the rate to which others were lowered: the same case on another network, so that both stand beside each other, or
 * rows before it of as many nodes and bytes, which were asked for as much and would be lowered again, an attempt for each step.
 *
 * @param {RowRecord} row
 * @param {readonly RowRecord[]} rows
 */
export function takeLoweredRate(row, rows) {
  const asked = rateOf(row.plan)
  const lowered = rows.filter(({ status, loweredFrom }) => status === 'complete' && loweredFrom === asked)
  const same = lowered.filter(({ plan }) => isDeepStrictEqual(caseOf(plan), caseOf(row.plan)))
  const found = same.length > 0 ? same : lowered.filter(({ plan }) => isAsMuch(plan, row.plan))
  if (asked === null || found.length === 0) return
  Object.assign(row, atRate(row, Math.min(...found.map(({ plan }) => Number(rateOf(plan)))), asked))
}
