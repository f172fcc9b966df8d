import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunLog } from '../../../../src/run/run-header.js'
import { NO_EXTENSION } from '../../../../src/scenarios/gossip/run/gossip-run.js'
import { GossipDocument } from '../../../../src/scenarios/gossip/run/network-run.js'
import { intervalOf } from '../../../run/gossip-interval.js'
import { validPlanOf } from '../../../scenarios.js'

const plan = validPlanOf('gossip', { nodes: 3, topology: 'full', workers: 1 })

/** A worker that was so busy while messages were published, and so busy while they were waited for. @param {{ publish: number, cooldown: number }} activeMs */
function documentOf({ publish, cooldown }) {
  const document = new GossipDocument(plan, {
    ...{ id: 'a', log: new RunLog(() => {}), subscriptions: [[0], [0], [0]], extension: NO_EXTENSION }
  })
  document.phases.add(intervalOf({}), 0)
  document.begin({ startNs: 0, planned: 0 })
  for (const [phase, activeMs] of /** @type {const} */ ([
    ['publish', publish],
    ['cooldown', cooldown]
  ])) {
    document.phases.begin(phase)
    const interval = intervalOf({})
    interval.usage.activeMs = activeMs
    document.phases.add(interval, 0)
    document.measurement.add(interval, 0)
  }
  return document.result()
}

test('how busy a worker was goes by the time in which it published: one that waits for what never comes is idle', () => {
  const { health, warnings } = documentOf({ publish: 990, cooldown: 10 }).run
  assert.equal(health[0].utilization, 0.99)
  const actual = warnings.filter(({ code }) => code === 'GENERATOR_LIMITED').map(({ values }) => values)
  assert.deepEqual(actual, [{ busy: { worker: 0, utilization: 0.99 }, overheads: [] }])
  assert.ok(
    !documentOf({ publish: 100, cooldown: 990 }).run.warnings.some(({ code }) => code === 'GENERATOR_LIMITED')
  )
})
