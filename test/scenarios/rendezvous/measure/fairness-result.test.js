import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fairnessOf } from '../../../../src/scenarios/rendezvous/measure/fairness-result.js'

/** @param {number[]} succeeded @param {Record<string, Record<string, number>>} types - counts by outcome */
const fairness = (succeeded, types) =>
  fairnessOf({
    succeeded,
    load: /** @type {any} */ ({
      types: Object.keys(types),
      byOutcome: (/** @type {string} */ _, /** @type {string} */ type) =>
        new Map(Object.entries(types[type]).map(([outcome, count]) => [outcome, { count }]))
    })
  })

describe('fairness', () => {
  it('between clients is 1 where all had as much, and 1/n where one had everything', () => {
    assert.equal(fairness([5, 5, 5, 5], {}).clients, 1)
    assert.equal(fairness([20, 0, 0, 0], {}).clients, 1 / 4)
  })

  it('between types goes by the share that succeeded, however many there were of each; CONNECT is none of them', () => {
    const even = {
      REGISTER: { OK: 9, TIMEOUT: 1 },
      DISCOVER: { OK: 900, TIMEOUT: 100 },
      CONNECT: { LOST: 7 }
    }
    assert.equal(fairness([], even).types, 1)
    const starved = { REGISTER: { TIMEOUT: 10 }, DISCOVER: { OK: 1000 } }
    assert.equal(fairness([], starved).types, 1 / 2)
  })

  it('is not known of one client and one type', () =>
    assert.deepEqual(fairness([7], { REGISTER: { OK: 7 } }), { clients: null, types: null }))
})
