import { asMarkdown } from '../kit/table.js'

/**
 * resultTable is the markdown of the table of one result.
 *
 * @param {import('../result/types.js').AnyResult} result
 * @param {import('./view.js').View} view
 * @returns {string} without a line break at its end; empty when nothing was measured
 */
export function resultTable(result, view) {
  const cells = view.cells(result)
  return cells.rows.length === 0 ? '' : asMarkdown(cells)
}
