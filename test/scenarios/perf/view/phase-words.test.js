import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VIEW } from '../../../../src/scenarios/perf/view.js'
import { makePlanOf } from '../../../scenarios.js'

const TARGET = '/ip4/127.0.0.1/tcp/1/p2p/12D3KooWKnUAsyDSEbyGAfDMMLXG17JrQUXBJDFb3nBYwWb4AcZU'
const { setup, teardown } = VIEW.words.phases

/** @param {Record<string, unknown>} options @returns {any} */
const planWith = options => makePlanOf('perf', { measures: 'latency', ...options }).plan

test('both ends are ready where both were started', () => {
  assert.deepEqual(setup(planWith({})), ['starting both ends', 'both ends ready'])
  assert.deepEqual(teardown(planWith({})), ['stopping both ends', 'both ends stopped'])
})

test('a target was not met when the client is ready, and is not stopped', () => {
  const plan = planWith({ target: TARGET })
  assert.deepEqual(setup(plan), ['starting the client', 'client ready'])
  assert.deepEqual(teardown(plan), ['stopping the client', 'client stopped'])
})
