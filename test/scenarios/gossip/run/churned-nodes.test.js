import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { churnSchedule } from '../../../../src/load/churn-schedule.js'
import { ChurnedNodes } from '../../../../src/scenarios/gossip/run/churned-nodes.js'
import { makePlanOf } from '../../../scenarios.js'
import { publishedRows, receivedRows } from '../measure/rows.js'

const START_NS = 3e9

const plan = /** @type {import('../../../../src/scenarios/gossip/plan/gossip-plan.js').GossipPlan} */ (
  makePlanOf('gossip', {
    ...{ network: 'simulated', nodes: 4, topology: 'full', duration: '60s', churn: '5%/s,away=10s', seed: 5 }
  }).plan
)

test('what nodes receive around their absences counts apart, and nothing is counted nowhere', () => {
  const absences = churnSchedule(plan)
  const node = absences.findIndex(([first]) => first?.leavesNs > 5e9)
  assert.ok(node >= 0)
  const { leavesNs, returnsNs } = absences[node][0]
  const nodes = new ChurnedNodes(plan)
  assert.deepEqual(nodes.outcome(), { churn: null })
  const { lens, isThere } = nodes.measurement({ startNs: START_NS, planned: 4 })
  nodes.begin()
  const publisher = (node + 1) % 4
  const at = [leavesNs - 3e9, leavesNs - 0.5e9, leavesNs + 1e9, returnsNs + 1e9].map(ns => START_NS + ns)
  const published = publishedRows(at.map((atNs, message) => ({ message, node: publisher, atMs: atNs / 1e6 })))
  const received = receivedRows([
    ...at.map((_, message) => ({ message, node, from: publisher, atMs: (START_NS + returnsNs + 2e9) / 1e6 })),
    { message: 0, node, from: publisher, atMs: (START_NS + returnsNs + 3e9) / 1e6 }
  ])
  const expected = lens?.take(
    /** @type {any} */ ({ atNs: START_NS + returnsNs + 4e9, published, received }),
    received
  )
  assert.deepEqual([...(expected?.message ?? [])], [0])
  assert.deepEqual(
    at.map(atNs => isThere?.(node, atNs / 1000)),
    [true, false, false, false]
  )
  const { churn } = nodes.outcome()
  const own = (/** @type {{ expected: number, delivered: number }} */ { delivered }) => delivered
  assert.deepEqual(
    [churn?.apart.joining, churn?.apart.leaving].map(count => own(/** @type {any} */ (count))),
    [1, 1]
  )
  assert.deepEqual([churn?.apart.away, churn?.again], [{ delivered: 1 }, 1])
  assert.ok(Number(churn?.departures) >= 1 && Number(churn?.returns) >= 1)
})
