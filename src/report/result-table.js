import { asMarkdown } from '../kit/table.js'

/** @typedef {import('../result/types.js').AnyResult} AnyResult */

/**
 * resultTable is the markdown table of one result.
 *
 * @param {AnyResult} result
 * @param {import('./view.js').View} view
 * @returns {string} without a line break at its end; empty when nothing was measured
 */
export function resultTable(result, view) {
  const cells = view.cells(result)
  return cells.rows.length === 0 ? '' : asMarkdown(cells)
}
