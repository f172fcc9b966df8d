import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadsPage } from '../../../../src/studies/comparison/view/loads-page.js'
import { sampleResult } from '../../../report/sample-result.js'
import { aLoad, aRelease } from '../a-release.js'

/** A run that carried so many a second for 30 s. @param {number} count */
const runOf = count =>
  sampleResult({
    outcome: {
      perSecond: Array.from({ length: 30 }, (_, second) => ({
        second,
        type: /** @type {const} */ ('REGISTER'),
        outcome: 'OK',
        histogram: [[1000, count]]
      }))
    }
  })

/** @param {string} page */
const idsOf = page => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

describe('the page of releases over one another', () => {
  test('draws times of each against throughput, and what their runs carried', async () => {
    const runs = { examined: runOf(50), rotation: runOf(40) }
    const page = await loadsPage([aRelease({ runs }), aRelease({ id: 'two', label: 'results/two' })])
    const ids = idsOf(page)
    for (const id of ['loads-p50', 'loads-p99', 'examined-carried', 'rotation-carried', 'loads'])
      assert.ok(ids.includes(id), `${id} is not among ${ids}`)
    assert.match(page, /Most carried by A/)
    assert.match(page, /Most carried by B/)
    assert.match(page, /one · two/)
    assert.match(page, /Operations since the beginning/)
  })

  test('draws nothing of what was not measured, and says that nothing was carried', async () => {
    const loads = [aLoad({ throughput: 0, p50: null, p99: null })]
    const page = await loadsPage([aRelease({ loads: [] }), aRelease({ loads })])
    for (const id of idsOf(page)) assert.doesNotMatch(id, /^(loads-p|examined-carried|rotation-carried)/)
    assert.match(page, />0\/s</)
  })

  test('of gossip speaks of deliveries', async () => {
    const { perSecond: _, ...outcome } = sampleResult().outcome
    const timeline = Array.from({ length: 30 }, (_, second) => ({ second, delivered: 7 }))
    const examined = /** @type {any} */ ({ ...sampleResult(), outcome: { ...outcome, timeline } })
    const gossip = aRelease({ scenario: 'gossip', runs: { examined, rotation: null } })
    const page = await loadsPage([gossip, gossip])
    assert.match(page, /Deliveries since the beginning/)
    assert.match(page, /n=2/)
  })
})
