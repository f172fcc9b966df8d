import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asCsv } from '../../../src/kit/text-layout.js'
import { csvFiles } from '../../../src/report/text.js'
import { aDescription, aTable } from './a-description.js'

/** @typedef {import('../../../src/report/schema.js').Plot} Plot */

/** Rows of a file as RFC 4180 has it. @param {string} text */
const parsed = text =>
  text
    .split(/\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .slice(0, -1)
    .map(line =>
      line
        .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
        .map(cell => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell))
    )

test('cells with a comma, a quote or a line break are quoted', () => {
  const rows = [
    ['a,b', 'say "hi"', 'two\nlines'],
    ['plain', 1.5, null, undefined, true]
  ]
  assert.equal(asCsv(rows), '"a,b","say ""hi""","two\nlines"\nplain,1.5,,,true\n')
  assert.deepEqual(parsed(asCsv(rows.slice(0, 1))), rows.slice(0, 1))
})

test('each table that has rows is a file, with its wide columns and all digits', () => {
  const files = csvFiles(aDescription({ tables: [aTable, { ...aTable, id: 'none', rows: [] }] }))
  assert.deepEqual(files, [
    ['operations.csv', 'Type,Ops,p99 ms,Server\nREGISTER,29480,4.912,ours\nDISCOVER,5,10000,theirs | ours\n']
  ])
})

/** @type {readonly [what: string, plot: Partial<Plot>, content: string][]} */
const PLOTS = [
  [
    'lines',
    {
      kind: 'lines',
      series: [
        {
          label: 'a',
          values: [
            [0, 1],
            [1, null]
          ]
        },
        { label: 'b', values: [[0, 2]] }
      ]
    },
    'series,Time s,Rate /s\na,0,1\na,1,\nb,0,2\n'
  ],
  [
    'a band',
    { kind: 'lines', series: [{ label: 'a', values: [[0, 2, 1, 3]] }] },
    'series,Time s,Rate /s,low,high\na,0,2,1,3\n'
  ],
  [
    'bars',
    { kind: 'bars', series: [{ label: 'a', values: [[0, 2, 7]] }] },
    'series,Time s from,Time s to,Rate /s\na,0,2,7\n'
  ],
  [
    'heat',
    { kind: 'heat', cells: [[0, 1, 2, 3, 9]] },
    'Time s from,Time s to,Rate /s from,Rate /s to,Count\n0,1,2,3,9\n'
  ],
  [
    'a grid',
    { kind: 'grid', grid: { columns: ['x', 'y'], rows: ['r'], values: [[1, null]] } },
    ',x,y\nr,1,\n'
  ]
]

for (const [what, plot, content] of PLOTS)
  test(`a plot is a file: ${what}`, () => {
    const plots = [/** @type {Plot} */ ({ id: 'p', title: 'P', x: 'Time s', y: 'Rate /s', ...plot })]
    assert.deepEqual(csvFiles(aDescription({ tables: [], plots })), [['p.csv', content]])
  })

test('a plot without values of its own is none', () => {
  const plots = [
    /** @type {Plot} */ ({ id: 'p', title: 'P', kind: 'graph', nodes: [[0, 0, 1, 1]], edges: [] })
  ]
  assert.deepEqual(csvFiles(aDescription({ tables: [], plots })), [])
})
