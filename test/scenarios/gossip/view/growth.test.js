import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { growthLine } from '../../../../src/scenarios/gossip/view/growth.js'
import { matrixPage, matrixPlots } from '../../../report/shown.js'
import { madeUpSeries } from './made-up-series.js'

const { document, results } = await madeUpSeries(['gossip-growth'])
const [table] = document.tables

/** Last hops of 2 + log₂ N on average. @param {number} nodes */
function lastHops(nodes) {
  const average = 2 + Math.log2(nodes)
  const counts = Array(Math.ceil(average) + 1).fill(0)
  counts[Math.floor(average)] += 1e6 * (Math.ceil(average) - average)
  counts[Math.ceil(average)] += 1e6 * (average - Math.floor(average))
  return counts
}

/** @param {string[]} ids */
const measured = ids =>
  new Map(
    ids.map(id => {
      const result = results.get(id)
      const hops = { ...result.outcome.hops, last: lastHops(result.plan.nodes) }
      return [id, { ...result, outcome: { ...result.outcome, hops } }]
    })
  )

const ids = table.rows.map(({ id }) => id)

describe('rows that differ in their nodes alone', () => {
  test('are held against a logarithm and a line', () => {
    const page = matrixPage(table, measured(ids))
    assert.match(
      page,
      /^- Last delivery hop by nodes, N = 50, 100, 200, 500, 1,000 \(.*\): logarithmic: 2\.00 \+ 1\.00 · log₂ N, residuals 0\.000 hops \(RMS\), R² 1\.000; linear: .*: the logarithm leaves less\.$/m
    )
    assert.match(page, /^- Dissemination time by nodes, N = 50, /m)
  })

  test('are drawn with both fits, and with what these leave', () => {
    const plots = matrixPlots(table, measured(ids)).filter(({ id }) => id.includes('growth-growth-'))
    assert.deepEqual(
      plots.map(({ title }) => title),
      [
        'Last delivery hop by nodes',
        'Residuals of both fits: last delivery hop',
        'Dissemination time by nodes',
        'Residuals of both fits: dissemination time'
      ]
    )
    for (const { data } of plots) assert.ok(data, 'values are said to who points at them')
    assert.deepEqual(
      plots[1].data?.series.map(({ label, values }) => [label, values.length]),
      [
        ['as fitted', 2],
        ['fitted to log N', ids.length],
        ['fitted to N', ids.length]
      ]
    )
  })

  test('show no shape where there are fewer than three', () => {
    assert.doesNotMatch(matrixPage(table, measured(ids.slice(0, 2))), /by nodes/)
    assert.ok(matrixPlots(table, measured(ids.slice(0, 2))).every(({ id }) => !id.includes('growth-growth-')))
  })
})

test('a growth says which fit leaves less, and has a dash where there is nothing to explain', () => {
  const line = (/** @type {number} */ rms, /** @type {object} */ more = {}) => ({
    slope: -2,
    intercept: 3,
    rms,
    r2: 0.5,
    ...more
  })
  const growth = /** @type {any} */ ({
    ...{ of: 'full', id: 'dissemination', title: 'Dissemination time' },
    points: [50, 1000].map(nodes => ({ nodes, value: 1 })),
    ...{ logarithmic: line(2, { r2: null }), linear: line(1) }
  })
  assert.equal(
    growthLine(growth),
    'Dissemination time by nodes, N = 50, 1,000 (full): logarithmic: 3.00 − 2.00 · log₂ N, residuals 2.00 ms (RMS), R² –; linear: 3.00 − 2.00 · N, residuals 1.00 ms (RMS), R² 0.500: the line leaves less.'
  )
  assert.match(growthLine({ ...growth, logarithmic: line(0.5) }), /: the logarithm leaves less\.$/)
})
