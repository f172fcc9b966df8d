import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readOptionText } from '../../../../src/plan/options.js'
import { GOSSIP_PLAN_SCHEMA, makePlanOf, planFlags, scenarioNamed } from '../../../scenarios.js'
import { gossipPlanned } from './gossip-planned.js'

/** @typedef {Record<string, unknown>} Options */

const USUAL_JITTER = { kind: 'share', share: 0.01 }

const range = (/** @type {number} */ first, /** @type {number} */ last) => ({ first, last })

/** What a shell makes of flags. @param {string[]} flags */
const optionsIn = async flags =>
  (await readOptionText(flags.join(' '), scenarioNamed('gossip').options)).options

describe('a plan of the simulated network', () => {
  for (const [options, expected] of /** @type {[Options, Options][]} */ ([
    [
      {},
      {
        workers: 1,
        linkLatencyMs: 100,
        linkLatencies: null,
        linkJitter: USUAL_JITTER
      }
    ],
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

const SIMULATED = { network: 'simulated', nodes: 30 }

test('loss and jitter that are none can be asked for anywhere', () => {
  for (const options of [{ linkLoss: '0' }, { linkJitter: '0' }, { linkJitter: '0%' }])
    assert.equal(makePlanOf('gossip', options).problems, undefined)
})

test('all that is wrong is said at once', () => {
  const { problems = [] } = makePlanOf('gossip', {
    network: 'simulated',
    linkLatency: '50',
    linkLoss: '100%',
    upBandwidth: '10',
    partition: ['hold@1s-2s:0', 'drop@1s-2s:0|1'],
    churn: '5%',
    sendQueue: '-1'
  })
  assert.deepEqual(
    problems.map(({ flag }) => flag),
    ['--linkLatency', '--linkLoss', '--upBandwidth', '--partition', '--partition', '--churn', '--sendQueue']
  )
})

describe('is refused', () => {
  for (const [options, flag, allowed] of /** @type {[Options, string, RegExp][]} */ ([
    [{ linkJitter: '1ms' }, '--linkJitter', /needs --network simulated/],
    [
      { linkLatency: 'uniform:10ms-20ms' },
      '--linkLatency',
      /needs --network simulated, namespaces or docker: on loopback all links have the same latency/
    ],
    [
      { linkBandwidth: '1MB/s' },
      '--linkBandwidth',
      /needs --network simulated, namespaces or docker: none is made on loopback/
    ],
    [{ downBandwidth: '1MB/s' }, '--downBandwidth', /needs --network simulated/],
    [{ partition: 'hold@1s-2s:0|1' }, '--partition', /needs --network simulated/],
    [{ sendQueue: 32 }, '--sendQueue', /needs --network simulated/],
    [
      { ...SIMULATED, nodes: 20, partition: 'hold@1s-2s:0-9|10-20' },
      '--partition',
      /names node 20, and there are 20: 0 to 19/
    ],
    [
      { ...SIMULATED, partition: 'hold@1s-41s:0|1' },
      '--partition',
      /lasts until 41s, and publishing ends after 33\.[0-9]+s/
    ],
    [
      { ...SIMULATED, duration: '5s', partition: ['hold@1s-2s:0|1', 'reset@4s-6s:0|1'] },
      '--partition',
      /lasts until 6s, and publishing ends after 5s/
    ],
    [{ network: 'simulated', topology: 'rendezvous' }, '--topology', /cannot be rendezvous/],
    [{ network: 'simulated', muxer: 'mplex' }, '--muxer', /must be yamux/],
    [{ network: 'simulated', security: 'plaintext' }, '--security', /must be noise/]
  ]))
    test(JSON.stringify(options), () => {
      const { problems = [] } = makePlanOf('gossip', options, { cores: 4 })
      assert.deepEqual(
        problems.map(problem => problem.flag),
        [flag]
      )
      assert.match(problems[0].allowed, allowed)
    })
})
