import { figuresSideBySide } from '../../../report/figures-side-by-side.js'
import { operationName, operationsOf } from '../../../report/table.js'
import { besideOf } from '../figures.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {{ results: readonly Result[] }} Side - of a comparison of rendezvous runs
 */

/** COUNTED_DIFFERENTLY says why memory of two sides has no ratio. */
const COUNTED_DIFFERENTLY =
  'Server memory of a process (resident set) and of a container (usage without page cache) count differently and have no ratio.'

/** A process and a container count memory differently: their figures have no ratio. @param {readonly Side[]} sides */
const countedAlike = sides =>
  new Set(sides.flatMap(({ results }) => results.map(({ outcome }) => outcome.server?.memoryCountedAs)))
    .size <= 1

/**
 * operationTable are the cells of one type of operation.
 *
 * @param {OperationType} type
 * @param {readonly Side[]} sides
 */
export function operationTable(type, sides) {
  const alike = countedAlike(sides)
  return figuresSideBySide(
    operationName(type),
    besideOf(type),
    sides.map(({ results }) => ({ results: results.filter(({ outcome }) => type in outcome.operations) })),
    ({ quantity }) => alike || quantity !== 'memory'
  )
}

/**
 * operationTables are the cells of all figures of several sides, a table for each type of operation.
 *
 * @param {readonly Side[]} sides - the first is the base
 * @returns {import('../../../report/view.js').AllFigures}
 */
export function operationTables(sides) {
  const types = new Set(sides.flatMap(({ results }) => results.flatMap(operationsOf)).map(([type]) => type))
  return {
    tables: [...types].map(type => operationTable(type, sides)),
    notes: countedAlike(sides) ? [] : [COUNTED_DIFFERENTLY]
  }
}
