import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NAMING } from '../../../src/scenarios/gossip/scenario.js'
import { gossipPlanned } from './gossip-planned.js'

/** @param {Record<string, unknown>} options */
const named = options => NAMING.inShort(/** @type {any} */ (gossipPlanned(options)), new Map()).join(' ')

test('a case of gossip is named by its nodes, topology, pace and messages', () => {
  assert.equal(named({ nodes: 40, topology: 'full', rate: 5, messages: 60 }), 'n40 full rate5 msgs60')
  assert.equal(named({ topology: 'full', rate: 5, duration: '20s' }), 'n30 full rate5 20000ms')
})

test('who publishes is part of it where that is not anybody', () => {
  const actual = named({ topology: 'full', publishers: 'every', interval: '50ms-70ms', duration: '20s' })
  assert.equal(actual, 'n30 full each50-70ms 20000ms')
  assert.equal(
    named({ topology: 'full', publishers: 'node:3,7', rate: 5, messages: 60 }),
    'n30 full node_3_7-rate5 msgs60'
  )
})
