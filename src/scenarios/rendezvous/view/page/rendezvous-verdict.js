import { sumOf } from '../../../../kit/lists.js'
import { counted, grouped } from '../../../../kit/numbers.js'
import { ADDED, CAUSES, doubtfulFigures } from '../../../../measure/doubt.js'
import { doubtMark, FIGURES, operationsOf } from '../../../../report/table.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 */

/** @param {string} key */
const nameOf = key => FIGURES.find(([name]) => name === key)?.[1] ?? key

/**
 * operationFailures say how many operations did not succeed.
 *
 * @param {Result} result
 * @returns {Statement[]}
 */
export function operationFailures(result) {
  const operations = operationsOf(result)
  const errors = sumOf(operations, ([, operation]) => operation.errors)
  if (errors === 0) return []
  const all = sumOf(operations, ([, { count }]) => count)
  return [
    {
      tone: 'mind',
      text: `${grouped(errors)} of ${counted(all, 'operation')} did not succeed.`,
      to: 'outcomes'
    }
  ]
}

/** What generator or machine had too large a part in. @param {Result} result @returns {Statement[]} */
const doubtfulTimes = result =>
  CAUSES.flatMap(cause => {
    const named = operationsOf(result).flatMap(([type, { rt }]) => {
      const figures = doubtfulFigures(rt.all, cause)
      return figures.length === 0 ? [] : [`${type} ${figures.map(nameOf).join(', ')}`]
    })
    if (named.length === 0) return []
    const text = `Doubtful, marked ${doubtMark({ doubtful: true, cause })}: ${named.join('; ')}; ${ADDED[cause]} more than a tenth of these times.`
    return [{ tone: /** @type {const} */ ('mind'), text, to: 'generator' }]
  })

/** @param {Result} result @returns {Statement[]} */
function boundedThroughput(result) {
  if (!operationsOf(result).some(([, { throughputIsLowerBound }]) => throughputIsLowerBound)) return []
  const text = 'Throughput is a lower bound: the load generator was busy and could not send more.'
  return [{ tone: 'mind', text, to: 'generator' }]
}

/**
 * operationDoubts say which figures carry a mark.
 *
 * @param {Result} result
 * @returns {Statement[]}
 */
export const operationDoubts = result => [...doubtfulTimes(result), ...boundedThroughput(result)]
