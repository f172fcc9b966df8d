import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { overlay } from '../../../src/report/description/overlay.js'

/** @typedef {import('../../../src/report/description/description.js').Plot} Plot */

/** @param {string} label @param {Plot[]} plots */
const run = (label, plots) => ({
  label,
  description: { title: '', headline: '', tiles: [], tables: [], warnings: [], plots }
})

/** @param {Partial<Plot>} [parts] @returns {Plot} */
const plot = (parts = {}) => ({
  ...{ id: 'latency', title: 'Latency', kind: 'lines', compared: true, main: true },
  series: [{ label: 'p50', values: [[0, 1]] }],
  ...parts
})

const labels = (/** @type {Plot[]} */ plots) =>
  plots.map(({ series = [] }) => series.map(({ label }) => label))

describe('plots of runs over each other', () => {
  test('are those that are to be compared, as far as two runs have them', () => {
    const plots = overlay([
      run('A', [plot(), plot({ id: 'own', compared: false }), plot({ id: 'once' })]),
      run('B', [plot()])
    ])
    assert.deepEqual(
      plots.map(({ id, main, compared }) => [id, main, compared]),
      [['runs-latency', undefined, undefined]]
    )
    assert.deepEqual(labels(plots), [['A', 'B']])
  })

  test('keep the labels of several series behind that of the run', () => {
    const two = [
      { label: 'p50', values: [[0, 1]] },
      { label: 'p99', values: [[0, 2]] }
    ]
    assert.deepEqual(labels(overlay([run('A', [plot({ series: two })]), run('B', [plot()])])), [
      ['A: p50', 'A: p99', 'B']
    ])
  })

  test('draw bars as outlines', () => {
    const bars = plot({
      kind: 'bars',
      series: [
        {
          label: 'Count',
          values: [
            [0, 1, 5],
            [1, 2, 3],
            [4, 5, 1]
          ]
        }
      ]
    })
    const [{ kind, series }] = overlay([run('A', [bars]), run('B', [bars])])
    assert.equal(kind, 'lines')
    assert.deepEqual(series?.[0], {
      label: 'A',
      style: 'steps',
      values: [
        [0, 5],
        [1, 3],
        [2, 0],
        [4, 1],
        [5, 0]
      ]
    })
  })

  test('have fewer points the more there are of them, and always the last', () => {
    const long = plot({ series: [{ label: 'p50', values: Array.from({ length: 1001 }, (_, i) => [i, i]) }] })
    const [{ series = [] }] = overlay(Array.from({ length: 6 }, (_, i) => run(String(i), [long])))
    for (const { values } of series) {
      assert.ok(values.length <= 202, String(values.length))
      assert.deepEqual(values.at(-1), [1000, 1000])
    }
  })
})
