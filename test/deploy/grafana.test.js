import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Status } from '../../src/protocol/rendezvous.js'
import { makeRunMetrics } from '../../src/report/prometheus.js'
import { createMetrics } from '../../src/server/process/metrics.js'
import { operation, sampleResult, summary, time } from '../report/sample-result.js'
import { viewOf } from '../report/shown.js'
import { SCENARIOS } from '../scenarios.js'

/**
 * @typedef {{ expr: string, legendFormat: string }} Target
 * @typedef {{ id: number, type: string, title: string, description?: string, gridPos: { x: number, y: number, w: number, h: number },
 *   targets?: Target[] }} Panel
 */

const text = readFileSync('deploy/grafana/libp2p-loadtest.json', 'utf8')
const dashboard = JSON.parse(text)
/** @type {Panel[]} */
const panels = dashboard.panels
const targets = panels.flatMap(({ targets = [] }) => targets)

/** Names of metrics that a query asks for. @param {string} query */
const namesIn = query => query.match(/\b(loadtest|rendezvous|process|nodejs)_[a-z0-9_]+/g) ?? []

/** @param {string} page - of metrics @returns {[name: string, type: string][]} */
const typesIn = page => [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type])

/** What a histogram is asked for by. @param {[name: string, type: string]} metric */
const series = ([name, type]) =>
  type === 'histogram' ? ['bucket', 'sum', 'count'].map(part => `${name}_${part}`) : [name]

/** What every run may tell Prometheus. */
const ofRuns = typesIn(await (await makeRunMetrics(SCENARIOS.map(scenario => viewOf({ scenario })))).text())

const counted = createMetrics(async () => ({ registrations: 3, namespaces: 2, connections: 1, streams: 4 }))
counted.onOperation('REGISTER', Status.OK, 3)
counted.onRefused(new RangeError('too much'))
const serverPage = String((await counted.page()).body)
const ofServer = typesIn(serverPage)

const exported = new Map(
  [...ofRuns, ...ofServer].flatMap(metric => series(metric).map(name => [name, metric[1]]))
)

describe('the dashboard for Grafana', () => {
  test('asks for nothing that neither a run nor a server exports', () => {
    const asked = [
      ...targets.flatMap(({ expr }) => namesIn(expr)),
      ...dashboard.templating.list.flatMap((/** @type {{ definition?: string }} */ { definition = '' }) =>
        namesIn(definition)
      )
    ]
    assert.ok(asked.length > 40)
    assert.deepEqual(
      asked.filter(name => !exported.has(name)),
      []
    )
  })

  test('shows all that they export, but for what any Node process tells', () => {
    const shown = new Set(targets.flatMap(({ expr }) => namesIn(expr)))
    const own = [...exported.keys()].filter(name => /^(loadtest|rendezvous)_/.test(name))
    assert.ok(own.length > 40)
    assert.deepEqual(
      own.filter(name => !shown.has(name)),
      []
    )
  })

  test('takes the rate of what counts, and of nothing else', () => {
    for (const { expr } of targets)
      for (const name of namesIn(expr)) {
        const counts = exported.get(name) !== 'gauge'
        assert.equal(expr.includes(`rate(${name}{`), counts, `${name}, ${exported.get(name)}: ${expr}`)
      }
  })

  test('is of the run and of the server that were chosen', () => {
    for (const { expr } of targets)
      for (const name of namesIn(expr)) {
        const which = name.startsWith('loadtest_') ? 'run' : 'server'
        assert.ok(expr.includes(`${name}{instance=~"$${which}"}`), expr)
      }
    assert.deepEqual(
      dashboard.templating.list.map((/** @type {{ name: string }} */ { name }) => name),
      ['datasource', 'run', 'server']
    )
  })

  test('names series by labels that they have', async () => {
    const page = `${await runPage()}\n${serverPage}`
    /** @param {string} name */
    const labelsOf = name =>
      [...page.matchAll(new RegExp(`^${name}\\{(.*)\\} `, 'gm'))].flatMap(([, labels]) =>
        [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label)
      )
    for (const { expr, legendFormat } of targets) {
      const asked = [
        ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label),
        ...[...expr.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, labels]) => labels.split(', '))
      ]
      for (const label of asked) {
        const known = namesIn(expr).flatMap(labelsOf)
        assert.ok(
          known.includes(label) || UNSEEN.has(`${namesIn(expr)[0]} ${label}`),
          `${expr}: no ${label} among ${known}`
        )
      }
    }
  })

  test('has panels that say what they show, each in a place of its own', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const taken = new Set()
    for (const { type, title, description = '', gridPos } of panels) {
      assert.ok(type === 'row' || description.length > 5, title)
      assert.ok(gridPos.x + gridPos.w <= 24, title)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(!taken.has(`${x} ${y}`), title)
          taken.add(`${x} ${y}`)
        }
    }
  })
})

/** Series that only show once there is something to tell. */
const UNSEEN = new Set([
  'loadtest_response_time_overhead_seconds type',
  'loadtest_response_time_overhead_seconds quantile',
  'loadtest_latency_overhead_seconds quantile',
  'loadtest_dissemination_overhead_seconds quantile',
  // a process has them after its first garbage collection
  'nodejs_gc_duration_seconds_sum kind'
])

/** What Prometheus is told of runs with something of everything. */
async function runPage() {
  const all = summary(50_000, { avg: time(1), p50: time(1), p99: time(2), max: time(3) })
  const result = sampleResult()
  const REGISTER = { ...operation({ all }), receivedBytesPerSecond: 3e6 }
  const figures = {
    ...result.outcome,
    operations: { REGISTER }
  }
  const { aGossipResult } = await import('../scenarios/gossip/a-gossip-result.js')
  const gossip = aGossipResult()
  const pages = [
    { plan: result.plan, figures },
    { plan: gossip.plan, figures: gossip.outcome }
  ].map(async ({ plan, figures }) => {
    const metrics = await makeRunMetrics([viewOf(plan)])
    metrics.add({ type: 'start', id: 'run-1', plan: /** @type {any} */ (plan), run: {} })
    metrics.add({ type: 'phase', name: 'measure', state: 'begin', atMs: 0 })
    const threshold = {
      text: 'p50 < 1ms',
      metric: 'p50',
      operator: '<',
      limit: 1,
      unit: 'ms',
      actual: 2,
      passed: false
    }
    metrics.add({
      type: 'interval',
      figures: /** @type {any} */ (figures),
      utilizations: [0.5],
      thresholds: [/** @type {any} */ (threshold)]
    })
    return metrics.text()
  })
  return (await Promise.all(pages)).join('\n')
}
