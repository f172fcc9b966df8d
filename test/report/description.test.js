import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import { encodeHistogram } from '../../src/measure/distribution.js'
import { Histogram } from '../../src/measure/histogram.js'
import {
  binForPlot,
  binHistogram,
  countValuesUpTo,
  formatShare,
  makeArrivalCurve,
  makeBandSeries,
  makeFactsTable,
  makeHeatPlot,
  makeHistogramPlot,
  makePercentileCurve,
  makeTable,
  makeTimeCell,
  makeTimeSeries,
  makeTimesTable,
  overlayPlots
} from '../../src/report/description.js'
import { descriptionSchema } from '../../src/report/schema.js'
import { histogramOf as histogramOfBins } from '../measure/samples.js'
import { aDescription, aTable } from './a-description.js'
import { summary, time } from './sample-result.js'

/** @typedef {{ name: string, load?: number }} Row */

/** @type {readonly import('../../src/report/description.js').ColumnOf<Row>[]} */
const COLUMNS = [
  ['Node', ({ name }) => name, 'text'],
  ['Load', ({ load }) => load, 'number', 'wide']
]

test('a column in which nothing was measured is left out, unless rows of other results stand under it', () => {
  const rows = [{ name: 'a' }, { name: 'b' }]
  assert.deepEqual(makeTable('x', 'X', rows, COLUMNS).columns, [['Node', 'text']])
  assert.deepEqual(makeTable('x', 'X', rows, COLUMNS, { allColumns: true, note: 'so' }), {
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
  assert.deepEqual(makeTable('x', 'X', [{ name: 'a', load: 0 }], COLUMNS).rows, [['a', 0]])
  assert.equal(makeTable('x', 'X', [], COLUMNS).columns.length, 2)
})

test('facts leave out what was not measured, and each has its own kind', () => {
  const { columns, rows } = makeFactsTable('x', 'X', [
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
  const { columns, rows } = makeTimesTable([
    ['REGISTER', summary(500, { p99: time(10_000, { censored: true }) })],
    ['nothing counted', summary(0)],
    ['not known', undefined]
  ])
  assert.deepEqual(
    columns.map(([heading]) => heading),
    ['Time, ms', 'Count', 'Avg', 'p50', 'p90', 'p95', 'p99', 'Max']
  )
  assert.deepEqual(rows, [['REGISTER', 500, 16.04, 15, 20.5, 22.22, { atLeast: 10_000 }, 26]])
  assert.deepEqual(
    [makeTimeCell(null), makeTimeCell(undefined), makeTimeCell(3), makeTimeCell(time(3))],
    [null, null, 3, 3]
  )
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

describe('a share reads 100 only when nothing is missing', () => {
  for (const [part, whole, shown] of /** @type {[number, number, string][]} */ ([
    [100, 100, '100'],
    [999_999, 1_000_000, '99.99'],
    [1, 3, '33.33'],
    [1, 1_000_000, '< 0.01'],
    [0, 5, '0'],
    [0, 0, '–']
  ]))
    test(`${part} of ${whole} is ${shown}`, () => assert.equal(formatShare(part, whole), shown))
})

/** @param {readonly number[]} ms */
function histogramOf(ms) {
  const histogram = new Histogram()
  for (const each of ms) histogram.record(each * 1000)
  return histogram
}
const THOUSAND = histogramOf(Array.from({ length: 1000 }, (_, i) => i + 1))
const NOTHING = histogramOf([])
const PLOT = { id: 'times', title: 'Times', x: 'ms', y: 'Operations' }

test('values over time are points in seconds of four digits, with gaps where nothing was measured', () => {
  const rows = [{ atMs: 1000, cpu: 12.345678 }, { atMs: 2000, cpu: null }, { atMs: 3000 }]
  const [{ label, values }] = makeTimeSeries(rows, { CPU: ({ cpu }) => cpu })
  assert.deepEqual([label, values.flat()], ['CPU', [1, 12.35, 2, null, 3, null]])
  assert.deepEqual(makeTimeSeries([{ second: 7 }], { one: () => 1 }, ({ second }) => second)[0].values, [
    [7, 1]
  ])
})

test('a band lies between the smallest and the largest', () => {
  const rows = [
    { atMs: 500, all: { avg: 2, min: 1, max: 3 } },
    { atMs: 1500, all: null }
  ]
  assert.deepEqual(
    makeBandSeries('all', rows, ({ all }) => all),
    { label: 'all', values: [[0.5, 2, 1, 3]] }
  )
})

test('every value of a histogram is in a bar, or counted in the note', () => {
  const [plot] = makeHistogramPlot(encodeHistogram(THOUSAND), { ...PLOT, note: 'So it is.' })
  const bars = plot.series?.[0].values ?? []
  const beyond = Number(/(\d+) took longer than drawn/.exec(plot.note ?? '')?.[1] ?? 0)
  assert.equal(plot.kind, 'bars')
  assert.match(plot.note ?? '', /^So it is\./)
  assert.equal(
    bars.reduce((sum, [, , count]) => sum + Number(count), beyond),
    1000
  )
  assert.ok(bars.every(([from, to]) => Number(from) < Number(to)))
  assert.deepEqual(makeHistogramPlot(NOTHING, PLOT), [])
  assert.deepEqual(makeHistogramPlot(undefined, PLOT), [])
})

test('what came ends at its share of all', () => {
  const [{ values }] = makeArrivalCurve('all', encodeHistogram(THOUSAND), 2000)
  assert.equal(values.at(-1)?.[1], 50)
  assert.ok(values.every(([ms], i) => i === 0 || Number(ms) >= Number(values[i - 1][0])))
  assert.deepEqual(makeArrivalCurve('none', encodeHistogram(NOTHING), 5), [])
  assert.deepEqual(makeArrivalCurve('unknown', null, 5), [])
})

test('a curve of percentiles ends where one value is left', () => {
  const [{ values }] = makePercentileCurve('REGISTER', THOUSAND)
  assert.equal(values.at(-1)?.[0], 3)
  const p90 = values.find(([nines]) => nines === 1)?.[1]
  assert.ok(Math.abs(Number(p90) - 900) < 10, String(p90))
  assert.deepEqual(makePercentileCurve('none', NOTHING), [])
})

test('a map of times holds every operation, in a cell or as a dot', () => {
  const entries = [0, 1].map(second => ({
    second,
    outcome: 'OK',
    histogram: [
      [1000, 90],
      [50_000, 1]
    ]
  }))
  const [{ kind, cells = [], dots = [], logY }] = makeHeatPlot(PLOT, /** @type {any} */ (entries), 2)
  assert.deepEqual([kind, logY], ['heat', true])
  assert.equal(cells.reduce((sum, cell) => sum + cell[4], 0) + dots.length, 182)
  assert.deepEqual(makeHeatPlot(PLOT, [], 2), [])
})

describe('bins', () => {
  const random = makeSubStream(3, 'values')

  for (const [what, values] of Object.entries({
    one: [5000],
    'all alike': Array.from({ length: 40 }, () => 100_000),
    spread: Array.from({ length: 500 }, () => Math.floor(200_000 * random())),
    'with a tail': [...Array.from({ length: 300 }, () => 1000 + Math.floor(500 * random())), 4e6, 9e6],
    'in two heaps': [
      ...Array.from({ length: 50 }, (_, i) => 100 + i),
      ...Array.from({ length: 50 }, (_, i) => 9e5 + i)
    ]
  }))
    test(`${what}: hold every value once, each between its edges`, () => {
      const { bins, beyond } = binHistogram(histogramOfBins(values))
      const total = bins.reduce((sum, { count }) => sum + count, 0)
      assert.equal(total + beyond, values.length)
      assert.ok(bins.length <= 60, `${bins.length}`)
      for (const { from, to, count } of bins) {
        // the histogram itself is exact to a thousandth
        const slack = 0.002 * to * 1000
        const inside = values.filter(us => us >= from * 1000 - slack && us <= to * 1000 + slack).length
        assert.ok(count <= inside, `${from}–${to}: ${count} of ${inside}`)
      }
    })

  test('values up to a limit are counted as by hand', () => {
    const values = Array.from({ length: 999 }, () => Math.floor(2000 * random()))
    const histogram = histogramOfBins(values)
    for (const limit of [0, 1, 17, 500, 1234, 1999, 5000])
      assert.equal(
        countValuesUpTo(histogram, limit),
        values.filter(value => value <= limit).length,
        `${limit}`
      )
  })

  test('to be drawn are few where there are few values', () => {
    const values = Array.from({ length: 40 }, () => Math.floor(200_000 * random()))
    assert.ok(binForPlot(histogramOfBins(values)).bins.length <= 14)
  })

  test('nothing has none', () => assert.deepEqual(binHistogram(histogramOfBins([])), { bins: [], beyond: 0 }))
})

/** @typedef {import('../../src/report/schema.js').Plot} Plot */

/** @param {string} label @param {Partial<Plot>} plot */
const run = (label, plot) => ({
  label,
  description: {
    ...{ title: '', headline: '', tiles: [], tables: [], warnings: [] },
    plots: [/** @type {Plot} */ ({ id: 'times', title: 'Times', kind: 'lines', compared: true, ...plot })]
  }
})

/** @param {number[][]} values */
const one = values => [{ label: 'own', values }]

/** @param {string} label @param {number[][]} values */
const bars = (label, ...values) => run(label, { kind: 'bars', series: one(values) })

test('the same plot of several runs becomes one, with a series of each', () => {
  const [plot, ...others] = overlayPlots([
    run('a', { main: true, series: one([[0, 1]]) }),
    run('b', { series: [...one([[0, 2]]), { label: 'other', values: [[0, 3]] }] })
  ])
  assert.equal(plot.id, 'runs-times')
  assert.equal('main' in plot || 'compared' in plot, false)
  assert.equal(plot.series?.map(({ label }) => label).join(', '), 'a, b: own, b: other')
  assert.deepEqual(others, [])
})

test('what is not to be compared, and what a single run has, is not drawn', () => {
  assert.deepEqual(overlayPlots([run('a', { series: one([[0, 1]]) })]), [])
  const alone = { compared: false, series: one([[0, 1]]) }
  assert.deepEqual(overlayPlots([run('a', alone), run('b', alone)]), [])
})

test('counts become shares, in bars of the widest of all runs', () => {
  const [plot] = overlayPlots([bars('a', [0, 1, 1], [1, 2, 3]), bars('b', [0, 2, 5], [2, 4, 5])])
  assert.equal(plot.kind, 'lines')
  assert.deepEqual(
    plot.series?.map(({ values }) => values.flat()),
    [
      [0, 100, 2, 0],
      [0, 50, 2, 50, 4, 0]
    ]
  )
})

test('bars for whole numbers become points at these', () => {
  const [plot] = overlayPlots(['a', 'b'].map(label => bars(label, [0.6, 1.4, 1], [1.6, 2.4, 3])))
  assert.deepEqual(plot.series?.[0].values.flat(), [1, 25, 2, 75])
})

test('points are thinned, and the first and the last are kept', () => {
  const values = Array.from({ length: 5000 }, (_, i) => [i, i])
  const [plot] = overlayPlots([run('a', { series: one(values) }), run('b', { series: one(values) })])
  const drawn = plot.series?.[0].values ?? []
  assert.equal(drawn.length, 800)
  assert.deepEqual([drawn[0], drawn.at(-1)].flat(), [0, 0, 4999, 4999])
})
