import { asMarkdown, literal } from '../../kit/table.js'
import { cellText, plainText, sideOf } from './kinds.js'

/**
 * @typedef {import('./description.js').Description} Description
 * @typedef {import('./description.js').DescribedTable} DescribedTable
 */

/** @param {string} text */
const inCell = text => literal(text).replaceAll('\n', ' ')

/**
 * markdownTable writes a table of a description; numbers are such as any parser reads.
 *
 * @param {DescribedTable} table
 * @param {{ readable?: boolean }} [how] - `readable`: numbers are grouped, for people
 */
export const markdownTable = ({ columns, rows }, { readable = false } = {}) =>
  asMarkdown({
    headings: columns.map(([heading]) => inCell(heading)),
    align: columns.map(([, kind]) => sideOf(kind)),
    rows: rows.map(row =>
      row.map((cell, i) => inCell(readable ? cellText(cell, columns[i][1]) : plainText(cell, columns[i][1])))
    )
  })

/** @param {DescribedTable} table @returns {string[]} */
const section = table => [
  `## ${table.title}`,
  markdownTable(table),
  ...(table.note === undefined ? [] : [table.note])
]

/** shownTables are those of a description that have something in them. @param {Pick<Description, 'tables'>} description */
export const shownTables = ({ tables }) => tables.filter(({ rows }) => rows.length > 0)

/**
 * markdownReport is a described result as a document: its headline, warnings and all tables.
 *
 * @param {Description} description
 * @param {{ lines?: readonly string[], command?: string, about?: readonly DescribedTable[] }} [more] - `lines`: under the title; `command`:
 *   that repeats it; `about`: tables at its end
 */
export function markdownReport(description, { lines = [], command, about = [] } = {}) {
  const { title, headline, warnings } = description
  const parts = [
    `# ${title}`,
    ...(lines.length === 0 ? [] : [lines.join('  \n')]),
    headline,
    warnings.map(({ text }) => `- ⚠ ${text}`).join('\n'),
    ...shownTables(description).flatMap(section),
    ...(command === undefined ? [] : ['## Repeat', `\`\`\`\n${command}\n\`\`\``]),
    ...shownTables({ tables: [...about] }).flatMap(section)
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}
