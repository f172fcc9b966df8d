import { isSure } from '../../measure/summary.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../result/types.js').OperationType} OperationType
 * @typedef {import('../../result/types.js').OperationResult} OperationResult
 */

/** @type {readonly OperationType[]} */
const ORDER = ['CONNECT', 'REGISTER', 'DISCOVER', 'UNREGISTER']

/**
 * operationsOf lists the operations of a result in the order of all views.
 *
 * @param {Result} result
 * @returns {[OperationType, OperationResult][]}
 */
export function operationsOf({ outcome: { operations } }) {
  const types = new Set([...ORDER, .../** @type {OperationType[]} */ (Object.keys(operations))])
  return [...types].flatMap(type => {
    const operation = operations[type]
    return operation === undefined
      ? []
      : [/** @type {[OperationType, OperationResult]} */ ([type, operation])]
  })
}

/**
 * hasThroughput says whether there are enough operations for a rate, as many as for their median. The time of fewer is that of their
 * replies, for the measurement ends with the last one.
 *
 * @param {Pick<OperationResult, 'count'>} operation
 */
export const hasThroughput = ({ count }) => isSure(0.5, count)
