import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dealIndices } from '../../src/kit/collections.js'
import {
  doesChangeState,
  findClientWork,
  findDueRate,
  findGroupPlaces,
  findSenders,
  listGroups,
  listRoles,
  orderServers,
  planMeasuredLength,
  planWarmUpLength
} from '../../src/load/clients.js'
import { planned } from '../plan/planned.js'

const OPEN = planned({ providers: 2, discoverers: 5, providerRate: '10/s', discovererRate: '300/s' })
const ALIKE = planned({ nClients: 7, benchmarkType: 'DISCOVER', rate: '90/s' })

describe('the clients of a plan', () => {
  it('with roles are those that only register, and after them those that only discover', () => {
    const found = Array.from({ length: 7 }, (_, client) => findClientWork(OPEN, client).benchmarkType)
    assert.deepEqual(found, ['REGISTER', 'REGISTER', ...Array(5).fill('DISCOVER')])
    const rows = listRoles(OPEN).flatMap(({ role, ratePerSecond }) => [role, ratePerSecond])
    assert.deepEqual(rows, ['providers', 10, 'discoverers', 300])
  })

  it('without roles are one group, and send what the plan says', () => {
    assert.deepEqual(listRoles(ALIKE), [])
    assert.deepEqual(listGroups(ALIKE), [{ role: null, type: null, first: 0, clients: 7, ratePerSecond: 90 }])
    assert.equal(findClientWork(ALIKE, 6), ALIKE)
  })

  it('are with one worker or another, each with one', () => {
    for (const workers of [1, 2, 3, 7]) {
      const hands = Array.from({ length: workers }, (_, index) => dealIndices(7, index, workers))
      const found = listGroups(OPEN).map(group =>
        hands.flatMap(clients => findGroupPlaces(group, clients).map(place => clients[place])).sort()
      )
      assert.deepEqual(found, [
        [0, 1],
        [2, 3, 4, 5, 6]
      ])
    }
  })

  it('are all that a group without a role has, the probe too, which is none of them', () =>
    assert.deepEqual(findGroupPlaces(listGroups({ nClients: 1, ratePerSecond: 5 })[0], [7]), [0]))

  it('that send operations of a type are those of its role; connections are opened by all', () => {
    const shown = (/** @type {string} */ type) => {
      const { clients, ratePerSecond } = findSenders(OPEN, type)
      return [clients, ratePerSecond]
    }
    assert.deepEqual(['REGISTER', 'DISCOVER', 'CONNECT'].map(shown), [
      [2, 10],
      [5, 300],
      [7, 310]
    ])
    assert.equal(findSenders(ALIKE, 'DISCOVER').clients, 7)
  })

  it('of a mix have each type due at its part of the rate, and what a role sends at its own', () => {
    const due = (/** @type {Record<string, unknown>} */ options, /** @type {string[]} */ ...types) =>
      types.map(type => findDueRate(planned(options), type))
    const mixed = { benchmarkType: 'MIXED', mix: 'register=1,discover=8,unregister=1', rate: '60/s' }
    assert.deepEqual(due(mixed, 'REGISTER', 'DISCOVER', 'UNREGISTER', 'CONNECT'), [6, 48, 6, null])
    const each = { ...mixed, connectionPerOperation: true }
    assert.deepEqual(due(each, 'CONNECT'), [60])
    assert.deepEqual([findDueRate(OPEN, 'REGISTER'), findDueRate(ALIKE, 'DISCOVER')], [10, 90])
    assert.deepEqual(due({ benchmarkType: 'MIXED' }, 'REGISTER', 'DISCOVER'), [null, null])
  })

  it('that come and go have DISCOVER due at the rate; they connect and register when they start and when a registration ends', () =>
    assert.deepEqual(
      ['DISCOVER', 'REGISTER', 'CONNECT'].map(type => findDueRate(ALIKE, type)),
      [90, null, null]
    ))
})

/** @typedef {Record<string, unknown>} Options */

describe('a plan changes how many registrations the server holds', () => {
  for (const [options, changes] of /** @type {[Options, boolean][]} */ ([
    [{ benchmarkType: 'REGISTER' }, false],
    [{ benchmarkType: 'REGISTER', registerMode: 'new' }, true],
    [{ benchmarkType: 'DISCOVER' }, false],
    [{ benchmarkType: 'UNREGISTER' }, true],
    [{ benchmarkType: 'MIXED' }, false],
    [{ benchmarkType: 'MIXED', registerMode: 'new' }, true],
    [{ providers: 1, discoverers: 2 }, false]
  ])) {
    it(`${changes ? '' : 'not '}with ${Object.entries(options).join(', ')}`, () =>
      assert.equal(doesChangeState(planned(options)), changes))
  }
})

describe('the measurement', () => {
  const open = { rate: 500, benchmarkType: 'DISCOVER' }
  const roles = { providers: 1, discoverers: 2 }
  /** @type {[string, Options, [operations: number | null, durationMs: number | null, minDurationMs: number]][]} */
  const cases = [
    ['goes on for 10 s where nothing is said', {}, [null, 10_000, 0]],
    ['has as many operations as were asked for', { benchmarkRuns: 137 }, [137, null, 0]],
    ['goes on for the duration', { duration: '30s' }, [null, 30_000, 0]],
    ['ends with what comes first', { duration: '30s', benchmarkRuns: 137 }, [137, 30_000, 0]],
    ['goes on until enough was measured', { benchmarkRuns: 137, minDuration: '3s' }, [137, null, 3000]],
    [
      'ends before new registrations reach the cap of the server',
      { registerMode: 'new', maxPeerRegistrations: 30, nClients: 4 },
      [120, 10_000, 0]
    ],
    [
      'ends before there is nothing left to unregister',
      { benchmarkType: 'UNREGISTER', maxPeerRegistrations: 30, nClients: 4, duration: '3s' },
      [120, 3000, 0]
    ],
    ['of the open model has what is due in the time', open, [5000, null, 0]],
    ['of the open model has what is first', { ...open, benchmarkRuns: 300, duration: '2s' }, [300, null, 0]],
    [
      'of the open model has what is due until enough was measured',
      { ...open, benchmarkRuns: 300, minDuration: '2s' },
      [1000, null, 0]
    ],
    ['of the open model has one operation at least', { ...open, rate: 0.01, duration: '1s' }, [1, null, 0]],
    ['of roles goes on for their time', roles, [null, 10_000, 0]],
    ['of roles at rates', { ...roles, providerRate: 1, discovererRate: 2, duration: '3s' }, [null, 3000, 0]]
  ]
  for (const [name, options, [operations, durationMs, minDurationMs]] of cases)
    it(name, () =>
      assert.deepEqual(planMeasuredLength(planned(options)), { operations, durationMs, minDurationMs })
    )
})

describe('the rest of a stretch of the warm-up', () => {
  const discover = { benchmarkType: 'DISCOVER', nClients: 8 }
  const register = { benchmarkType: 'REGISTER', registerMode: 'new', nClients: 8 }
  /** @type {[string, Options, number, number | null | undefined][]} */
  const cases = [
    ['has as many operations as come', discover, 700, null],
    ['is none where next to no time is left', discover, 49, undefined],
    ['is none when it is over', discover, -20, undefined],
    ['adds no more than the measurement', { ...register, benchmarkRuns: 5000 }, 700, 5000],
    ['has 1,000 operations all the same', { ...register, benchmarkRuns: 100 }, 700, 1000]
  ]
  for (const [name, options, leftMs, operations] of cases)
    it(name, () => assert.equal(planWarmUpLength(planned(options), leftMs)?.operations, operations))
})

const CLIENTS = Array.from({ length: 3000 }, (_, i) => i)

describe('clients are shared out among servers', () => {
  const orders = CLIENTS.map(client => orderServers(client, 3, 1))

  it('in turn', () =>
    assert.deepEqual(
      orders.slice(0, 5).map(([own]) => own),
      [0, 1, 2, 0, 1]
    ))

  it('those of a server that is gone are spread over those that are left, the same with the same seed', () => {
    for (const order of orders) assert.deepEqual(order.toSorted(), [0, 1, 2])
    const next = orders.filter(([own]) => own === 1).map(([, second]) => second)
    const toFirst = next.filter(server => server === 0).length / next.length
    assert.ok(toFirst > 0.4 && toFirst < 0.6, `${toFirst} of them go to server 0`)
    const found = CLIENTS.map(client => orderServers(client, 3, 1))
    assert.deepEqual(found, orders)
  })
})
