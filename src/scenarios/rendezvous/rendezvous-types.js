/**
 * @typedef {Extract<import('../../result/types.js').AnyResult, { outcome: import('../../result/types.js').OperationsOutcome }>}
 *   OperationsResult - of any operations at a rendezvous server: views of a Result hold for it too
 */

export {}
