import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pathsOf } from '../../src/agents/placement.js'
import { gossipPlan } from '../network/gossip/gossip-plan.js'
import { planned } from '../plan/planned.js'

const PEER = '/tcp/8000/p2p/12D3KooWKrEPfpTRBNoH35vgD2cQysyNchGY1yNvdq6vFqNXsdMk'

describe('who dials whom in a run', () => {
  it('is every agent our own server', () => {
    assert.deepEqual(pathsOf(planned({ nClients: 3 }), 3), { here: [0, 1, 2], targets: [], between: [] })
  })

  it('is every agent the servers of others', () => {
    const [one, two] = [`/ip4/127.0.0.1${PEER}`, `/ip4/127.0.0.2${PEER}`]
    assert.deepEqual(pathsOf(planned({ target: one }), 2), { here: [], targets: [one], between: [] })
    assert.deepEqual(pathsOf(planned({ targets: `${one},${two}` }), 2).targets, [one, two])
  })

  it('is agents whose nodes are neighbours, those that dial', () => {
    const plan = gossipPlan({ nodes: 6, workers: 3, topology: /** @type {any} */ ({ kind: 'line' }) })
    const { between } = pathsOf(plan, 3)
    // node k is on agent k mod 3, and one of two neighbours dials
    assert.ok(between.every(([from, to]) => from !== to))
    assert.ok(between.length >= 3 && between.length <= 5, JSON.stringify(between))
    assert.deepEqual(pathsOf(plan, 1).between, [])
  })

  it('is any two where clients are full peers, and our own server', () => {
    const { here, between } = pathsOf(planned({ mix: 'discover=1,publish=1', nClients: 4 }), 2)
    assert.deepEqual({ here, between: between.length }, { here: [0, 1], between: 2 })
  })

  it('is any two where only the run tells', () => {
    const plan = gossipPlan({ nodes: 6, workers: 3, topology: /** @type {any} */ ({ kind: 'line' }) })
    const churned = {
      ...plan,
      churn: /** @type {any} */ ({ peers: 2, everyMs: 1000, awayMs: 100, asNew: true })
    }
    assert.equal(pathsOf(churned, 3).between.length, 6)
    const meeting = { ...plan, topology: { kind: 'rendezvous', k: 2 } }
    assert.deepEqual(pathsOf(meeting, 2), {
      here: [0, 1],
      targets: [],
      between: [
        [0, 1],
        [1, 0]
      ]
    })
  })
})
