import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Subscribers } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'

const SUBSCRIPTIONS = [[0], [0, 2, 2], [2]]

describe('subscribers', () => {
  it('of a topic are those that asked for it, once each, and of others nobody', () => {
    const subscribers = new Subscribers(4, SUBSCRIPTIONS)
    assert.equal(subscribers.topics, 3)
    assert.deepEqual(subscribers.of(0, 0), [0, 1])
    assert.deepEqual(subscribers.of(1, 0), [])
    assert.deepEqual(subscribers.of(2, 0), [1, 2])
    assert.deepEqual(subscribers.of(9, 0), [])
    assert.equal(new Subscribers(4, []).topics, 0)
  })

  it('are to receive what others publish to their topics', () => {
    const subscribers = new Subscribers(4, SUBSCRIPTIONS)
    const message = { topic: 0, publisher: 0, publishedUs: 0 }
    assert.deepEqual(
      [0, 1, 2, 3].map(node => subscribers.expects(node, message)),
      [false, true, false, false]
    )
    assert.equal(subscribers.expects(1, { ...message, topic: 9 }), false)
  })

  it('are to receive it only while they are there', () => {
    const subscribers = new Subscribers(
      4,
      SUBSCRIPTIONS,
      (node, publishedUs) => node === 1 || publishedUs < 5
    )
    assert.deepEqual(subscribers.of(0, 4), [0, 1])
    assert.deepEqual(subscribers.of(0, 5), [1])
    const message = { topic: 2, publisher: 1, publishedUs: 4 }
    assert.equal(subscribers.expects(2, message), true)
    assert.equal(subscribers.expects(2, { ...message, publishedUs: 5 }), false)
  })
})
