import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subscriptionsOf } from '../../src/load/network-script.js'

const NODES = 1000
const FOO = { name: 'foo', chance: 0.7 }
const BAR = { name: 'bar', chance: 0.4 }
const ALL = { name: 'all', chance: 1 }

/** @param {import('../../src/scenarios/gossip/options.js').Topic[]} topics */
const drawn = (topics, { seed = 1, nodes = NODES } = {}) => subscriptionsOf({ seed, nodes, topics })

/** @param {number[][]} subscriptions @param {number} topic */
const subscribers = (subscriptions, topic) =>
  subscriptions.flatMap((mine, node) => (mine.includes(topic) ? [node] : []))

describe('subscriptions', () => {
  it('with a chance of 1 are those of every node', () => {
    assert.deepEqual(drawn([ALL], { nodes: 3 }), [[0], [0], [0]])
  })

  it('come about as often as their chances say', () => {
    const subscriptions = drawn([FOO, BAR])
    for (const [topic, { name, chance }] of [FOO, BAR].entries()) {
      const share = subscribers(subscriptions, topic).length / NODES
      // five standard deviations
      assert.ok(Math.abs(share - chance) < 0.08, `${name}: ${share}`)
    }
  })

  it('name topics by their place in the plan, in its order', () => {
    for (const mine of drawn([BAR, ALL, FOO])) {
      assert.ok(mine.includes(1))
      assert.deepEqual(
        mine,
        [...mine].sort((a, b) => a - b)
      )
    }
  })

  it('are the same with the same seed, and others with another one', () => {
    assert.deepEqual(drawn([FOO]), drawn([FOO]))
    assert.notDeepEqual(drawn([FOO]), drawn([FOO], { seed: 2 }))
  })

  it('to a topic do not depend on the others', () => {
    assert.deepEqual(subscribers(drawn([FOO]), 0), subscribers(drawn([BAR, FOO]), 1))
    assert.notDeepEqual(subscribers(drawn([FOO]), 0), subscribers(drawn([{ ...FOO, name: 'bar' }]), 0))
  })

  it('of more nodes begin with those of fewer', () => {
    assert.deepEqual(drawn([FOO], { nodes: 20 }).slice(0, 10), drawn([FOO], { nodes: 10 }))
  })
})
