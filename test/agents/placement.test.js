import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseAgents, findPaths } from '../../src/agents/placement.js'
import { gossipPlan } from '../network/gossip-plan.js'
import { planned } from '../plan/planned.js'

/** @param {string} id @param {Partial<import('../../src/agents/agent.js').AgentCard>} [more] */
const card = (id, more = {}) => ({
  ...{
    id,
    host: `host-${id}`,
    address: '127.0.0.1',
    tags: [],
    cores: 2,
    memoryBytes: 4e9,
    version: '1.0.0',
    format: '2',
    node: 'v20.19.0',
    busy: null
  },
  ...more
})
const OWN = { version: '1.0.0', format: '2' }
const ids = (/** @type {{ id: string }[]} */ cards) => cards.map(({ id }) => id)

describe('agents for a run', () => {
  const cards = [card('a', { tags: ['eu'] }), card('b', { tags: ['us', 'big'] }), card('c', { tags: ['eu'] })]

  it('are as many as are wanted, by tag', () => {
    assert.deepEqual(ids(chooseAgents(cards, [{ tag: null, count: 2 }], OWN)), ['a', 'b'])
    const wanted = [
      { tag: 'us', count: 1 },
      { tag: 'eu', count: 2 }
    ]
    assert.deepEqual(ids(chooseAgents(cards, wanted, OWN)), ['b', 'a', 'c'])
  })

  it('are refused where there are too few, with why others are none', () => {
    const others = [...cards, card('d', { busy: 'run-7' }), card('e', { version: '0.9.0' })]
    assert.throws(() => chooseAgents(others, [{ tag: null, count: 4 }], OWN), {
      code: 'NO_AGENTS',
      message:
        /4 agents: requested, but 3 free.*agent d \(host-d\): is busy with run run-7.*version 0\.9\.0, and this is version 1\.0\.0/
    })
    assert.throws(() => chooseAgents(cards, [{ tag: 'big', count: 2 }], OWN), /2 agents with the tag big/)
  })

  it('are refused where they speak otherwise on the bus, of whatever version they are', () => {
    const { format: _, ...first } = card('a')
    for (const [other, theirs] of /** @type {[import('../../src/agents/agent.js').AgentCard, string][]} */ ([
      [first, 'format 1'],
      [card('a', { format: '3' }), 'format 3']
    ]))
      assert.throws(
        () => chooseAgents([other], [{ tag: null, count: 1 }], OWN),
        new RegExp(
          `agent a \\(host-a\\): is version 1\\.0\\.0 with ${theirs} of the bus, and this is version 1\\.0\\.0 with format 2`
        )
      )
  })
})

const PEER = '/tcp/8000/p2p/12D3KooWKrEPfpTRBNoH35vgD2cQysyNchGY1yNvdq6vFqNXsdMk'

describe('who dials whom in a run', () => {
  it('is every agent our own server', () => {
    assert.deepEqual(findPaths(planned({ nClients: 3 }), 3), { here: [0, 1, 2], targets: [], between: [] })
  })

  it('is every agent the servers of others', () => {
    const [one, two] = [`/ip4/127.0.0.1${PEER}`, `/ip4/127.0.0.2${PEER}`]
    assert.deepEqual(findPaths(planned({ target: one }), 2), { here: [], targets: [one], between: [] })
    assert.deepEqual(findPaths(planned({ targets: `${one},${two}` }), 2).targets, [one, two])
  })

  it('is agents whose nodes are neighbours, those that dial', () => {
    const plan = gossipPlan({ nodes: 6, workers: 3, topology: /** @type {any} */ ({ kind: 'line' }) })
    const { between } = findPaths(plan, 3)
    // node k is on agent k mod 3, and one of two neighbours dials
    assert.ok(between.every(([from, to]) => from !== to))
    assert.ok(between.length >= 3 && between.length <= 5, JSON.stringify(between))
    assert.deepEqual(findPaths(plan, 1).between, [])
  })

  it('is any two where clients are full peers, and our own server', () => {
    const { here, between } = findPaths(planned({ mix: 'discover=1,publish=1', nClients: 4 }), 2)
    assert.deepEqual({ here, between: between.length }, { here: [0, 1], between: 2 })
  })

  it('is any two where only the run tells', () => {
    const plan = gossipPlan({ nodes: 6, workers: 3, topology: /** @type {any} */ ({ kind: 'line' }) })
    const churned = {
      ...plan,
      churn: /** @type {any} */ ({ peers: 2, everyMs: 1000, awayMs: 100, asNew: true })
    }
    assert.equal(findPaths(churned, 3).between.length, 6)
    const meeting = { ...plan, topology: { kind: 'rendezvous', k: 2 } }
    assert.deepEqual(findPaths(meeting, 2), {
      here: [0, 1],
      targets: [],
      between: [
        [0, 1],
        [1, 0]
      ]
    })
  })
})
