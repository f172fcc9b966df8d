import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlan, runPlan } from '../../src/index.js'
import { PAIRS, TIMEOUT } from './loadtest.js'

const SIMULATED = { network: 'simulated', linkLatency: '50ms', signing: 'off', rate: '10/s', nodes: 12 }

/** @param {Record<string, unknown>} options @returns {Promise<import('../../src/scenarios/gossip/gossip-types.js').GossipResult>} */
async function resultOf(options) {
  const { plan, problems } = await makePlan('gossip', { ...SIMULATED, ...options })
  assert.equal(problems, undefined)
  for await (const record of runPlan(plan, { id: 'prevented' }))
    if (record.type === 'result') return /** @type {any} */ (record.result)
  throw new Error('the run ended without a result')
}

/** What the simulator does, and the reasons that deliveries may be missing for; the first must be among them. @type {[string, Record<string, unknown>, string[]][]} */
const CASES = [
  [
    'a partition, after which nobody asks for what is old',
    { topology: 'full', duration: '8s', partition: 'reset@1s-6s:0-5|rest' },
    ['partition']
  ],
  [
    'a send queue that is full',
    {
      ...{ topology: 'full', duration: '3s', rate: '20/s', messageBytes: '20000', sendQueue: '1' },
      ...{ upBandwidth: '100kB/s', cooldown: '20s' }
    },
    ['send-queue']
  ],
  [
    'nodes that leave, in a line',
    { topology: 'line', duration: '20s', churn: '60%/min,away=5s' },
    ['churn', 'no-mesh']
  ]
]

describe('a delivery that the simulator itself prevented says so', PAIRS, () => {
  for (const [what, options, reasons] of CASES)
    test(what, TIMEOUT, async () => {
      const { status, reason, outcome } = await resultOf(options)
      assert.deepEqual([status, reason], ['complete', null])
      const { pairs, byReason } = outcome.missing
      const seen = Object.entries(byReason).filter(([, count]) => count > 0)
      assert.ok(pairs > 0)
      assert.deepEqual(
        seen.filter(([name]) => !reasons.includes(name)),
        []
      )
      assert.ok(
        seen.some(([name]) => name === reasons[0]),
        JSON.stringify(seen)
      )
    })
})
