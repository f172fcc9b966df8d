/**
 * The shapes of a result of this scenario; the documents are described by perf-schema.js.
 *
 * @typedef {import('../../result/types.js').Shape<typeof import('./perf-schema.js').outcome>} PerfOutcome
 * @typedef {PerfOutcome['transfers'][number]} Transfer
 * @typedef {PerfOutcome['rows'][number]} TransferRow
 * @typedef {PerfOutcome['latency'][number]} LatencyRow
 * @typedef {PerfOutcome['handshakes'][number]} HandshakeRow
 * @typedef {import('./perf-plan.js').PerfPlan} PerfPlan
 *
 * @typedef {Omit<import('../../result/types.js').Result, 'scenario' | 'plan' | 'outcome'> &
 *   { scenario: 'perf', plan: PerfPlan, outcome: PerfOutcome }} PerfResult
 */

/**
 * perfResult is a result of this scenario, which other code is handed as one of any.
 *
 * @param {unknown} result
 * @returns {PerfResult}
 */
export const perfResult = result => /** @type {PerfResult} */ (result)
