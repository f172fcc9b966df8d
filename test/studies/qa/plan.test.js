import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeChurnOptions } from '../../../src/studies/qa/plan.js'
import { scenarioNamed } from '../../scenarios.js'

/** @param {Record<string, unknown>} own */
const options = own =>
  makeChurnOptions(scenarioNamed('gossip'), {
    usual: { nodes: '30', churn: '10,every=15s,away=5s' },
    ofLoads: { nodes: '50', linkLatency: '5ms' },
    own
  })

test('in the run with churn as many nodes stay as usual, whatever group leaves', () => {
  assert.deepEqual(options({}), { nodes: '30', churn: '10,every=15s,away=5s', linkLatency: '5ms' })
  const { nodes, churn } = options({ churn: '40,every=5s' })
  assert.deepEqual([nodes, churn], ['60', '40,every=5s'])
  assert.equal(options({ churn: '5%/min' }).nodes, '30')
})
