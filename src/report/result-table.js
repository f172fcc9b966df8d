import { asMarkdown } from '../kit/table.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('./view.js').View} View
 */

/**
 * resultTables are the cells of one result, a table for each question that it asks.
 *
 * @param {AnyResult} result
 * @param {View} view
 * @returns {{ title: string, part: AnyResult, cells: import('../kit/table.js').Table }[]} `title`: empty where there is but one; `part`: what
 *   the table is of; none when nothing was measured
 */
export const resultTables = (result, view) =>
  (view.asked?.(result) ?? [{ title: '', result }])
    .map(({ title, result: part }) => ({ title, part, cells: view.cells(part) }))
    .filter(({ cells }) => cells.rows.length > 0)

/**
 * resultTable is the markdown of the tables of one result.
 *
 * @param {AnyResult} result
 * @param {View} view
 * @returns {string} without a line break at its end; empty when nothing was measured
 */
export const resultTable = (result, view) =>
  resultTables(result, view)
    .map(({ title, cells }) => (title === '' ? asMarkdown(cells) : `${title}\n\n${asMarkdown(cells)}`))
    .join('\n\n')
