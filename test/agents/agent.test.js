import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent } from '../../src/agents/agent.js'

test('an agent that nobody has taken leaves the bus without a word when it is stopped', async () => {
  /** @type {string[]} */
  const did = []
  const connection = { close: async () => void did.push('closed') }
  const agent = new Agent(
    /** @type {any} */ ({
      tags: ['eu'],
      limits: { maxClients: null, maxRate: null, allowTargets: null },
      version: '1.2.3',
      say: (/** @type {string} */ text) => void did.push(text)
    }),
    { connection: /** @type {any} */ (connection), stream: /** @type {any} */ ({}), address: '10.0.0.1' }
  )
  const { address, tags, version, busy } = agent.card
  assert.deepEqual([address, tags, version, busy], ['10.0.0.1', ['eu'], '1.2.3', null])
  await agent.stop()
  assert.deepEqual([did, agent.card.busy], [['closed'], null])
})
