import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodedHistogram } from '../../../../../src/measure/encoded-histogram.js'
import { Histogram } from '../../../../../src/measure/histogram.js'
import { rotateRendezvousAnswer } from '../../../../../src/scenarios/rotate-rendezvous/view/page/rotate-rendezvous-answer.js'
import { registrationsPlot } from '../../../../../src/scenarios/rotate-rendezvous/view/plots/registrations.js'
import { rotateRendezvousTimesPlots } from '../../../../../src/scenarios/rotate-rendezvous/view/plots/rotate-rendezvous-times.js'
import { stalePlot } from '../../../../../src/scenarios/rotate-rendezvous/view/plots/stale-records.js'
import { aRotateRendezvousResult } from '../a-rotate-rendezvous-result.js'

/**
 * @typedef {import('../../../../../src/scenarios/rotate-rendezvous/rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {NonNullable<RotateRendezvousResult['outcome']['rotation']>} Rotation
 */

/** @param {((rotation: Rotation) => Partial<Rotation>) | null} change - null: nothing was measured @returns {RotateRendezvousResult} */
function resultWith(change) {
  const result = aRotateRendezvousResult()
  const rotation = /** @type {Rotation} */ (result.outcome.rotation)
  return {
    ...result,
    outcome: { ...result.outcome, rotation: change && { ...rotation, ...change(rotation) } }
  }
}

const WHOLE = resultWith(() => ({}))
const NOTHING = resultWith(null)
const NO_RECORDS = resultWith(({ discovered }) => ({
  discovered: { ...discovered, withDuplicates: { ...discovered.withDuplicates, records: 0, stale: 0 } }
}))

/** @param {readonly { id: string }[]} plots */
const idsOf = plots => plots.map(({ id }) => id)
/** @param {any} plot @returns {any[]} layers with their points */
const layersOf = plot => plot.spec.layer
/** @param {any} plot @returns {string[]} */
const labelsOf = plot => (plot.legend ?? []).map((/** @type {any} */ { label }) => label)

describe('registrations over time', () => {
  test('are those of living peers, those left by killed ones, and what the server counts', () => {
    const [plot] = registrationsPlot(WHOLE)
    assert.deepEqual(
      labelsOf(plot).filter(label => /peers|server/.test(label)),
      ['of living peers', 'on top, left by killed peers', 'counted by the server']
    )
    const { series } = /** @type {Rotation} */ (WHOLE.outcome.rotation)
    const most = Math.max(...series.map(({ living, dead }) => living + dead))
    assert.match(plot.description, new RegExp(`, ${most} together at most\\.$`))
  })

  test('are said without the server where it counts nothing', () => {
    const uncounted = resultWith(({ series }) => ({
      series: series.map(each => ({ ...each, server: null }))
    }))
    const [plot] = registrationsPlot(uncounted)
    assert.ok(!labelsOf(plot).includes('counted by the server'))
    assert.ok(labelsOf(plot).includes('of living peers'))
  })

  test('are not drawn of a moment, or where nothing was measured', () => {
    assert.deepEqual(registrationsPlot(resultWith(({ series }) => ({ series: series.slice(0, 1) }))), [])
    assert.deepEqual(registrationsPlot(NOTHING), [])
  })
})

describe('stale records over time', () => {
  test('are a share of those that were given out', () => {
    const [plot] = stalePlot(WHOLE)
    const { records, stale } = /** @type {Rotation} */ (WHOLE.outcome.rotation).discovered.withDuplicates
    assert.ok(stale > 0)
    assert.ok(
      plot.description.includes(`${((100 * stale) / records).toPrecision(3)} % in all`),
      plot.description
    )
    const shares = layersOf(plot)
      .at(-1)
      .data.values.map((/** @type {any} */ { value }) => value)
    assert.ok(shares.some((/** @type {number} */ share) => share > 0))
    assert.ok(shares.every((/** @type {number} */ share) => share >= 0 && share <= 100))
  })

  test('have no share where nothing was given out for a while', () => {
    const values = (/** @type {RotateRendezvousResult} */ result) =>
      layersOf(stalePlot(result)[0]).at(-1).data.values
    const quiet = resultWith(({ series }) => ({
      series: series.map((each, i) => (i < 4 ? { ...each, records: 0, stale: 0 } : each))
    }))
    assert.ok(values(quiet).length < values(WHOLE).length)
  })

  test('are not drawn where nothing was given out, of a moment, or where nothing was measured', () => {
    for (const result of [NO_RECORDS, NOTHING, resultWith(({ series }) => ({ series: series.slice(0, 1) }))])
      assert.deepEqual(stalePlot(result), [])
  })
})

describe('times of rotating peers', () => {
  test('are a histogram each', () =>
    assert.deepEqual(idsOf(rotateRendezvousTimesPlots(WHOLE)), [
      'visible-delay',
      'first-discovery',
      'last-seen'
    ]))

  test('are left out where there are none', () => {
    const result = resultWith(() => ({ firstDiscoveryHistogram: encodedHistogram(new Histogram()) }))
    assert.deepEqual(idsOf(rotateRendezvousTimesPlots(result)), ['visible-delay', 'last-seen'])
    assert.deepEqual(rotateRendezvousTimesPlots(NOTHING), [])
  })
})

describe('the answer of rotating peers', () => {
  test('begins with the share of stale records, and draws it', () => {
    const { figures, plots } = rotateRendezvousAnswer(WHOLE)
    assert.deepEqual(
      figures.map(([name]) => name),
      [
        'Stale records',
        'p50 from registered to seen',
        'p50 from start to first discovery',
        'p50 from kill to last given out'
      ]
    )
    assert.match(figures[0][1], /^[\d.]+ %$/)
    assert.deepEqual(idsOf(plots), ['stale-records'])
  })

  test('draws registrations where no record was given out', () => {
    const { figures, plots } = rotateRendezvousAnswer(NO_RECORDS)
    assert.equal(figures[0][1], '–')
    assert.deepEqual(idsOf(plots), ['registrations'])
  })

  test('is none where nothing was measured', () =>
    assert.deepEqual(rotateRendezvousAnswer(NOTHING), { figures: [], plots: [] }))
})
