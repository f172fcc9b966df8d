import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countProcesses,
  describeProcesses,
  explainSingleProcess
} from '../../../../src/scenarios/gossip/plan/resources.js'
import { validPlanOf } from '../../../scenarios.js'

/** @param {Record<string, unknown>} options */
const planOf = options =>
  validPlanOf('gossip', { network: 'simulated', linkLatency: '50ms', workers: 4, ...options }, { cores: 2 })

test('nodes of a simulation are apart where what they send takes its time', () => {
  for (const options of [
    {},
    { linkLatency: 'lognormal:50ms,20ms' },
    { linkLatency: '2ms', linkJitter: '50%' }
  ])
    assert.deepEqual([countProcesses(planOf(options)), explainSingleProcess(planOf(options))], [4, null])
})

test('and together where they cannot be, with the reason', () => {
  for (const [options, reason] of /** @type {[Record<string, unknown>, RegExp][]} */ ([
    [{ linkLatency: '0' }, /after 0 ms already .*--linkLatency less --linkJitter; at least 1 ms/],
    [{ linkLatency: '10ms', linkJitter: '10ms' }, /after 0 ms already/]
  ])) {
    const plan = planOf(options)
    assert.equal(countProcesses(plan), 1)
    assert.match(String(explainSingleProcess(plan)), reason)
  }
})

test('on real TCP they are always where they are asked to be', () => {
  const plan = planOf({ network: 'loopback', linkLatency: '0', nodes: 8 })
  assert.deepEqual([countProcesses(plan), explainSingleProcess(plan)], [4, null])
})

test('what holds them is told: processes, or containers', () => {
  assert.equal(describeProcesses(planOf({})), '4 processes')
  assert.equal(describeProcesses(planOf({ linkLatency: '0' })), '1 process')
  assert.equal(describeProcesses({ ...planOf({}), network: 'docker', workers: 1 }), '1 container')
})
