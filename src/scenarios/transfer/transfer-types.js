/**
 * Shapes of what was measured of transfers. Only types live here.
 *
 * @typedef {import('../../result/types.js').Shape<typeof import('./transfer-schema.js').transferOutcome>} TransferOutcome
 * @typedef {TransferOutcome['cases'][number]} Case
 * @typedef {TransferOutcome['transfers'][number]} Transfer
 * @typedef {TransferOutcome['batches'][number]} Batch
 *
 * @typedef {object} TransferResult
 * @property {string} id
 * @property {'complete' | 'partial'} status
 * @property {import('../../result/types.js').Reason | null} reason
 * @property {'transfer'} scenario
 * @property {import('./transfer-plan.js').TransferPlan} plan
 * @property {TransferOutcome} outcome
 * @property {import('../../result/types.js').Result['run']} run
 */
export {}
