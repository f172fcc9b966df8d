import { grouped, megabytes, percent, significant } from '../../../kit/numbers.js'
import { FIGURES, operationName, operationsOf } from '../../../report/table.js'
import { figuresSideBySide } from './figures-side-by-side.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../../../kit/table.js').Table} Table
 *
 * @typedef {{ label: string, results: readonly Result[] }} Side - of a comparison of rendezvous runs
 * @typedef {{ result: Result, operation: OperationResult }} From
 * @typedef {import('./figures-side-by-side.js').FigureRow<From>} Row
 */

const MEMORY = 'Server memory median, MB'

/** COUNTED_DIFFERENTLY says why memory of two sides has no ratio. */
export const COUNTED_DIFFERENTLY =
  'Server memory of a process (resident set) and of a container (usage without page cache) count differently and have no ratio.'

/** @type {readonly Row[]} */
const ROWS = Object.freeze([
  { name: 'Ops', read: ({ operation }) => ({ value: operation.count }), write: grouped },
  { name: 'Errors', read: ({ operation }) => ({ value: operation.errors }), write: grouped },
  {
    name: 'Op/s',
    read: ({ operation }) => ({
      value: operation.throughputPerSecond,
      doubtful: operation.throughputIsLowerBound
    }),
    write: significant
  },
  ...FIGURES.map(
    ([key, heading]) =>
      /** @type {Row} */ ({
        name: `${heading}, ms`,
        read: ({ operation }) => {
          const percentile = operation.rt.all[key]
          return {
            value: percentile?.ms ?? null,
            atLeast: percentile?.censored,
            doubtful: percentile?.doubtful
          }
        },
        write: significant
      })
  ),
  {
    name: 'Server CPU per operation, µs',
    read: ({ operation }) => ({ value: operation.serverCpuMicrosPerOperation }),
    write: significant
  },
  {
    name: 'Server CPU avg, %',
    read: ({ result }) => ({ value: result.outcome.server?.cpu.averagePercent ?? null }),
    write: percent
  },
  {
    name: MEMORY,
    read: ({ result }) => ({ value: result.outcome.server?.memory.medianBytes ?? null }),
    write: megabytes
  }
])

/** A process and a container count memory differently: their figures have no ratio. @param {readonly Side[]} sides */
const countedAlike = sides =>
  new Set(sides.flatMap(({ results }) => results.map(({ outcome }) => outcome.server?.memoryCountedAs)))
    .size <= 1

/**
 * operationTable are the cells of one type of operation.
 *
 * @param {OperationType} type
 * @param {readonly Side[]} sides
 * @returns {Table}
 */
export function operationTable(type, sides) {
  const alike = countedAlike(sides)
  const rows = ROWS.map(row => ({ ...row, withoutRatio: row.name === MEMORY && !alike }))
  const runs = sides.map(({ results }) =>
    results.flatMap(result => {
      const operation = result.outcome.operations[type]
      return operation === undefined ? [] : [{ result, operation }]
    })
  )
  return figuresSideBySide(operationName(type), rows, runs)
}

/**
 * operationTables are the cells of all figures of several sides, a table for each type of operation.
 *
 * @param {readonly Side[]} sides - the first is the base
 * @returns {{ tables: Table[], notes: string[] }}
 */
export function operationTables(sides) {
  const types = new Set(sides.flatMap(({ results }) => results.flatMap(operationsOf)).map(([type]) => type))
  return {
    tables: [...types].map(type => operationTable(type, sides)),
    notes: countedAlike(sides) ? [] : [COUNTED_DIFFERENTLY]
  }
}
