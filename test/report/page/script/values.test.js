import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareByCell, formatCsvText } from '../../../../src/report/page/script/elements.js'
import {
  chooseTicks,
  findNearestValue,
  formatAxisNumber,
  formatPercentileName,
  formatShortNumber,
  joinSeries,
  listFrames,
  listPlotRows
} from '../../../../src/report/page/script/values.js'
import { sampleDescription } from '../../sample-description.js'

/** @param {string} id */
const rowsOf = id => listPlotRows(/** @type {any} */ (sampleDescription.plots.find(plot => plot.id === id)))

describe('numbers of plots', () => {
  for (const [what, text, expected] of [
    ['three digits', formatShortNumber(0.12345), '0.123'],
    ['grouped', formatShortNumber(1234.5), '1,235'],
    ['thousands on an axis', formatAxisNumber(20_000), '20k'],
    ['millions on an axis', formatAxisNumber(1_500_000), '1.5M'],
    ['small on an axis', formatAxisNumber(9999), '9,999'],
    ['a small step on an axis', formatAxisNumber(200.2, 0.2), '200.2'],
    ['nothing', formatAxisNumber(0, 5), '0'],
    ...[
      [0, 'p0'],
      [Math.log10(2), 'p50'],
      [1, 'p90'],
      [2, 'p99'],
      [3, 'p99.9'],
      [1.5, 'p96.8']
    ].map(([nines, name]) => [`${name}`, formatPercentileName(Number(nines)), name])
  ])
    test(`${what}: ${expected}`, () => assert.equal(text, expected))

  for (const [what, ticks, expected] of /** @type {[string, number[], number[]][]} */ ([
    ['linear', chooseTicks(0, 100), [0, 20, 40, 60, 80, 100]],
    ['whole', chooseTicks(0.4, 6.6, { whole: true }), [1, 2, 3, 4, 5, 6]],
    ['logarithmic, decades', chooseTicks(1, 1e6, { log: true }), [1, 10, 100, 1000, 10_000, 100_000, 1e6]],
    ['logarithmic, one decade', chooseTicks(1, 10, { log: true }), [1, 2, 5, 10]],
    ['logarithmic, zoomed', chooseTicks(2, 4, { log: true }), [2, 2.5, 3, 3.5, 4]],
    ['nines', chooseTicks(0, 3, { nines: true }), [0, Math.log10(2), 1, 2, 3]]
  ]))
    test(`ticks, ${what}`, () => assert.deepEqual(ticks, expected))
})

describe('values of plots', () => {
  test('series are joined on their x: a gap stays a gap, a band has three columns', () => {
    const { xs, columns } = joinSeries([
      {
        label: 'a',
        values: [
          [0, 1],
          [1, null],
          [2, 3]
        ]
      },
      { label: 'b', values: [[0.5, 5, 4, 6]] }
    ])
    assert.deepEqual(xs, [0, 0.5, 1, 2])
    assert.deepEqual(
      columns.map(({ values }) => values),
      [
        [1, undefined, null, 3],
        [undefined, 5, undefined, undefined],
        [undefined, 4, undefined, undefined],
        [undefined, 6, undefined, undefined]
      ]
    )
  })

  test('two values at one x are a step', () => {
    const { xs } = joinSeries([
      {
        label: 'a',
        values: [
          [0, 1],
          [1, 1],
          [1, 2],
          [2, 2]
        ]
      }
    ])
    assert.equal(xs.length, 4)
  })

  test('the nearest value is within the ends of a series', () => {
    const column = [undefined, 1, undefined, undefined, 2, undefined]
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map(at => findNearestValue(column, at)),
      [null, 1, 1, 4, 4, null]
    )
  })

  test('each kind has its values as rows', () => {
    assert.deepEqual(rowsOf('percentiles').headings, ['Percentile', 'REGISTER', 'published'])
    assert.deepEqual(rowsOf('cpu').headings.slice(1), [
      'average',
      'average, low',
      'average, high',
      'samples',
      'system'
    ])
    assert.deepEqual(rowsOf('hops').rows[0], [0.6, 1.4, 90, 80])
    assert.deepEqual(rowsOf('heat').rows.at(-1), [14.5, 14.5, 1000, 1000, 1, 1])
    assert.deepEqual(rowsOf('regions').rows[1], ['Virginia', 91, 4, null])
    assert.equal(rowsOf('network').rows.length, 60)
    assert.deepEqual(rowsOf('cpu-profile').rows[1], ['handleMessage', 1, 620, null, 'own'])
    for (const { id } of sampleDescription.plots) {
      const { headings, rows } = rowsOf(id)
      assert.ok(rows.length > 0 && rows.every(row => row.length === headings.length), id)
    }
  })

  test('frames stand beside each other below their parent', () => {
    const frames = listFrames({
      name: 'a',
      value: 4,
      children: [
        { name: 'b', value: 1 },
        { name: 'c', value: 2 }
      ]
    })
    assert.deepEqual(
      frames.map(({ frame, parent, depth, from, to }) => [frame.name, parent, depth, from, to]),
      [
        ['a', -1, 0, 0, 1],
        ['b', 0, 1, 0, 0.25],
        ['c', 0, 1, 0.25, 0.75]
      ]
    )
  })
})

describe('tables', () => {
  test('rows are sorted by value; those without one come last', () => {
    const rows = [[{ atLeast: 10 }], [null], [2], [{ value: 5, kind: /** @type {const} */ ('ms') }]]
    assert.deepEqual(
      [...rows].sort(compareByCell(0, 1)).map(([cell]) => cell),
      [2, rows[3][0], rows[0][0], null]
    )
    assert.deepEqual(
      [...rows].sort(compareByCell(0, -1)).map(([cell]) => cell),
      [rows[0][0], rows[3][0], 2, null]
    )
    assert.deepEqual([['b10'], ['b9']].sort(compareByCell(0, 1)), [['b9'], ['b10']])
  })

  test('CSV quotes what must be, and holds no formula', () =>
    assert.equal(
      formatCsvText([
        ['a,b', 'say "x"', null],
        [1.5, -2, '=1+1']
      ]),
      '"a,b","say ""x""",\n1.5,-2,\'=1+1\n'
    ))
})
