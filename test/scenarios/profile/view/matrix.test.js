import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compact } from '../../../../src/result/compact.js'
import { PROFILE_MATRIX } from '../../../../src/scenarios/profile/view/matrix.js'
import { aProfileResult } from './a-profile-result.js'

const result = aProfileResult()
/** @type {any} */
const ROW = {
  ...{
    id: 'p/a',
    name: 'a',
    plan: result.plan,
    status: 'complete',
    reference: null,
    unscaled: {},
    atAnotherRate: null
  }
}
const PUBLISHED = { ...ROW, reference: { published: 1000, received: 20_000, seconds: 30 } }

/** @param {any} row @param {any} made @returns {Record<string, string>} */
const cellsOf = (row, made) =>
  Object.fromEntries(
    PROFILE_MATRIX.columns([row]).map(({ heading, cell }) => [heading, cell({ row, result: made })])
  )

describe('the table of profiles', () => {
  test('says what most CPU went to, or nothing where nothing was sampled', () => {
    assert.equal(cellsOf(ROW, result)['Most CPU'], 'signature 37.5 %, gc 25.0 %, protobuf 25.0 %')
    const unsampled = { ...result, outcome: { ...result.outcome, profile: null } }
    assert.equal(cellsOf(ROW, unsampled)['Most CPU'], '–')
  })

  test('counts the seconds in which something was published, also of a result without a timeline', () => {
    const seconds = (/** @type {any} */ made) =>
      Number(String(cellsOf(PUBLISHED, made).Seconds).split(' / ')[0])
    const { timeline, interArrival, messages } = result.outcome
    const published = timeline.filter(entry => entry.published > 0)
    const expected = published[published.length - 1].second - published[0].second + 1
    assert.ok(Math.abs(seconds(result) - expected) < 0.05 * expected, String(seconds(result)))
    const { avg } = interArrival.actual.summary
    const mean = (Number(avg?.ms) * messages.published) / 1000
    assert.ok(Math.abs(seconds(compact(result)) - mean) < 0.05 * mean, String(seconds(compact(result))))
    const nothing = {
      ...result,
      outcome: {
        ...result.outcome,
        timeline: [],
        interArrival: { ...interArrival, actual: { summary: { avg: null } } }
      }
    }
    assert.equal(seconds(nothing), 0)
  })

  test('is led by the nodes and the number of cases', () => {
    assert.equal(
      PROFILE_MATRIX.lead?.([result, result]),
      `Profiles of ${result.plan.nodes} nodes that publish as fast as they can: 2 cases measured.`
    )
  })

  test('says how its columns are read', () =>
    assert.match(
      PROFILE_MATRIX.setting([result]).join('\n'),
      /Most CPU: the categories with the most self time/
    ))
})
