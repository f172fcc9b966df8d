import assert from 'node:assert/strict'
import test from 'node:test'
import { overlay } from '../../../src/report/description.js'

/** @typedef {import('../../../src/report/schema.js').Plot} Plot */

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

test('the same plot of several runs becomes one, with a series of each', () => {
  const [plot, ...others] = overlay([
    run('a', { main: true, series: one([[0, 1]]) }),
    run('b', { series: [...one([[0, 2]]), { label: 'other', values: [[0, 3]] }] })
  ])
  assert.equal(plot.id, 'runs-times')
  assert.equal('main' in plot || 'compared' in plot, false)
  assert.deepEqual(
    plot.series?.map(({ label }) => label),
    ['a', 'b: own', 'b: other']
  )
  assert.deepEqual(others, [])
})

test('what is not to be compared, and what a single run has, is not drawn', () => {
  assert.deepEqual(overlay([run('a', { series: one([[0, 1]]) })]), [])
  const alone = { compared: false, series: one([[0, 1]]) }
  assert.deepEqual(overlay([run('a', alone), run('b', alone)]), [])
})

test('counts become shares, in bars of the widest of all runs', () => {
  const [plot] = overlay([
    run('a', {
      kind: 'bars',
      series: one([
        [0, 1, 1],
        [1, 2, 3]
      ])
    }),
    run('b', {
      kind: 'bars',
      series: one([
        [0, 2, 5],
        [2, 4, 5]
      ])
    })
  ])
  assert.equal(plot.kind, 'lines')
  assert.deepEqual(
    plot.series?.map(({ values }) => values),
    [
      [
        [0, 100],
        [2, 0]
      ],
      [
        [0, 50],
        [2, 50],
        [4, 0]
      ]
    ]
  )
})

test('bars for whole numbers become points at these', () => {
  const bars = one([
    [0.6, 1.4, 1],
    [1.6, 2.4, 3]
  ])
  const [plot] = overlay([run('a', { kind: 'bars', series: bars }), run('b', { kind: 'bars', series: bars })])
  assert.deepEqual(plot.series?.[0].values, [
    [1, 25],
    [2, 75]
  ])
})

test('points are thinned, and the first and the last are kept', () => {
  const values = Array.from({ length: 5000 }, (_, i) => [i, i])
  const [plot] = overlay([run('a', { series: one(values) }), run('b', { series: one(values) })])
  const drawn = plot.series?.[0].values ?? []
  assert.equal(drawn.length, 800)
  assert.deepEqual(
    [drawn[0], drawn.at(-1)],
    [
      [0, 0],
      [4999, 4999]
    ]
  )
})
