import { asMarkdown } from '../../../kit/table.js'
import { deliveriesSideBySide } from './deliveries-side-by-side.js'
import { operationTables } from './operations-side-by-side.js'

/**
 * @typedef {import('../comparison.js').Side} Side
 * @typedef {import('../../../kit/table.js').Table} Table
 *
 * @typedef {{ tables: Table[], notes: string[] }} AllFigures
 */

/** @type {Readonly<Record<import('../comparison.js').Result['scenario'], (sides: readonly any[]) => AllFigures>>} */
const BY_SCENARIO = Object.freeze({
  rendezvous: operationTables,
  gossip: sides => ({ tables: [deliveriesSideBySide(sides)], notes: [] })
})

/**
 * allFigures are the cells of all figures of several sides of a comparison, as their scenario has them.
 *
 * @param {readonly Side[]} sides - of one scenario; the first is the base
 * @returns {AllFigures}
 */
export const allFigures = sides => BY_SCENARIO[sides[0].results[0].scenario](sides)

/**
 * sideBySide are their markdown tables.
 *
 * @param {readonly Side[]} sides
 * @returns {string}
 */
export function sideBySide(sides) {
  const { tables, notes } = allFigures(sides)
  return [...tables.map(asMarkdown), ...notes].join('\n\n')
}
