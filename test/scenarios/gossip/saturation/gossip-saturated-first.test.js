import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GOSSIP_FACE } from '../../../../src/scenarios/gossip/saturation/faces.js'
import { gossipSaturatedFirst } from '../../../../src/scenarios/gossip/saturation/gossip-saturated-first.js'
import { isGenerators } from '../../../../src/studies/saturation/search/limits.js'
import { aGossipPoint } from './a-gossip-point.js'

/** @typedef {Parameters<typeof aGossipPoint>[0]} Parts */

describe('what a gossip network saturated first', () => {
  /** @param {Record<string, number>} averages - of parts of the model; the busiest use twice as much @returns {Parts} */
  const model = averages => ({
    simulated: true,
    utilization: null,
    cpuPercent: null,
    model: Object.fromEntries(
      Object.entries(averages).map(([part, average]) => [part, { average, busiest: 2 * average }])
    )
  })
  /** @type {[string, Parts, boolean, RegExp][]} */
  const rows = [
    [
      'processes',
      { utilization: 0.96, cpuPercent: 195 },
      true,
      /processes of the nodes \(event loop 96 % busy\)/
    ],
    ['cores', { cpuPercent: 185 }, true, /machine \(CPU 185 % of 2\.00 cores\)/],
    ['memoryCeiling', { memoryCeilings: 1 }, true, /--memoryCeiling \(1 process\)/],
    ['publishedLate', { lateMs: 42 }, true, /1 % published over 42\.0 ms late/],
    ['streams', { streamsAborted: 3 }, false, /gossipsub streams \(3 aborted\)/],
    ['network', {}, false, /not determined/],
    [
      'upBandwidth',
      model({ upBandwidth: 0.45, downBandwidth: 0.4, processing: 0.1 }),
      false,
      /--upBandwidth \(45 % used on average\)/
    ],
    ['downBandwidth', model({ upBandwidth: 0.2, downBandwidth: 0.3 }), false, /--downBandwidth \(30 %/],
    ['linkBandwidth', model({ linkBandwidth: 0.3, processing: 0.1 }), false, /--linkBandwidth \(30 %/],
    [
      'processing',
      model({ upBandwidth: 0.2, processing: 0.8 }),
      false,
      /modelled processing of the nodes \(80 %/
    ],
    ['model', model({ upBandwidth: 0.2, processing: 0.1 }), false, /not determined/],
    // how busy a simulation keeps the machine says nothing
    ['model', { ...model({}), utilization: 1, cpuPercent: 200 }, false, /not determined/]
  ]
  for (const [limit, parts, isShared, words] of rows)
    test(`${limit}: ${words}`, () => {
      const first = gossipSaturatedFirst(aGossipPoint(parts))
      assert.deepEqual([first.limit, isGenerators(first.limit)], [limit, isShared])
      assert.match(GOSSIP_FACE.limitedBy(first), words)
    })
})
