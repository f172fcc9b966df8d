import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { escapeInvisible } from '../../src/kit/safe-text.js'
import { formatCsv } from '../../src/kit/text-layout.js'
import { makeFactsTable } from '../../src/report/description.js'
import {
  formatDescribedTable,
  formatForPipe,
  formatForTerminal,
  formatTerminalTable,
  formatTiles,
  hasColour,
  makeCsvFiles,
  wrapForTerminal,
  writeMarkdownReport
} from '../../src/report/text.js'
import { aDescription, aTable, warnings } from './a-description.js'

/** @param {Parameters<typeof aDescription>[0]} parts @param {number} [columns] */
const shown = (parts, columns = 80) => formatForTerminal(aDescription(parts), { columns })

/** @param {string} text */
const widest = text => Math.max(...text.split('\n').map(line => [...line].length))

const LONG =
  'the load generator was used up before the server, so that times are those of the generator; '.repeat(3)

describe('on a terminal', () => {
  test('are headline, aligned table without wide columns, and where the files are', () => {
    assert.equal(
      formatForTerminal(aDescription(), { columns: 80 }, { where: ['results/x/   report.html'] }),
      [
        '',
        'REGISTER 2,948/s with 4 clients; none failed.',
        '',
        '  Type         Ops    p99 ms',
        '  REGISTER  29,480      4.91',
        '  DISCOVER       5  > 10,000',
        '',
        'results/x/   report.html',
        ''
      ].join('\n')
    )
  })

  test('no line is wider than it, whatever is long', () => {
    const table = { ...aTable, note: LONG, rows: [[LONG, 1, 2, null]] }
    const long = makeFactsTable(
      'facts',
      'Facts',
      [
        ['What was used up', LONG],
        [LONG, 5, 'count']
      ],
      { terminal: true }
    )
    for (const columns of [40, 80, 100]) {
      const text = shown(
        { headline: LONG, tables: [table, long], warnings: [{ code: 'X', text: LONG }] },
        columns
      )
      assert.ok(widest(text) <= columns, text)
    }
  })

  test('a table that is too wide is a block for each row, without what is not known', () => {
    const columns = /** @type {typeof aTable.columns} */ ([
      ['Node', 'text'],
      ...Array.from({ length: 12 }, (_, i) => [`Heading ${i}`, 'count'])
    ])
    const row = [...Array.from({ length: 11 }, (_, i) => 1000 + i), null]
    const rows = ['a', 'b'].map(name => [name, ...row])
    const text = formatTerminalTable({ ...aTable, columns, rows }, { columns: 80 })
    assert.ok(widest(text) <= 80, text)
    assert.match(text, /^ {2}a\n {4}Heading 0 1,000 {3}Heading 1 1,001 {3}/)
    assert.match(text, /^ {2}b\n/m)
    assert.doesNotMatch(text, /Heading 11/)
  })

  test('names and values stand without headings', () => {
    const table = makeFactsTable('server', 'Server', [
      ['CPU', 82, 'percent'],
      ['Kind', 'process', 'text']
    ])
    assert.equal(formatTerminalTable(table, { columns: 80 }), '  CPU   82.0 %\n  Kind  process')
  })

  test('further tables are shown that are meant for it, and have rows', () => {
    const more = (/** @type {string} */ id, /** @type {object} */ parts) => ({
      ...aTable,
      id,
      title: id,
      ...parts
    })
    const text = shown({
      tables: [
        aTable,
        more('shown', { terminal: true }),
        more('empty', { terminal: true, rows: [] }),
        more('left', {})
      ]
    })
    assert.match(text, /\n\nshown\n {2}Type/)
    assert.doesNotMatch(text, /empty|left/)
  })

  test('of many rows it says how many are left', () => {
    const text = formatTerminalTable({ ...aTable, rows: Array(50).fill(aTable.rows[0]) }, { columns: 80 })
    assert.match(text, /\n {2}… 10 more rows in the report$/)
  })

  test('three warnings are shown, and how many more there are', () => {
    const text = shown({ warnings: warnings(5) })
    assert.equal(text.match(/^⚠ /gm)?.length, 3)
    assert.match(text, /^2 more in the report$/m)
    assert.doesNotMatch(shown({ warnings: warnings(3) }), /more in the report/)
  })

  test('nothing was measured', () => {
    const headline = 'No operation was measured.'
    assert.equal(shown({ headline, tables: [{ ...aTable, rows: [] }] }), `\n${headline}\n`)
    assert.equal(shown({ headline, tables: [] }), `\n${headline}\n`)
  })

  test('colour changes nothing but colour, and is there only when asked for', () => {
    const described = aDescription({ tables: [{ ...aTable, note: 'so it is' }], warnings: warnings(1) })
    const [plain, coloured] = [false, true].map(colour =>
      formatForTerminal(described, { columns: 80, colour })
    )
    assert.equal(stripVTControlCharacters(plain), plain)
    assert.notEqual(coloured, plain)
    assert.equal(stripVTControlCharacters(coloured), plain)
  })

  test('what others wrote cannot move its cursor or colour it', () => {
    const evil = '\u001b[31mred\u001b[2K\r\n\u202e'
    const text = shown({
      headline: evil,
      tables: [
        {
          ...aTable,
          title: evil,
          note: evil,
          columns: [[evil, 'text'], ...aTable.columns.slice(1)],
          rows: [[evil, 1, 2, 'x']]
        },
        { ...aTable, id: 'b', title: evil, terminal: true }
      ],
      warnings: [{ code: 'X', text: evil }]
    })
    assert.equal(escapeInvisible(text), text)
    assert.ok(text.includes('\\u001b[31mred'))
  })
})

test('colour goes by the stream and by what the environment asks for', () => {
  for (const [isTTY, env, colour] of /** @type {const} */ ([
    [true, {}, true],
    [false, {}, false],
    [undefined, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NODE_DISABLE_COLORS: '' }, false],
    [true, { TERM: 'dumb' }, false]
  ]))
    assert.equal(hasColour({ isTTY }, env), colour, JSON.stringify([isTTY, env]))
})

test('in a pipe is the whole table as markdown, and at most five notes: warnings, headline, how to read it', () => {
  const text = formatForPipe(
    aDescription({ tables: [{ ...aTable, note: 'Times in ms.' }], warnings: warnings(9) })
  )
  const lines = text.split('\n')
  assert.match(lines[1], /^\| Type +\| +Ops \| p99 ms \| Server +\|$/)
  assert.match(lines[3], /^\| REGISTER \| 29480 \| +4\.912 \| ours +\|$/)
  assert.deepEqual(lines.slice(6), [
    '⚠ something is wrong, number 0',
    '⚠ something is wrong, number 1',
    '⚠ something is wrong, number 2',
    'REGISTER 2,948/s with 4 clients; none failed.',
    'Times in ms.',
    ''
  ])
  assert.equal(formatForPipe(aDescription({ tables: [], headline: 'Nothing.' })), '\nNothing.\n')
})

test('tiles are written in a line, with their units', () => {
  assert.equal(
    formatTiles([
      ['p50', 0.951, 'ms'],
      ['Failed', null, 'percent'],
      ['per second', 2948, 'perSecond']
    ]),
    'p50 0.951 ms   Failed –   per second 2,948/s'
  )
})

/** Cells of the rows of a table, as a parser of markdown has them. @param {string} table */
const cellsOf = table =>
  table.split('\n').map(line =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map(cell => cell.trim())
  )

test('any parser reads the numbers of a table', () => {
  const [headings, , ...rows] = cellsOf(formatDescribedTable(aTable))
  assert.deepEqual(headings, ['Type', 'Ops', 'p99 ms', 'Server'])
  assert.deepEqual(
    rows.flatMap(row => row.slice(1, 3).map(Number)),
    [29_480, 4.912, 5, 10_000]
  )
  const [, , readable] = cellsOf(formatDescribedTable(aTable, { readable: true }))
  assert.deepEqual(readable.slice(1, 3), ['29,480', '4.91'])
})

test('a cell cannot end its column, its line or the table', () => {
  const [headings, , ...rows] = cellsOf(
    formatDescribedTable({ ...aTable, columns: [['a|b', 'text']], rows: [['c|d\ne'], ['\u001b[31mred']] })
  )
  assert.deepEqual(headings, ['a\\|b'])
  assert.deepEqual(rows, [['c\\|d e'], ['\\u001b\\[31mred']])
})

test('a report has all that is known, and the command that repeats it', () => {
  const about = [{ ...aTable, id: 'plan', title: 'Plan' }]
  const report = writeMarkdownReport(
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

/** @typedef {import('../../src/report/schema.js').Plot} Plot */

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
  assert.equal(formatCsv(rows), '"a,b","say ""hi""","two\nlines"\nplain,1.5,,,true\n')
  assert.deepEqual(parsed(formatCsv(rows.slice(0, 1))), rows.slice(0, 1))
})

test('each table that has rows is a file, with its wide columns and all digits', () => {
  const files = makeCsvFiles(aDescription({ tables: [aTable, { ...aTable, id: 'none', rows: [] }] }))
  assert.deepEqual(files, [
    ['operations.csv', 'Type,Ops,p99 ms,Server\nREGISTER,29480,4.912,ours\nDISCOVER,5,10000,theirs | ours\n']
  ])
})

const WITH_GAP = [0, 1].map(at => [at, at === 0 ? 1 : null])
/** @type {Partial<Plot>} */
const TWO_LINES = {
  kind: 'lines',
  series: [
    { label: 'a', values: WITH_GAP },
    { label: 'b', values: [[0, 2]] }
  ]
}

/** @type {readonly [what: string, plot: Partial<Plot>, content: string][]} */
const PLOTS = [
  ['lines', TWO_LINES, 'series,Time s,Rate /s\na,0,1\na,1,\nb,0,2\n'],
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
    assert.deepEqual(makeCsvFiles(aDescription({ tables: [], plots })), [['p.csv', content]])
  })

test('a plot without values of its own is none', () => {
  const plots = [
    /** @type {Plot} */ ({ id: 'p', title: 'P', kind: 'graph', nodes: [[0, 0, 1, 1]], edges: [] })
  ]
  assert.deepEqual(makeCsvFiles(aDescription({ tables: [], plots })), [])
})

const WORDS = 'nothing that was watched: the server waited for something else, or other work slowed it down'

test('sentences are broken between words at a terminal, and nowhere else', () => {
  const stream = (/** @type {object} */ parts) => /** @type {any} */ (parts)
  const text = wrapForTerminal(`a\n\n- ${WORDS}.`, stream({ isTTY: true, columns: 60 }))
  assert.ok(
    text.split('\n').every(line => line.length <= 60),
    text
  )
  assert.match(text, /^a\n\n- nothing that was watched: .*\n {2}\w/)
  assert.equal(wrapForTerminal(WORDS, stream({ columns: 60 })), WORDS)
})
