/**
 * watchesSight says whether a run measures how long servers take to see what another one has acknowledged. At servers of others that
 * are only read from nothing is registered.
 *
 * @param {import('../../../plan/plan.js').Plan} plan
 */
export const watchesSight = ({ servers, targets, benchmarkType }) =>
  servers > 1 || (targets != null && benchmarkType !== 'DISCOVER')
