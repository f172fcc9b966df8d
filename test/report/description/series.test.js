import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodedHistogram } from '../../../src/measure/distribution.js'
import { Histogram } from '../../../src/measure/histogram.js'
import {
  arrived,
  band,
  heatPlot,
  histogramPlot,
  overTime,
  percentiles
} from '../../../src/report/description.js'

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
  const expected = [
    {
      label: 'CPU',
      values: [
        [1, 12.35],
        [2, null],
        [3, null]
      ]
    }
  ]
  assert.deepEqual(overTime(rows, { CPU: ({ cpu }) => cpu }), expected)
  assert.deepEqual(overTime([{ second: 7 }], { one: () => 1 }, ({ second }) => second)[0].values, [[7, 1]])
})

test('a band lies between the smallest and the largest', () => {
  const rows = [
    { atMs: 500, all: { avg: 2, min: 1, max: 3 } },
    { atMs: 1500, all: null }
  ]
  assert.deepEqual(
    band('all', rows, ({ all }) => all),
    { label: 'all', values: [[0.5, 2, 1, 3]] }
  )
})

test('every value of a histogram is in a bar, or counted in the note', () => {
  const [plot] = histogramPlot(encodedHistogram(THOUSAND), { ...PLOT, note: 'So it is.' })
  const bars = plot.series?.[0].values ?? []
  const beyond = Number(/(\d+) took longer than drawn/.exec(plot.note ?? '')?.[1] ?? 0)
  assert.equal(plot.kind, 'bars')
  assert.match(plot.note ?? '', /^So it is\./)
  assert.equal(
    bars.reduce((sum, [, , count]) => sum + Number(count), beyond),
    1000
  )
  assert.ok(bars.every(([from, to]) => Number(from) < Number(to)))
  assert.deepEqual(histogramPlot(NOTHING, PLOT), [])
  assert.deepEqual(histogramPlot(undefined, PLOT), [])
})

test('what came ends at its share of all', () => {
  const [{ values }] = arrived('all', encodedHistogram(THOUSAND), 2000)
  assert.equal(values.at(-1)?.[1], 50)
  assert.ok(values.every(([ms], i) => i === 0 || Number(ms) >= Number(values[i - 1][0])))
  assert.deepEqual(arrived('none', encodedHistogram(NOTHING), 5), [])
  assert.deepEqual(arrived('unknown', null, 5), [])
})

test('a curve of percentiles ends where one value is left', () => {
  const [{ values }] = percentiles('REGISTER', THOUSAND)
  assert.equal(values.at(-1)?.[0], 3)
  const p90 = values.find(([nines]) => nines === 1)?.[1]
  assert.ok(Math.abs(Number(p90) - 900) < 10, String(p90))
  assert.deepEqual(percentiles('none', NOTHING), [])
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
  const [{ kind, cells = [], dots = [], logY }] = heatPlot(PLOT, /** @type {any} */ (entries), 2)
  assert.deepEqual([kind, logY], ['heat', true])
  assert.equal(cells.reduce((sum, cell) => sum + cell[4], 0) + dots.length, 182)
  assert.deepEqual(heatPlot(PLOT, [], 2), [])
})
