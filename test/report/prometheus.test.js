import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operation, SERVER, sampleResult, summary, time } from './sample-result.js'
import { runMetrics } from './shown.js'

/** @typedef {import('../../src/report/schema.js').RunRecord} RunRecord */

/** @param {RunRecord[]} records @returns {Promise<string[]>} the lines with figures */
async function scraped(records) {
  const metrics = await runMetrics()
  for (const record of records) metrics.add(record)
  const text = await metrics.text()
  return text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
}

const RESULT = sampleResult()

/** @type {RunRecord} */
const START = { type: 'start', id: 'run-1', plan: RESULT.plan, run: {} }

/** @param {string} name @returns {RunRecord} */
const begin = name => ({ type: 'phase', name, state: 'begin', atMs: 0 })

/** @type {RunRecord} */
const PROGRESS = {
  type: 'progress',
  phase: 'measure',
  done: 50,
  total: 200,
  unit: 'operations',
  cpuPercent: 80,
  rssBytes: 90e6
}

const THRESHOLD = /** @type {const} */ ({
  metric: 'errorRate',
  operator: '<',
  limit: 1,
  unit: '%',
  actual: 0
})

/** @type {RunRecord} */
const INTERVAL = {
  type: 'interval',
  figures: {
    operations: {
      DISCOVER: operation({
        count: 500,
        outcomes: { OK: 497, TIMEOUT: 3 },
        receivedBytesPerSecond: 2.5e6,
        all: summary(500, { avg: time(16), p90: null, p95: null, p99: null, max: time(2600) })
      })
    },
    server: SERVER,
    measuredMs: 2000
  },
  utilizations: [0.25, 0.5],
  thresholds: [
    { ...THRESHOLD, text: 'errorRate < 1%', passed: true },
    { ...THRESHOLD, text: 'DISCOVER.p50 < 1ms', passed: false }
  ]
}

describe('the metrics of a run', () => {
  test('are few before it begins', async () => {
    assert.deepEqual(await scraped([]), ['loadtest_run_info{id=""} 1', 'loadtest_measured_seconds 0'])
  })

  test('have every figure that is known while it measures, in base units', async () => {
    const lines = await scraped([START, begin('measure'), PROGRESS, INTERVAL])
    const expected = [
      'loadtest_run_info{id="run-1"} 1',
      'loadtest_phase{phase="measure"} 1',
      'loadtest_progress_ratio 0.25',
      'loadtest_measured_seconds 2',
      'loadtest_operations_total{type="DISCOVER",outcome="OK"} 497',
      'loadtest_operations_total{type="DISCOVER",outcome="TIMEOUT"} 3',
      'loadtest_response_time_seconds{type="DISCOVER",quantile="0.5"} 0.015',
      'loadtest_response_time_average_seconds{type="DISCOVER"} 0.016',
      'loadtest_response_time_max_seconds{type="DISCOVER"} 2.6',
      'loadtest_throughput_operations_per_second{type="DISCOVER"} 249.6',
      'loadtest_received_bytes_per_second{type="DISCOVER"} 2500000',
      'loadtest_server_cpu_cores 0.8',
      'loadtest_server_cpu_average_cores 0.312',
      'loadtest_server_memory_bytes 90000000',
      'loadtest_generator_utilization_ratio{worker="0"} 0.25',
      'loadtest_generator_utilization_ratio{worker="1"} 0.5',
      'loadtest_threshold_passed{threshold="errorRate < 1%"} 1',
      'loadtest_threshold_passed{threshold="DISCOVER.p50 < 1ms"} 0'
    ]
    assert.deepEqual(lines.sort(), expected.sort())
  })

  test('of an earlier phase go, and those of the measurement stay', async () => {
    const lines = await scraped([START, begin('measure'), PROGRESS, INTERVAL, begin('cooldown')])
    assert.ok(lines.includes('loadtest_phase{phase="cooldown"} 1'))
    assert.ok(!lines.some(line => /phase="measure"|progress_ratio|cpu_cores/.test(line)), lines.join('\n'))
    assert.ok(lines.includes('loadtest_operations_total{type="DISCOVER",outcome="OK"} 497'))
  })

  test('end with those of the result', async () => {
    const lines = await scraped([START, INTERVAL, { type: 'result', result: RESULT }])
    assert.ok(lines.includes('loadtest_operations_total{type="REGISTER",outcome="OK"} 500'))
    assert.ok(!lines.some(line => line.includes('DISCOVER",outcome')))
  })

  test('leave out the server where it is not known', async () => {
    const figures = { operations: {}, server: null, measuredMs: 0 }
    const lines = await scraped([{ type: 'interval', figures, utilizations: [], thresholds: [] }])
    assert.ok(!lines.some(line => line.includes('server')))
  })

  test('each say what they are', async () => {
    const metrics = await runMetrics()
    metrics.add(INTERVAL)
    const lines = (await metrics.text()).split('\n')
    const named = lines.filter(line => /^[a-z]/.test(line)).map(line => line.split(/[ {]/)[0])
    for (const name of new Set(named)) {
      assert.ok(lines.some(line => line.startsWith(`# HELP ${name} `)))
      assert.match(name, /_(total|info|phase|ratio|seconds|per_second|cores|bytes|passed)$/)
    }
  })
})
