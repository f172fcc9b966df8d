import { significant } from '../../kit/numbers.js'
import { rateWords } from '../../kit/rate-words.js'
import { isSure } from '../../measure/summary.js'
import { table } from '../../report/description/tables.js'

/**
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../result/types.js').OperationType} OperationType
 * @typedef {import('../../result/types.js').OperationResult} OperationResult
 */

/** @type {readonly OperationType[]} */
const ORDER = ['CONNECT', 'REGISTER', 'DISCOVER', 'UNREGISTER', 'PUBLISH']

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

/** throughputOf is what an operation came to in a second, where there are enough. @param {OperationResult} operation */
export const throughputOf = operation => (hasThroughput(operation) ? operation.throughputPerSecond : null)

/** timesText writes p50 and p99, as far as they are known. @param {Pick<import('../../result/types.js').Summary, 'p50' | 'p99'>} times */
export const timesText = ({ p50, p99 }) =>
  Object.entries({ p50, p99 })
    .flatMap(([key, time]) =>
      time == null ? [] : `${key} ${time.censored ? '> ' : ''}${significant(time.ms)} ms`
    )
    .join(', ')

/**
 * floorText says what a null server takes here: `p50 0.24 ms, p99 0.9 ms at 1,000/s`.
 *
 * @param {NonNullable<Result['outcome']['floor']>} floor
 */
export function floorText({ ratePerSecond, rt }) {
  const load = ratePerSecond === null ? 'at full load' : `at ${rateWords(ratePerSecond)}/s`
  return `${timesText(rt) || 'too few operations'} ${load}`
}

/**
 * outcomeTable says what became of operations, some of which failed.
 *
 * @param {readonly { type: string, operation: Pick<OperationResult, 'outcomes' | 'count' | 'errors'> }[]} rows
 * @param {(outcome: string) => string | null | undefined} meaningOf
 */
export const outcomeTable = (rows, meaningOf) =>
  table(
    'outcomes',
    'Outcomes',
    rows.flatMap(({ type, operation: { outcomes, count, errors } }) =>
      errors === 0
        ? []
        : Object.entries(outcomes)
            .sort(([, a], [, b]) => b - a)
            .map(([outcome, n]) => ({ type, outcome, n, share: (100 * n) / count }))
    ),
    [
      ['Operation', ({ type }) => type, 'text'],
      ['Outcome', ({ outcome }) => outcome, 'text'],
      ['Count', ({ n }) => n, 'count'],
      ['Share %', ({ share }) => share, 'percent'],
      ['Meaning', ({ outcome }) => meaningOf(outcome), 'text']
    ]
  )
