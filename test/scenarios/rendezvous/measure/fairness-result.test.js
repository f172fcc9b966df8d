import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rolesOf } from '../../../../src/load/clients.js'
import { fairnessOf } from '../../../../src/scenarios/rendezvous/outcome.js'

/** @param {number[]} succeeded - by client @param {Record<string, Record<string, number>>} types - counts by outcome @param {import('../../../../src/load/clients.js').Role[]} [roles] */
const fairness = (succeeded, types, roles) =>
  fairnessOf(
    {
      succeeded: new Map(succeeded.entries()),
      load: /** @type {any} */ ({
        types: Object.keys(types),
        byOutcome: (/** @type {string} */ _, /** @type {string} */ type) =>
          new Map(Object.entries(types[type]).map(([outcome, count]) => [outcome, { count }]))
      })
    },
    roles
  )

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

  it('with roles is within each, and that of clients is the lower one: they send at rates of their own', () => {
    const roles = rolesOf({ providers: 2, discoverers: 3 })
    const { clients, ...others } = fairness([5, 5, 40, 40, 0], {}, roles)
    assert.deepEqual(others, { types: null, providers: 1, discoverers: clients })
    assert.ok(Math.abs(Number(clients) - 2 / 3) < 1e-12)
  })

  it('is not known of a role of one client', () =>
    assert.deepEqual(fairness([5, 40, 40], {}, rolesOf({ providers: 1, discoverers: 2 })), {
      clients: 1,
      types: null,
      providers: null,
      discoverers: 1
    }))

  it('is not known of one client and one type', () =>
    assert.deepEqual(fairness([7], { REGISTER: { OK: 7 } }), { clients: null, types: null }))
})
