import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultPeerScoreParams, defaultPeerScoreThresholds } from '@libp2p/gossipsub/score'
import {
  DECODE_LIMITS,
  gossipsubOptions,
  hasScores,
  SCORE_PARAMS,
  SCORE_THRESHOLDS
} from '../../../src/network/gossipsub.js'
import { gossipPlan } from './gossip-plan.js'

/** What the package exports to nobody. */
const { defaultDecodeRpcLimits } = await import(
  new URL('message/decodeRpc.js', import.meta.resolve('@libp2p/gossipsub')).href
)

const AS_IT_COMES = { scoreParams: { IPColocationFactorWeight: 0 }, globalSignaturePolicy: 'StrictSign' }

describe('the options of gossipsub', () => {
  it('have the places that the library gives them', () => {
    assert.deepEqual([...SCORE_PARAMS].sort(), Object.keys(defaultPeerScoreParams).sort())
    assert.deepEqual([...SCORE_THRESHOLDS].sort(), Object.keys(defaultPeerScoreThresholds).sort())
    assert.deepEqual(DECODE_LIMITS, defaultDecodeRpcLimits)
  })

  it('say whether a plan sets anything by which peers are scored', () => {
    assert.equal(hasScores(gossipPlan({ gossipsub: { D: 8 }, preset: 'study-2019' })), false)
    assert.equal(hasScores(gossipPlan({ topicScoreParams: {} })), false)
    assert.equal(hasScores(gossipPlan({ topicScoreParams: { load: { topicWeight: 2 } } })), true)
    assert.equal(hasScores(gossipPlan({ gossipsub: { gossipThreshold: -5 } })), true)
    assert.equal(hasScores(gossipPlan({ gossipsub: { behaviourPenaltyWeight: -1 } })), true)
  })

  /** @type {[string, Parameters<typeof gossipPlan>[0], object][]} */
  const cases = [
    ["are the library's but for what one host needs", { gossipsub: {} }, AS_IT_COMES],
    [
      'hold what the plan asks for, where the library looks for it',
      { gossipsub: { D: 8, floodPublish: false, behaviourPenaltyWeight: -1, gossipThreshold: -5 } },
      {
        ...AS_IT_COMES,
        D: 8,
        floodPublish: false,
        scoreParams: { IPColocationFactorWeight: 0, behaviourPenaltyWeight: -1 },
        scoreThresholds: { gossipThreshold: -5 }
      }
    ],
    [
      'hold limits of decoding together with those that are not given, and addresses as a set',
      { gossipsub: { maxMessages: 9, IPColocationFactorWhitelist: ['10.0.0.1'] } },
      {
        ...AS_IT_COMES,
        scoreParams: { IPColocationFactorWeight: 0, IPColocationFactorWhitelist: new Set(['10.0.0.1']) },
        decodeRpcLimits: { ...defaultDecodeRpcLimits, maxMessages: 9 }
      }
    ],
    [
      'without signing',
      { gossipsub: {}, signing: false },
      { ...AS_IT_COMES, globalSignaturePolicy: 'StrictNoSign' }
    ],
    [
      'with scores of topics',
      { gossipsub: {}, topicScoreParams: { load: { topicWeight: 2 } } },
      { ...AS_IT_COMES, scoreParams: { IPColocationFactorWeight: 0, topics: { load: { topicWeight: 2 } } } }
    ],
    [
      'of the study give scores no weight',
      { gossipsub: { floodPublish: false }, preset: 'study-2019' },
      {
        ...AS_IT_COMES,
        floodPublish: false,
        scoreParams: { IPColocationFactorWeight: 0, appSpecificWeight: 0, behaviourPenaltyWeight: 0 }
      }
    ]
  ]
  for (const [name, changes, expected] of cases) {
    it(name, () => assert.deepEqual(gossipsubOptions(gossipPlan(changes)), expected))
  }

  it('have a fast message id that tells messages apart by their first bytes', () => {
    const { fastMsgIdFn } = gossipsubOptions(gossipPlan({ fastMsgId: true }))
    const id = (/** @type {number[]} */ ...bytes) =>
      fastMsgIdFn?.({ topic: 'load', data: Uint8Array.from(bytes) })
    assert.equal(id(1, 2, 3, 4, 5, 6, 7, 8, 9), id(1, 2, 3, 4, 5, 6, 7, 8, 10))
    assert.notEqual(id(1, 2, 3, 4, 5, 6, 7, 8), id(1, 2, 3, 4, 5, 6, 7, 9))
    assert.equal(id(), '')
  })
})
