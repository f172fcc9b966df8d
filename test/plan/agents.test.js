import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { removeAgentOptions } from '../../src/plan/agents.js'

describe('what is kept of options that ask for agents', () => {
  const agents = [
    { tag: 'eu', count: 2 },
    { tag: null, count: 1 }
  ]
  for (const [what, options, output, kept] of /** @type {[string, object, object, object][]} */ ([
    ['nothing changes without them', { rate: '5/s' }, { agents: null }, { rate: '5/s' }],
    [
      'nothing of the bus, however it is written, and as many workers',
      { rate: '5/s', bus: 'nats://secret@bus', 'bus-ca': 'a', onLostAgent: 'stop', agents: 'eu=2,us=1' },
      { agents },
      { rate: '5/s', workers: 3 }
    ],
    ['the workers that were asked for', { workers: 6, agents: 3 }, { agents }, { workers: 6 }]
  ]))
    test(what, () => {
      assert.deepEqual(removeAgentOptions(/** @type {any} */ (options), /** @type {any} */ (output)), kept)
    })
})
