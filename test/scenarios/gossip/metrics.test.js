import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeRunMetrics } from '../../../src/report/prometheus.js'
import * as described from '../../../src/scenarios/gossip/describe.js'
import { GOSSIP } from '../../../src/scenarios/gossip/scenario.js'
import { aGossipResult } from './a-gossip-result.js'

/** @typedef {import('../../../src/report/schema.js').RunRecord} RunRecord */

const RESULT = aGossipResult({ gone: [3] })

/** @type {any} */
const START = { type: 'start', id: RESULT.id, plan: RESULT.plan, run: RESULT.run }

/** @param {string} name @param {number} at @param {string} [detail] @returns {RunRecord[]} */
const phase = (name, at, detail) => [
  { type: 'phase', name, state: 'begin', atMs: at },
  { type: 'phase', name, state: 'done', atMs: at + 1000, detail }
]

/** @type {import('../../../src/report/schema.js').ProgressRecord} */
const PUBLISHING = {
  ...{ type: 'progress', phase: 'publish', done: 50, total: 200, unit: 'messages', ratePerSecond: 9.98 },
  ...{ p50Ms: 12.3, cpuPercent: 150, rssBytes: 4e8 }
}

describe('metrics for Prometheus', () => {
  /** @param {any[]} records */
  async function scraped(records) {
    const metrics = await makeRunMetrics([{ ...described, scenario: GOSSIP }])
    for (const record of records) metrics.add(record)
    const text = await metrics.text()
    return text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  }

  const { messages, delivery, latency, dissemination, cost } = RESULT.outcome
  const figures = { messages, delivery, latency, dissemination, cost, measuredMs: 2500 }
  const interval = { type: 'interval', figures, utilizations: [0.5, 0.6], thresholds: [] }

  test('have the figures of an interval in base units, and none of the other scenario', async () => {
    const lines = await scraped([START, ...phase('publish', 0).slice(0, 1), PUBLISHING, interval])
    for (const line of [
      'loadtest_network_info{network="loopback"} 1',
      'loadtest_phase{phase="publish"} 1',
      'loadtest_measured_seconds 2.5',
      'loadtest_messages_total{outcome="published"} 200',
      'loadtest_messages_total{outcome="skipped"} 0',
      `loadtest_deliveries_total ${delivery.delivered}`,
      `loadtest_deliveries_expected_total ${delivery.expected}`,
      `loadtest_delivery_ratio ${(100 * Number(delivery.ratio)) / 100}`,
      `loadtest_latency_seconds{quantile="0.5"} ${Number(latency.all.p50?.ms) / 1000}`,
      `loadtest_dissemination_max_seconds ${Number(dissemination.all.max?.ms) / 1000}`,
      'loadtest_cpu_seconds_per_delivery 0.0012345',
      'loadtest_workers_cpu_cores 1.5',
      'loadtest_generator_utilization_ratio{worker="1"} 0.6'
    ])
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`)
    assert.doesNotMatch(lines.join('\n'), /operations|response_time|server|NaN|undefined/)
  })

  test('end with those of the result', async () => {
    const lines = await scraped([START, { type: 'result', result: RESULT }])
    assert.ok(lines.includes(`loadtest_deliveries_total ${delivery.delivered}`))
  })
})
