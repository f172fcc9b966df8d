import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, span } from '../../../src/kit/plots/axes.js'
import { dataBlock, plotDataOf } from '../../../src/kit/plots/plot-data.js'
import { heat } from '../../../src/kit/plots/series-plot.js'

/** @typedef {import('../../../src/kit/plots/series-plot.js').Series} Series */

const X = span([0, 10], 's')
const Y = amount('MB')

/** @param {Partial<Series>} series @returns {Series} */
const of = series => ({ colour: 'red', mark: 'line', values: [{ at: 1, value: 2 }], ...series })

test('lines, bars and rules can be asked', () => {
  const data = plotDataOf({
    x: X,
    y: Y,
    series: [
      of({ label: 'samples' }),
      of({
        label: 'bars',
        mark: 'area',
        values: [{ from: 1, to: 2, value: 3 }],
        fields: { x: 'from', x2: 'to', y: 'value' }
      }),
      of({
        label: 'average',
        mark: 'dotted',
        values: [{ average: 5 }],
        fields: { y: 'average' },
        look: { type: 'rule' }
      })
    ]
  })
  assert.deepEqual(data?.x, { title: 's', domain: [0, 10] })
  assert.deepEqual(data?.y, { title: 'MB', domain: null })
  assert.deepEqual(
    data?.series.map(({ label, values }) => [label, values]),
    [
      ['samples', [[1, 2]]],
      [
        'bars',
        [
          [1, 3],
          [2, 3],
          [2, null]
        ]
      ],
      [
        'average',
        [
          [0, 5],
          [10, 5]
        ]
      ]
    ]
  )
})

test('an area between two values has both edges, one on the ground its upper one, and stretches of x are marked', () => {
  const values = [
    { at: 1, least: 2, most: 5, zero: 0 },
    { at: 2, least: 3, most: 4, zero: 0 }
  ]
  const area = { mark: /** @type {const} */ ('area'), values }
  const data = plotDataOf({
    x: X,
    y: Y,
    series: [
      of({
        label: 'a place is empty',
        ...area,
        values: [{ from: 1, to: 2 }],
        fields: { x: 'from', x2: 'to' },
        look: { type: 'rect' }
      }),
      of({ label: 'least to most', ...area, fields: { x: 'at', y: 'least', y2: 'most' } }),
      of({
        label: 'all',
        ...area,
        fields: { x: 'at', y: 'most', y2: 'zero' },
        look: { interpolate: 'step-after' }
      })
    ]
  })
  const upper = [
    [1, 5],
    [2, 4]
  ]
  assert.deepEqual(data?.series, [
    { label: 'least to most', colour: 'red', values: upper },
    {
      ...{ label: 'least to most', colour: 'red', below: true },
      values: [
        [1, 2],
        [2, 3]
      ]
    },
    { label: 'all', colour: 'red', filled: true, stepped: true, values: upper }
  ])
  assert.deepEqual(data?.stretches, [{ from: 1, to: 2, label: 'a place is empty', colour: 'red' }])
})

test('what shows more than lines, points and areas cannot', () => {
  assert.equal(
    plotDataOf({ x: X, y: Y, series: [of({ encoding: { color: heat('count', [1, 2]) } })] }),
    undefined
  )
  assert.equal(plotDataOf({ x: { type: 'ordinal', axis: {} }, y: Y, series: [of({})] }), undefined)
  assert.equal(plotDataOf({ x: X, y: Y, series: [of({ values: [] })] }), undefined)
})

test('data cannot end the block that they stand in', () => {
  assert.doesNotMatch(String(dataBlock({ label: '</script><b>' })), /<\/script><b>/)
})
