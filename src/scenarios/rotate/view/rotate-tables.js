import { grouped } from '../../../kit/numbers.js'
import { asMarkdown } from '../../../kit/table.js'
import { figure } from '../../../report/table.js'
import { TIMES } from '../../gossip/view/times.js'

/**
 * @typedef {import('../../../result/types.js').AnyResult['run']} Run
 *
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
 * @param {{ outcome: { rotation: R | null }, run: Run }} result - `rotation`: null: nothing was measured
 * @param {(rotation: R, run: Run) => TitledTable[]} tables
 * @returns {string[]}
 */
export const rotationParts = ({ outcome: { rotation }, run }, tables) =>
  rotation === null
    ? []
    : [
        '## Rotation',
        ...tables(rotation, run).flatMap(({ title, table }) => [`### ${title}`, asMarkdown(table)])
      ]
