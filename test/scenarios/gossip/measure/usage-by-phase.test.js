import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageByPhase } from '../../../../src/scenarios/gossip/measure/resource-usage.js'

/** @param {number} cpuPercent @param {number} receivedBytes */
const interval = (cpuPercent, receivedBytes) =>
  /** @type {any} */ ({
    atNs: 0,
    backlogBytes: 0,
    usage: {
      ...{ wallMs: 1000, activeMs: 0, cpuMicros: cpuPercent * 10_000, rssBytes: 50e6, heapBytes: 0 },
      ...{ maxTurnMs: 0, receivedBytes, sentBytes: 2 * receivedBytes }
    }
  })

/** @param {number} averagePercent @param {number} maxPercent @param {number} receivedBytes */
const used = (averagePercent, maxPercent, receivedBytes) => ({
  cpu: { averagePercent, maxPercent },
  memory: { averageBytes: 50e6, maxBytes: 50e6 },
  traffic: { receivedBytes, sentBytes: 2 * receivedBytes }
})

test('each phase has what was used in it, each worker its own, and what came before counts nowhere', () => {
  const phases = new UsageByPhase(2)
  phases.begin('warmup')
  // starts and dials
  phases.add(interval(100, 9999), 0)
  phases.add(interval(10, 100), 0)
  phases.end()
  phases.add(interval(77, 7777), 0)
  phases.begin('publish')
  phases.add(interval(20, 1000), 0)
  phases.add(interval(40, 3000), 0)
  assert.deepEqual(phases.result(0), {
    warmup: used(10, 10, 100),
    publish: used(30, 40, 4000),
    cooldown: null
  })
  const nobody = phases.result(1).publish
  assert.deepEqual(nobody?.cpu, { averagePercent: null, maxPercent: null })
  assert.equal(nobody?.traffic, undefined)
})
