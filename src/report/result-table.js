import { asMarkdown } from '../kit/table.js'
import { gossipCells } from './gossip/table.js'
import { peerCells } from './rotation-rendezvous/tables.js'
import { operationCells } from './table.js'

/**
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../kit/table.js').Table} Table
 */

/** @type {Readonly<Record<AnyResult['scenario'], (result: any) => Table>>} */
const CELLS = Object.freeze({
  rendezvous: operationCells,
  gossip: gossipCells,
  profile: gossipCells,
  rotation: gossipCells,
  'rotation-rendezvous': peerCells
})

/**
 * resultCells are the cells of the table of one result.
 *
 * @param {AnyResult} result
 * @returns {Table} without rows when nothing was measured
 */
export const resultCells = result => CELLS[result.scenario](result)

/**
 * resultTable is the markdown table of one result.
 *
 * @param {AnyResult} result
 * @returns {string} without a line break at its end; empty when nothing was measured
 */
export function resultTable(result) {
  const cells = resultCells(result)
  return cells.rows.length === 0 ? '' : asMarkdown(cells)
}
