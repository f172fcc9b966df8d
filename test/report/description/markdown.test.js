import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownReport, markdownTable } from '../../../src/report/text.js'
import { aDescription, aTable, warnings } from './a-description.js'

/** Cells of the rows of a table, as a parser of markdown has them. @param {string} table */
const cellsOf = table =>
  table.split('\n').map(line =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map(cell => cell.trim())
  )

test('any parser reads the numbers of a table', () => {
  const [headings, , ...rows] = cellsOf(markdownTable(aTable))
  assert.deepEqual(headings, ['Type', 'Ops', 'p99 ms', 'Server'])
  assert.deepEqual(
    rows.map(row => row.slice(1, 3).map(Number)),
    [
      [29_480, 4.912],
      [5, 10_000]
    ]
  )
  assert.deepEqual(cellsOf(markdownTable(aTable, { readable: true }))[2].slice(1, 3), ['29,480', '4.91'])
})

test('a cell cannot end its column, its line or the table', () => {
  const [headings, , ...rows] = cellsOf(
    markdownTable({ ...aTable, columns: [['a|b', 'text']], rows: [['c|d\ne'], ['\u001b[31mred']] })
  )
  assert.deepEqual(headings, ['a\\|b'])
  assert.deepEqual(rows, [['c\\|d e'], ['\\u001b\\[31mred']])
})

test('a report has all that is known, and the command that repeats it', () => {
  const about = [{ ...aTable, id: 'plan', title: 'Plan' }]
  const report = markdownReport(
    aDescription({
      tables: [
        { ...aTable, note: 'Times in ms.' },
        { ...aTable, id: 'none', title: 'None', rows: [] }
      ],
      warnings: warnings(4)
    }),
    { lines: ['a head', 'what is sent'], command: 'node index.js rerun x', about }
  )
  const parts = report.split('\n\n').filter(part => !part.startsWith('|'))
  assert.deepEqual(parts, [
    '# 20261120-0712-rendezvous-1',
    'a head  \nwhat is sent',
    'REGISTER 2,948/s with 4 clients; none failed.',
    [0, 1, 2, 3].map(i => `- ⚠ something is wrong, number ${i}`).join('\n'),
    '## Operations',
    'Times in ms.',
    '## Repeat',
    '```\nnode index.js rerun x\n```',
    '## Plan'
  ])
})
