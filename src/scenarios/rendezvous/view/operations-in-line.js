import { counted, grouped, MISSING } from '../../../kit/numbers.js'
import { figure, hasThroughput, operationsOf, throughput } from '../../../report/table.js'
import { RENDEZVOUS_WORDS } from './rendezvous-words.js'
import { clientsInWords } from './role-words.js'

/** @typedef {import('../../../result/types.js').Result} Result */

/** loadInLine says in a line what was run. @param {Result} result */
export const loadInLine = ({ plan }) =>
  `${RENDEZVOUS_WORDS.work(plan)}, ${clientsInWords(plan)}, ${counted(plan.initialRegistrations, 'registration')}`

/**
 * operationInLine says what came of one type of operation: how many there were, where they are too few for figures.
 *
 * @param {string} type
 * @param {import('../../../result/types.js').OperationResult} operation
 * @param {(operation: import('../../../result/types.js').OperationResult) => string} figures - of enough of them
 */
export function operationInLine(type, operation, figures) {
  if (hasThroughput(operation)) return `${type} ${figures(operation)}`
  const { count, errors } = operation
  return `${type} ${counted(count, 'operation')}${errors === 0 ? '' : ` (${grouped(errors)} without success)`}`
}

/** @param {import('../../../result/types.js').OperationResult} operation */
const figures = operation => {
  const { p50, p99 } = operation.rt.all
  return `${throughput(operation)} op/s, p50 ${figure(p50)} ms, p99 ${figure(p99)} ms`
}

/** operationsInLine says in a line what came of it. @param {Result} result */
export const operationsInLine = result =>
  operationsOf(result)
    .map(([type, operation]) => operationInLine(type, operation, figures))
    .join('; ') || MISSING
