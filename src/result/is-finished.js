import { isDeepStrictEqual } from 'node:util'

/**
 * isFinished says whether a row of a matrix need not be run again: its plan has a complete result, and it is the same plan
 * in every parameter.
 *
 * @param {Readonly<import('../plan/plan.js').AnyPlan>} plan
 * @param {import('./types.js').AnyResult | null} result - that is kept of the row
 * @returns {boolean}
 */
export const isFinished = (plan, result) =>
  result?.status === 'complete' && isDeepStrictEqual(result.plan, { ...plan })
