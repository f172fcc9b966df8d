import { grouped } from '../../../kit/numbers.js'
import { asMarkdown } from '../../../kit/table.js'
import { figure } from '../../../report/table.js'
import { TIMES } from '../../gossip/view/times.js'

/**
 * @typedef {import('../../../kit/table.js').Table} Table
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {{ title: string, table: Table }} TitledTable
 */

const TITLES = TIMES.map(([, title]) => title)

/**
 * timesTable has a row for each distribution of times.
 *
 * @param {string} title
 * @param {[string, string]} headings
 * @param {readonly (readonly [name: string, summary: Summary])[]} rows
 * @returns {TitledTable}
 */
export const timesTable = (title, headings, rows) => ({
  title,
  table: {
    headings: [...headings, ...TITLES],
    rows: rows.map(([name, summary]) => [
      name,
      grouped(summary.count),
      ...TIMES.map(([key]) => figure(summary[key]))
    ])
  }
})

/**
 * rotationParts are the parts of a run's markdown page about who rotated.
 *
 * @template R
 * @param {R | null} rotation - of an outcome; null: nothing was measured
 * @param {(rotation: R) => TitledTable[]} tables
 * @returns {string[]}
 */
export const rotationParts = (rotation, tables) =>
  rotation === null
    ? []
    : ['## Rotation', ...tables(rotation).flatMap(({ title, table }) => [`### ${title}`, asMarkdown(table)])]
