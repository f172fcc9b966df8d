import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newTrial } from '../../../../src/studies/saturation/result/trial.js'
import { faceOf } from '../../../../src/studies/saturation/view/faces.js'
import { gridAnswer, searchAnswer } from '../../../../src/studies/saturation/view/saturation-answer.js'
import { sampleResult } from '../../../report/sample-result.js'
import { aLoadPoint, times } from '../../../scenarios/rendezvous/saturation/load-point.js'

const FACE = faceOf({ scenario: 'rendezvous' })

/** @param {number} rate @param {{ achieved: number, ms: number }} came */
function trial(rate, { achieved, ms }) {
  const { plan } = sampleResult({ options: { rate: `${rate}/s`, nClients: 1, duration: '6s' } })
  return {
    ...newTrial({ name: `r${rate}`, plan }),
    perSecond: rate,
    point: aLoadPoint({ achieved, rt: times(ms) })
  }
}

describe('what a saturation answers first', () => {
  test('of a grid: what was kept up with, its times, and what was not', () => {
    const cells = [trial(50, { achieved: 300, ms: 2 }), trial(100, { achieved: 400, ms: 50 })]
    const chosen = { ratePerSecond: 50, connections: 1 }
    const grid = /** @type {any} */ ({ rates: [50, 100], connections: [1], cells, chosen })
    const { figures, plots } = gridAnswer(grid, FACE)
    assert.deepEqual(
      figures.map(([name]) => name),
      ['Kept up with', 'p50 there', 'p99 there', 'Not kept up with']
    )
    assert.match(figures[0][1], /50/)
    assert.match(figures[3][1], /100/)
    assert.equal(plots.length, 1)
  })

  test('of a grid that was kept up with throughout: that nothing more was tried', () => {
    const grid = /** @type {any} */ ({
      ...{ rates: [50], connections: [1], chosen: { ratePerSecond: 50, connections: 1 } },
      cells: [trial(50, { achieved: 300, ms: 2 })]
    })
    assert.deepEqual(gridAnswer(grid, FACE).figures.at(-1), ['Not kept up with', 'none tried'])
  })

  test('of a search: the highest rate that was sustained, and where it lies', () => {
    const trials = [
      { ...trial(50, { achieved: 300, ms: 2 }), sustained: true },
      { ...trial(100, { achieved: 400, ms: 50 }), sustained: false }
    ]
    const found = { below: { perSecond: 50 }, above: { perSecond: 100 }, generatorBound: false }
    const { figures, plots } = searchAnswer(/** @type {any} */ ({ trials, found }), FACE)
    assert.match(figures[0].join(' '), /^Sustained 50/)
    assert.match(figures[3].join(' '), /^Not sustained 100/)
    assert.equal(plots.length, 1)
    const bound = { ...found, generatorBound: true }
    assert.match(searchAnswer(/** @type {any} */ ({ trials, found: bound }), FACE).figures[0][1], /^≥ 50/)
  })

  test('of what was not measured: nothing', () => {
    assert.deepEqual(gridAnswer(/** @type {any} */ ({ cells: [], chosen: null }), FACE).figures, [])
    assert.deepEqual(searchAnswer(/** @type {any} */ ({ trials: [], found: null }), FACE).figures, [])
  })
})
