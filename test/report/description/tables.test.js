import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { facts, table, timeCell, timesTable } from '../../../src/report/description.js'
import { descriptionSchema } from '../../../src/report/schema.js'
import { summary, time } from '../sample-result.js'
import { aDescription, aTable } from './a-description.js'

/** @typedef {{ name: string, load?: number }} Row */

/** @type {readonly import('../../../src/report/description.js').ColumnOf<Row>[]} */
const COLUMNS = [
  ['Node', ({ name }) => name, 'text'],
  ['Load', ({ load }) => load, 'number', 'wide']
]

test('a column in which nothing was measured is left out, unless rows of other results stand under it', () => {
  const rows = [{ name: 'a' }, { name: 'b' }]
  assert.deepEqual(table('x', 'X', rows, COLUMNS).columns, [['Node', 'text']])
  assert.deepEqual(table('x', 'X', rows, COLUMNS, { allColumns: true, note: 'so' }), {
    id: 'x',
    title: 'X',
    columns: [
      ['Node', 'text'],
      ['Load', 'number', 'wide']
    ],
    rows: [
      ['a', null],
      ['b', null]
    ],
    note: 'so'
  })
  assert.deepEqual(table('x', 'X', [{ name: 'a', load: 0 }], COLUMNS).rows, [['a', 0]])
  assert.equal(table('x', 'X', [], COLUMNS).columns.length, 2)
})

test('facts leave out what was not measured, and each has its own kind', () => {
  const { columns, rows } = facts('x', 'X', [
    ['Measured, s', 2],
    ['CPU', 80, 'percent'],
    ['Kind', 'process', 'text'],
    ['Nothing', null],
    ['Unknown', undefined],
    ['Zero', 0, 'count'],
    ['At least', { atLeast: 5 }, 'ms']
  ])
  assert.deepEqual(columns[0], ['X', 'text'])
  assert.deepEqual(rows, [
    ['Measured, s', { value: 2, kind: 'number' }],
    ['CPU', { value: 80, kind: 'percent' }],
    ['Kind', 'process'],
    ['Zero', { value: 0, kind: 'count' }],
    ['At least', { value: { atLeast: 5 }, kind: 'ms' }]
  ])
})

test('each distribution of times is a row, in ms; lost operations bound what they reach into', () => {
  const { columns, rows } = timesTable([
    ['REGISTER', summary(500, { p99: time(10_000, { censored: true }) })],
    ['nothing counted', summary(0)],
    ['not known', undefined]
  ])
  assert.deepEqual(
    columns.map(([heading]) => heading),
    ['Time, ms', 'Count', 'Avg', 'p50', 'p90', 'p95', 'p99', 'Max']
  )
  assert.deepEqual(rows, [['REGISTER', 500, 16.04, 15, 20.5, 22.22, { atLeast: 10_000 }, 26]])
  assert.deepEqual([timeCell(null), timeCell(undefined), timeCell(3), timeCell(time(3))], [null, null, 3, 3])
})

test('a description is refused whose ids are not its own, or whose rows do not fit their columns', () => {
  const problems = (/** @type {Parameters<typeof aDescription>[0]} */ parts) =>
    (descriptionSchema.safeParse(aDescription(parts)).error?.issues ?? []).map(({ message }) => message)
  assert.deepEqual(problems({}), [])
  assert.deepEqual(problems({ tables: [aTable, aTable] }), [
    'ids of tables and plots must differ from each other'
  ])
  assert.deepEqual(problems({ tables: [{ ...aTable, rows: [['x']] }] }), [
    'every row needs a cell for each column'
  ])
  assert.deepEqual(problems({ tables: [{ ...aTable, id: 'Not An Id' }] }), [
    'must be lower-case words joined by hyphens'
  ])
})
