import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { loadRenderer } from '../../../../src/kit/plots/render.js'
import { LOOKS } from '../../../../src/kit/plots/theme.js'
import { countBars, countPlots } from '../../../../src/studies/validation/view/plots/count-bars.js'
import { latencyCurves } from '../../../../src/studies/validation/view/plots/latency-curves.js'
import { askedIn } from '../../../report/plots/asked-in.js'

/** @type {Record<'real' | 'simulated', import('../../../../src/studies/validation/result/observation.js').Observation[]>} */
const { real, simulated } = JSON.parse(
  await readFile(new URL('../../../../fixtures/validation/observations.json', import.meta.url), 'utf8')
)

describe('the latencies of a validation', () => {
  const [{ spec, description }] = latencyCurves({ real, simulated })

  test('have a thin line for each run, and a thick one for each side', () => {
    const lines = spec.layer.map((/** @type {any} */ { data, mark }) => [
      new Set(data.values.map((/** @type {any} */ { line }) => line)).size,
      mark.strokeWidth
    ])
    assert.deepEqual(lines, [
      [5, 0.75],
      [1, 2.5],
      [5, 0.75],
      [1, 2.5]
    ])
  })

  test('never fall, and end at 100 %', () => {
    for (const { data } of spec.layer)
      for (const line of new Set(data.values.map((/** @type {any} */ point) => point.line))) {
        const points = data.values.filter((/** @type {any} */ point) => point.line === line)
        assert.equal(points.at(-1).percent, 100)
        for (const [i, { at }] of points.slice(1).entries()) assert.ok(at >= points[i].at)
      }
  })

  test('are told to who cannot see them', () =>
    assert.match(description, /5 real and 5 simulated runs; medians 2\.0\d and 2\.0\d latencies/))

  test('are not drawn where a side has none', () => {
    assert.deepEqual(latencyCurves({ real, simulated: [] }), [])
    assert.deepEqual(countPlots({ real: [], simulated }), [])
  })
})

test('bars are the mean shares of runs, with their least and most; values that nobody has are left out', () =>
  assert.deepEqual(
    countBars({
      real: [
        [0, 1, 3],
        [0, 3, 1]
      ],
      simulated: [[0, 2, 2, 0, 4]]
    }),
    [
      { value: 1, side: 'real', percent: 50, least: 25, most: 75 },
      { value: 1, side: 'simulated', percent: 25, least: 25, most: 25 },
      { value: 2, side: 'real', percent: 50, least: 25, most: 75 },
      { value: 2, side: 'simulated', percent: 25, least: 25, most: 25 },
      { value: 4, side: 'real', percent: 0, least: 0, most: 0 },
      { value: 4, side: 'simulated', percent: 50, least: 50, most: 50 }
    ]
  ))

test('each bar says what it stands for', async () => {
  const render = await loadRenderer()
  for (const { spec, marks } of countPlots({ real, simulated })) {
    assert.ok(marks && marks.rows.length > 2)
    assert.equal(askedIn(await render(spec, LOOKS.wide)), marks.rows.length)
  }
})
