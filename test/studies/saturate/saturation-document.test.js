import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addFormerVerdicts, SATURATION_DOCUMENT } from '../../../src/studies/saturate/saturation-document.js'
import { aGossipPoint } from '../../scenarios/gossip/a-gossip-point.js'
import { makePlanOf } from '../../scenarios.js'
import { aTrial } from '../qa/a-qa-document.js'

/** @param {any} trial @returns {any} as it was stored before there were objectives */
function former({ sustained: _, reasons: __, ...trial }) {
  return trial
}

describe('a trial of a version without an objective keeps what that said of it', () => {
  test('in a grid: sustained from 95 % achieved on', () => {
    const cells = [285, 284].map(achieved => former(aTrial(50, { achieved })))
    assert.deepEqual(
      addFormerVerdicts(cells).map(({ sustained, reasons }) => [sustained, reasons]),
      [
        [true, []],
        [false, []]
      ]
    )
    assert.equal(addFormerVerdicts([former(aTrial(50, null))])[0].sustained, null)
  })

  test('in a search: with its reasons in words', () => {
    const reasons = [
      { code: 'ACHIEVED', share: 0.5 },
      { code: 'SLOWER', figure: 'p50', ms: 450, lowestMs: 4.5 },
      { code: 'WAITING', count: 1200 },
      { code: 'ENDED', message: 'gone' }
    ]
    const [trial] = addFormerVerdicts([/** @type {any} */ ({ ...aTrial(50), sustained: false, reasons })])
    assert.equal(trial.sustained, false)
    assert.deepEqual(
      trial.reasons.map((/** @type {any} */ reason) => ('text' in reason ? reason.text : reason.code)),
      [
        '50.0 % achieved',
        'p50 450 ms, at the lowest rate 4.50 ms',
        'growing backlog, 1,200 operations at the end',
        'ENDED'
      ]
    )
  })

  test('of a gossip network: with the reasons of its point', () => {
    const { plan } = makePlanOf('gossip', { nodes: 20, rate: '10/s', duration: '6s' })
    const cell = (/** @type {object[]} */ reasons) =>
      former({ ...aTrial(50), plan, point: { ...aGossipPoint(), reasons } })
    const why = [{ why: 'missing', value: 4 }]
    const [carried, not] = addFormerVerdicts([
      cell([]),
      cell([
        { code: 'NOT_CARRIED', why },
        { code: 'UNDER_WAY', count: 95 }
      ])
    ])
    assert.deepEqual([carried.sustained, not.sustained], [true, false])
    assert.deepEqual(
      not.reasons.map((/** @type {any} */ reason) => ('text' in reason ? reason.text : null)),
      ['4 deliveries missing', 'growing backlog, 95 deliveries at the end']
    )
  })
})

test('stored saturations of earlier versions open, and say what they said', async () => {
  const grid = await SATURATION_DOCUMENT.read('fixtures/results-0.1.0/saturate')
  assert.equal(grid?.objective, null)
  assert.ok(grid?.grid?.cells.every(({ sustained }) => typeof sustained === 'boolean'))
  const search = await SATURATION_DOCUMENT.read('fixtures/studies/saturate-search-before')
  assert.equal(search?.objective, null)
  assert.ok(search?.search?.trials.some(({ reasons }) => reasons.some(({ code }) => code === 'FORMER')))
})
