import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Subscribers } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'

const SUBSCRIPTIONS = [[0], [0, 2, 2], [2]]

describe('subscribers', () => {
  it('of a topic are those that asked for it, once each, and of others nobody', () => {
    const subscribers = new Subscribers(4, SUBSCRIPTIONS)
    assert.deepEqual([subscribers.topics, subscribers.of(0, 0), subscribers.of(1, 0)], [3, [0, 1], []])
    assert.deepEqual([subscribers.of(2, 0), subscribers.of(9, 0)], [[1, 2], []])
    assert.equal(new Subscribers(4, []).topics, 0)
  })

  it('are to receive what others publish to their topics', () => {
    const subscribers = new Subscribers(4, SUBSCRIPTIONS)
    const message = { topic: 0, publisher: 0, publishedUs: 0 }
    const actual = [0, 1, 2, 3].map(node => subscribers.expects(node, message))
    assert.deepEqual(actual, [false, true, false, false])
    assert.equal(subscribers.expects(1, { ...message, topic: 9 }), false)
  })

  it('are to receive it only while they are there', () => {
    const subscribers = new Subscribers(
      4,
      SUBSCRIPTIONS,
      (node, publishedUs) => node === 1 || publishedUs < 5
    )
    assert.deepEqual([subscribers.of(0, 4), subscribers.of(0, 5)], [[0, 1], [1]])
    const message = { topic: 2, publisher: 1, publishedUs: 4 }
    assert.equal(subscribers.expects(2, message), true)
    assert.equal(subscribers.expects(2, { ...message, publishedUs: 5 }), false)
  })
})
