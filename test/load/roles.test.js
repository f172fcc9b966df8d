import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dealt } from '../../src/kit/collections.js'
import { dueRate, groupsOf, placesOf, rolesOf, sendersOf, workOf } from '../../src/load/clients.js'
import { planned } from '../plan/planned.js'

const OPEN = planned({ providers: 2, discoverers: 5, providerRate: '10/s', discovererRate: '300/s' })
const ALIKE = planned({ nClients: 7, benchmarkType: 'DISCOVER', rate: '90/s' })

describe('the clients of a plan', () => {
  it('with roles are those that only register, and after them those that only discover', () => {
    assert.deepEqual(
      Array.from({ length: 7 }, (_, client) => workOf(OPEN, client).benchmarkType),
      ['REGISTER', 'REGISTER', ...Array(5).fill('DISCOVER')]
    )
    assert.deepEqual(
      rolesOf(OPEN).map(({ role, ratePerSecond }) => [role, ratePerSecond]),
      [
        ['providers', 10],
        ['discoverers', 300]
      ]
    )
  })

  it('without roles are one group, and send what the plan says', () => {
    assert.deepEqual(rolesOf(ALIKE), [])
    assert.deepEqual(groupsOf(ALIKE), [{ role: null, type: null, first: 0, clients: 7, ratePerSecond: 90 }])
    assert.equal(workOf(ALIKE, 6), ALIKE)
  })

  it('are with one worker or another, each with one', () => {
    for (const workers of [1, 2, 3, 7]) {
      const hands = Array.from({ length: workers }, (_, index) => dealt(7, index, workers))
      const found = groupsOf(OPEN).map(group =>
        hands.flatMap(clients => placesOf(group, clients).map(place => clients[place])).sort()
      )
      assert.deepEqual(found, [
        [0, 1],
        [2, 3, 4, 5, 6]
      ])
    }
  })

  it('are all that a group without a role has, the probe too, which is none of them', () =>
    assert.deepEqual(placesOf(groupsOf({ nClients: 1, ratePerSecond: 5 })[0], [7]), [0]))

  it('that send operations of a type are those of its role; connections are opened by all', () => {
    const shown = (/** @type {string} */ type) => {
      const { clients, ratePerSecond } = sendersOf(OPEN, type)
      return [clients, ratePerSecond]
    }
    assert.deepEqual(['REGISTER', 'DISCOVER', 'CONNECT'].map(shown), [
      [2, 10],
      [5, 300],
      [7, 310]
    ])
    assert.equal(sendersOf(ALIKE, 'DISCOVER').clients, 7)
  })

  it('of a mix have each type due at its part of the rate, and what a role sends at its own', () => {
    const due = (/** @type {Record<string, unknown>} */ options, /** @type {string[]} */ ...types) =>
      types.map(type => dueRate(planned(options), type))
    const mixed = { benchmarkType: 'MIXED', mix: 'register=1,discover=8,unregister=1', rate: '60/s' }
    assert.deepEqual(due(mixed, 'REGISTER', 'DISCOVER', 'UNREGISTER', 'CONNECT'), [6, 48, 6, null])
    const each = { ...mixed, connectionPerOperation: true }
    assert.deepEqual(due(each, 'CONNECT'), [60])
    assert.deepEqual([dueRate(OPEN, 'REGISTER'), dueRate(ALIKE, 'DISCOVER')], [10, 90])
    assert.deepEqual(due({ benchmarkType: 'MIXED' }, 'REGISTER', 'DISCOVER'), [null, null])
  })

  it('that come and go have DISCOVER due at the rate; they connect and register when they start and when a registration ends', () =>
    assert.deepEqual(
      ['DISCOVER', 'REGISTER', 'CONNECT'].map(type => dueRate(ALIKE, type)),
      [90, null, null]
    ))
})
