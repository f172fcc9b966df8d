import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRenderer } from '../../../../src/kit/plots/render.js'
import { LOOKS } from '../../../../src/kit/plots/theme.js'
import { newTrial } from '../../../../src/studies/saturation/result/trial.js'
import { faceOf } from '../../../../src/studies/saturation/view/faces.js'
import { gridPlots } from '../../../../src/studies/saturation/view/plots/grid-plots.js'
import { askedIn } from '../../../report/plots/asked-in.js'
import { sampleResult, time } from '../../../report/sample-result.js'
import { aLoadPoint } from '../../../scenarios/rendezvous/saturation/load-point.js'

test('p50 and p99 of a grid stand over the rate that was offered, a curve for each number of connections, cells beyond marked, each can be asked', async () => {
  const cells = [50, 100].flatMap(rate =>
    [1, 2].map(nClients => {
      const { plan } = sampleResult({ options: { rate: `${rate * nClients}/s`, nClients, duration: '6s' } })
      const rt = {
        ...{ avg: time(2), p50: time(nClients), p90: null, p95: null },
        ...{ p99: time(rate / 5), max: time(9) }
      }
      const achieved = nClients * rate === 200 ? 500 : nClients * rate * 6
      const point = aLoadPoint({ achieved, rt: /** @type {any} */ (rt) })
      return { ...newTrial({ name: `r${rate}-c${nClients}`, plan }), point }
    })
  )
  const grid = /** @type {any} */ ({ rates: [50, 100], connections: [1, 2], cells, chosen: null })
  const plots = gridPlots(grid, faceOf({ scenario: 'rendezvous' }))
  assert.deepEqual(
    plots.map(({ id }) => id),
    ['latency-throughput', 'p50-rate', 'p99-rate']
  )
  /** @type {any[][]} */
  const [, p50, p99] = plots.map(({ spec }) => /** @type {any} */ (spec).data.values)
  assert.deepEqual(
    p99.map(({ size, across, ms, beyond }) => [size, across, ms, beyond]),
    [
      ['1', 50, 10, false],
      ['2', 100, 10, false],
      ['1', 100, 20, false],
      ['2', 200, 20, true]
    ]
  )
  assert.deepEqual(
    p50.map(({ ms }) => ms),
    [1, 2, 1, 2]
  )
  assert.deepEqual(plots[0].marks?.headings.slice(0, 2), [
    'Connections',
    'Rate offered, operations per second'
  ])
  const render = await loadRenderer()
  for (const { spec, marks } of plots) {
    assert.equal(marks?.rows.length, 4)
    assert.equal(askedIn(await render(spec, LOOKS.wide)), 4)
  }
})
