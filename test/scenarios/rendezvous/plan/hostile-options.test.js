import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makePlan } from '../../../../src/plan/plan.js'
import { RENDEZVOUS_KIND } from '../../../../src/scenarios/rendezvous/plan/rendezvous-plan.js'

const PEER = '12D3KooWGRUwZ7dZ2W2LsPLxxVgj8rsyZ6Bqr1PEzGJHzRZ1D2yB'

/** @param {Record<string, unknown>} options @returns {any} */
const made = options => makePlan(/** @type {any} */ (RENDEZVOUS_KIND), options)

const planOf = (/** @type {Record<string, unknown>} */ options) => made(options).plan

describe('hostile peers of a plan', () => {
  it('are kinds with times their usual rate', () => {
    const plan = planOf({ hostile: 'frames=2, Slow', duration: '30s' })
    assert.deepEqual(plan.hostile, { frames: 2, slow: 1 })
    assert.equal(plan.hostileEveryMs, 10_000)
    assert.equal(planOf({ hostile: 'slow' }).durationMs, 156_000, 'six pairs')
  })

  it('are in no plan that does not ask for them', () => {
    assert.deepEqual(
      Object.keys(planOf({})).filter(key => key.startsWith('hostile')),
      []
    )
  })

  for (const [refused, options] of /** @type {[RegExp, Record<string, unknown>][]} */ ([
    [/must be some of/, { hostile: 'bogus' }],
    [/must be some of/, { hostile: 'frames=0' }],
    [/must be some of/, { hostile: 'frames=1,frames=2' }],
    [/a quiet and a hostile stretch at least: 26\.0 s, not 15\.0 s/, { duration: '15s' }],
    [/has 10 operations at --rate 1\/s: at least 20/, { rate: '1/s' }],
    [/at most 200 with --hostile/, { nClients: '201' }],
    [/could not be told apart/, { churn: '1,every=5s' }],
    [/at most 1h/, { duration: '2h' }],
    [/stretches have a length/, { benchmarkRuns: '500' }],
    [/one server/, { servers: '3', store: 'postgres' }],
    [/own memory/, { store: 'postgres' }],
    [/a fault/, { fault: 'at=5s pause=1s' }],
    [/iOwnTheTarget/, { target: `/ip4/192.168.1.5/tcp/8000/p2p/${PEER}` }],
    [/our own server/, { hostile: 'http', target: `/ip4/127.0.0.1/tcp/8000/p2p/${PEER}` }]
  ]))
    it(`are refused with ${JSON.stringify(options)}`, () =>
      assert.match(
        JSON.stringify(
          made({ hostile: 'frames', ...('benchmarkRuns' in options ? {} : { duration: '30s' }), ...options })
            .problems
        ),
        refused
      ))

  it('go to a target on another host that is said to be owned', () => {
    const target = `/ip4/192.168.1.5/tcp/8000/p2p/${PEER}`
    assert.equal(planOf({ hostile: 'slow', duration: '30s', target, iOwnTheTarget: true }).target, target)
  })
})
