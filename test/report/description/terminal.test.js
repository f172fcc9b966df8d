import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { visible } from '../../../src/kit/safe-text.js'
import { facts } from '../../../src/report/description.js'
import { hasColour, pipeText, tableText, terminalText, tilesText } from '../../../src/report/text.js'
import { aDescription, aTable, warnings } from './a-description.js'

/** @param {Parameters<typeof aDescription>[0]} parts @param {number} [columns] */
const shown = (parts, columns = 80) => terminalText(aDescription(parts), { columns })

/** @param {string} text */
const widest = text => Math.max(...text.split('\n').map(line => [...line].length))

const LONG =
  'the load generator was used up before the server, so that times are those of the generator; '.repeat(3)

describe('on a terminal', () => {
  test('are headline, aligned table without wide columns, and where the files are', () => {
    assert.equal(
      terminalText(aDescription(), { columns: 80 }, { where: ['results/x/   report.html'] }),
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
    const long = facts(
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
    const text = tableText(
      {
        ...aTable,
        columns,
        rows: [
          ['a', ...row],
          ['b', ...row]
        ]
      },
      { columns: 80 }
    )
    assert.ok(widest(text) <= 80, text)
    assert.match(text, /^ {2}a\n {4}Heading 0 1,000 {3}Heading 1 1,001 {3}/)
    assert.match(text, /^ {2}b\n/m)
    assert.doesNotMatch(text, /Heading 11/)
  })

  test('names and values stand without headings', () => {
    const table = facts('server', 'Server', [
      ['CPU', 82, 'percent'],
      ['Kind', 'process', 'text']
    ])
    assert.equal(tableText(table, { columns: 80 }), '  CPU   82.0 %\n  Kind  process')
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
    const text = tableText({ ...aTable, rows: Array(50).fill(aTable.rows[0]) }, { columns: 80 })
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
    const [plain, coloured] = [false, true].map(colour => terminalText(described, { columns: 80, colour }))
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
    assert.equal(visible(text), text)
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
  const text = pipeText(
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
  assert.equal(pipeText(aDescription({ tables: [], headline: 'Nothing.' })), '\nNothing.\n')
})

test('tiles are written in a line, with their units', () => {
  assert.equal(
    tilesText([
      ['p50', 0.951, 'ms'],
      ['Failed', null, 'percent'],
      ['per second', 2948, 'perSecond']
    ]),
    'p50 0.951 ms   Failed –   per second 2,948/s'
  )
})
