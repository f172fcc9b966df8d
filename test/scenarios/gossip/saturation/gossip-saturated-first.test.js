import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gossipSaturatedFirst } from '../../../../src/scenarios/gossip/saturation/gossip-saturated-first.js'
import { isGenerators } from '../../../../src/studies/saturation/search/limits.js'
import { limitWords } from '../../../../src/studies/saturation/view/reason-words.js'
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
    ['processes', { utilization: 0.96, cpuPercent: 195 }, true, /load generator too: .* 96 % busy/],
    ['cores', { cpuPercent: 185 }, true, /machine: .* used 185 % of its 2\.00 cores/],
    ['memoryCeiling', { memoryCeilings: 1 }, true, /--memoryCeiling: 1 process reached it/],
    ['publishedLate', { lateMs: 42 }, true, /1 % of the messages were published more than 42\.0 ms late/],
    ['streams', { streamsAborted: 3 }, false, /streams of gossipsub: 3 were aborted/],
    ['network', {}, false, /nothing that was watched/],
    [
      'upBandwidth',
      model({ upBandwidth: 0.45, downBandwidth: 0.4, processing: 0.1 }),
      false,
      /what leaves the nodes .* 45 % used on average/
    ],
    ['downBandwidth', model({ upBandwidth: 0.2, downBandwidth: 0.3 }), false, /\(--downBandwidth\)/],
    ['linkBandwidth', model({ linkBandwidth: 0.3, processing: 0.1 }), false, /lines of the links/],
    ['processing', model({ upBandwidth: 0.2, processing: 0.8 }), false, /processing .* 80 % of their time/],
    ['model', model({ upBandwidth: 0.2, processing: 0.1 }), false, /no line and no processing/],
    // how busy a simulation keeps the machine says nothing
    ['model', { ...model({}), utilization: 1, cpuPercent: 200 }, false, /latencies, TCP, losses or the mesh/]
  ]
  for (const [limit, parts, isShared, words] of rows)
    test(`${limit}: ${words}`, () => {
      const first = gossipSaturatedFirst(aGossipPoint(parts))
      assert.deepEqual([first.limit, isGenerators(first.limit)], [limit, isShared])
      assert.match(limitWords(first), words)
    })
})
