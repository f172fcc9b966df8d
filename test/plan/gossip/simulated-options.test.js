import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlanOf } from '../../../src/plan/plan.js'
import { planFlags } from '../../../src/plan/plan-flags.js'
import { gossipPlanned } from './gossip-planned.js'

/** @typedef {Record<string, unknown>} Options */

describe('a plan of the simulated network', () => {
  for (const [options, expected] of /** @type {[Options, Options][]} */ ([
    [{}, { workers: 1, linkJitterMs: 0, ideal: false, fidelity: 'gossipsub' }],
    [
      { fidelity: 'full', nodes: 200, security: 'plaintext', muxer: 'mplex' },
      { fidelity: 'full', nodes: 200, security: 'plaintext', muxer: 'mplex' }
    ],
    [{ linkLatency: '100ms' }, { linkLatencyMs: 100, linkJitterMs: 1 }],
    [{ linkLatency: '100ms', linkJitter: '20ms' }, { linkJitterMs: 20 }],
    [{ linkLatency: '100ms', linkJitter: '0' }, { linkJitterMs: 0 }],
    [
      { linkLatency: '100ms', ideal: true },
      { linkJitterMs: 0, ideal: true }
    ],
    [{ bandwidth: '1MB/s' }, { bandwidthBytesPerSecond: 1e6 }]
  ]))
    test(JSON.stringify(options), () => {
      const plan = gossipPlanned({ network: 'simulated', ...options })
      assert.deepEqual(plan, { ...plan, network: 'simulated', ...expected })
      const flags = planFlags(plan).map(flag => flag.slice(2).split(' '))
      const again = gossipPlanned(Object.fromEntries(flags.map(([flag, value = true]) => [flag, value])))
      assert.deepEqual(again, plan, 'its flags make it again')
    })
})

describe('is refused', () => {
  for (const [options, flag, allowed] of /** @type {[Options, string, RegExp][]} */ ([
    [{ linkJitter: '1ms' }, '--linkJitter', /needs --network simulated/],
    [{ ideal: true }, '--ideal', /needs --network simulated/],
    [
      { network: 'simulated', ideal: true, linkJitter: '1ms' },
      '--linkJitter',
      /cannot be given together with --ideal/
    ],
    [{ network: 'simulated', workers: 2 }, '--workers', /must be 1/],
    [{ network: 'simulated', topology: 'rendezvous' }, '--topology', /cannot be rendezvous/],
    [{ network: 'simulated', muxer: 'mplex' }, '--muxer', /needs --fidelity full/],
    [{ network: 'simulated', security: 'plaintext' }, '--security', /needs --fidelity full/],
    [{ fidelity: 'full' }, '--fidelity', /needs --network simulated/],
    [
      { network: 'simulated', fidelity: 'full', nodes: 201 },
      '--fidelity',
      /at most 200 nodes, and there are 201/
    ],
    [{ network: 'simulated', fidelity: 'whole' }, '--fidelity', /gossipsub/],
    [{ network: 'simulated', traces: true }, '--traces', /are not written/]
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
