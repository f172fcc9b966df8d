import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publishes, topicsOf } from '../../../../src/scenarios/rendezvous/peer-options.js'
import { planned } from '../../../plan/planned.js'

const MIX = 'register=1,discover=8,publish=4'

describe('a plan whose mix has publish', () => {
  test('is of full peers, in one topic, that sign 1,000 bytes', () => {
    const plan = planned({ mix: MIX })
    assert.ok(publishes(plan))
    const { benchmarkType, topics, messageBytes, signing } = plan
    assert.deepEqual(
      { benchmarkType, topics, messageBytes, signing },
      {
        benchmarkType: 'MIXED',
        topics: [{ name: 'topic-0', chance: 1 }],
        messageBytes: { min: 1000, max: 1000 },
        signing: true
      }
    )
    assert.equal(topicsOf(plan).all, 1)
    assert.deepEqual(topicsOf(plan).of(3), [0])
  })

  test('has every client in one topic at least, whatever the chances', () => {
    const { all, of } = topicsOf(planned({ mix: MIX, nClients: '50', topics: 'a=0.1,b=0.1' }))
    const subscribed = Array.from({ length: 50 }, (_, client) => of(client))
    assert.equal(all, 2)
    assert.ok(subscribed.every(own => own.length >= 1 && own.every(topic => topic < 2)))
    assert.ok(subscribed.some(own => own[0] === 1))
  })
})

test('a plan without it says nothing of publishing', () => {
  const plan = planned({ mix: 'register=1,discover=8', benchmarkType: 'MIXED' })
  assert.equal(publishes(plan), false)
  for (const key of ['topics', 'messageBytes', 'signing']) assert.equal(key in plan, false, key)
  assert.deepEqual(plan.mix, { register: 1 / 9, discover: 8 / 9, unregister: 0 })
  assert.deepEqual([topicsOf(plan).all, topicsOf(plan).of(0)], [0, []])
})
