import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptionText } from '../../../src/plan/options.js'
import { GOSSIP_PLAN_SCHEMA, makePlanOf, planFlags, scenarioNamed } from '../../scenarios.js'
import { gossipPlanned } from './gossip-planned.js'

/** @typedef {Record<string, unknown>} Options */

const USUAL_JITTER = { kind: 'share', share: 0.01 }

const range = (/** @type {number} */ first, /** @type {number} */ last) => ({ first, last })

/** What a shell makes of flags. @param {string[]} flags */
const optionsIn = async flags =>
  (await parseOptionText(flags.join(' '), scenarioNamed('gossip').options)).options

describe('a plan of the simulated network', () => {
  for (const [options, expected] of /** @type {[Options, Options][]} */ ([
    [{}, { workers: 1, linkLatencyMs: 100, linkLatencies: null, linkJitter: USUAL_JITTER }],
    [{ linkLatency: '100ms' }, { linkLatencyMs: 100, linkLatencies: null, linkJitter: USUAL_JITTER }],
    [
      { linkLatency: 'normal:50ms,10ms' },
      { linkLatencyMs: 0, linkLatencies: { kind: 'normal', meanMs: 50, sdMs: 10 } }
    ],
    [
      { linkLatency: { kind: 'uniform', min: '40ms', max: '60ms' } },
      { linkLatencies: { kind: 'uniform', minMs: 40, maxMs: 60 } }
    ],
    [{ linkJitter: '1%' }, { linkJitter: USUAL_JITTER }],
    [{ linkLatency: '100ms', linkJitter: '20ms' }, { linkJitter: { kind: 'time', ms: 20 } }],
    [{ linkLatency: '100ms', linkJitter: '0' }, { linkJitter: { kind: 'time', ms: 0 } }],
    [{ linkLoss: '0.1%' }, { linkLossShare: 0.001 }],
    [
      { linkBandwidth: '8Mbit/s', downBandwidth: '2MB/s' },
      { linkBandwidthBytesPerSecond: 1e6, downBandwidthBytesPerSecond: 2e6, upBandwidthBytesPerSecond: null }
    ],
    [
      { partition: ['hold@1s-2s:0-9|rest', 'reset@3s-4s:0,5|10-19'], duration: '20s' },
      {
        partitions: [
          { kind: 'hold', fromMs: 1000, toMs: 2000, between: [[range(0, 9)], []] },
          { kind: 'reset', fromMs: 3000, toMs: 4000, between: [[range(0, 0), range(5, 5)], [range(10, 19)]] }
        ]
      }
    ],
    [{ churn: '5%/min,away=10s' }, { churn: { share: 0.05, perMs: 60_000, awayMs: 10_000 } }],
    [{ sendQueue: 32 }, { sendQueue: 32 }],
    [{ upBandwidth: '1MB/s' }, { upBandwidthBytesPerSecond: 1e6 }]
  ]))
    test(JSON.stringify(options), async () => {
      const plan = gossipPlanned({ network: 'simulated', ...options })
      assert.deepEqual(plan, { ...plan, network: 'simulated', ...expected })
      assert.equal(GOSSIP_PLAN_SCHEMA.safeParse(structuredClone(plan)).error, undefined)
      const again = gossipPlanned(await optionsIn(planFlags(plan)))
      assert.deepEqual(again, plan, 'its flags make it again')
    })
})

test('loss and jitter that are none can be asked for anywhere', () => {
  for (const options of [{ linkLoss: '0' }, { linkJitter: '0' }, { linkJitter: '0%' }])
    assert.equal(makePlanOf('gossip', options).problems, undefined)
})

test('all that is wrong is said at once', () => {
  const { problems = [] } = makePlanOf('gossip', {
    ...{ network: 'simulated', linkLatency: '50', linkLoss: '100%', upBandwidth: '10' },
    ...{ partition: ['hold@1s-2s:0', 'drop@1s-2s:0|1'], churn: '5%', sendQueue: '-1' }
  })
  const actual = problems.map(({ flag }) => flag)
  assert.deepEqual(actual, [
    ...['--linkLatency', '--linkLoss', '--upBandwidth', '--partition', '--partition', '--churn'],
    '--sendQueue'
  ])
})
