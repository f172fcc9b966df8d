import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { joinedOf } from '../../../../src/scenarios/gossip/bootstrap.js'

/** @param {number} from @param {number} to @param {object} [more] */
const dial = (from, to, more = {}) => ({ from, to, ms: 10, error: null, inbound: false, ...more })

/** @param {number} node @param {object} [more] */
const step = (node, more = {}) => ({ node, ms: 5, error: null, topic: 0, found: 2, foreign: 0, ...more })

describe('a network that nodes made by finding one another', () => {
  it('has an edge for each pair, by the dial that made the connection', () => {
    const { dialled, steps } = joinedOf(
      [{ connects: [step(0), step(1)], registers: [step(0)] }],
      [
        { discovers: [step(0)], dials: [dial(0, 1, { inbound: true }), dial(0, 2)] },
        { discovers: [step(1, { found: 4, foreign: 3 })], dials: [dial(1, 0, { ms: 20 })] }
      ]
    )
    assert.deepEqual(dialled, [
      { from: 1, to: 0, ms: 20, error: null },
      { from: 0, to: 2, ms: 10, error: null }
    ])
    assert.deepEqual(
      [steps.connect.count, steps.register.count, steps.discover.count, steps.dial.count],
      [2, 1, 2, 2]
    )
    assert.deepEqual([steps.bothWays, steps.alreadyConnected, steps.failed], [1, 1, 0])
    assert.deepEqual(steps.found, { min: 2, avg: 3, max: 4 })
    assert.equal(steps.foreign, 3)
  })

  it('counts what failed, and takes a pair as joined when either of its dials went well', () => {
    const error = 'refused'
    const { dialled, steps } = joinedOf(
      [{ connects: [step(0, { error })], registers: [step(0, { error })] }],
      [
        {
          discovers: [step(0, { error, found: 0 })],
          dials: [dial(0, 1, { error }), dial(1, 0), dial(2, 0, { error })]
        }
      ]
    )
    assert.equal(steps.failed, 5)
    assert.deepEqual(steps.found, { min: null, avg: null, max: null })
    assert.deepEqual(
      dialled.map(({ from, to, error }) => [from, to, error]),
      [
        [1, 0, null],
        [2, 0, error]
      ]
    )
  })
})
