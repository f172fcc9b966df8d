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

  it('go to a target on another host that is said to be owned', () => {
    const target = `/ip4/192.168.1.5/tcp/8000/p2p/${PEER}`
    assert.equal(planOf({ hostile: 'slow', duration: '30s', target, iOwnTheTarget: true }).target, target)
  })
})
