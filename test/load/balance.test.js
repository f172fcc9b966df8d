import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serverOf, serversInTurn } from '../../src/load/balance.js'

const BALANCES = ['round-robin', 'random', 'sticky']

const CLIENTS = Array.from({ length: 3000 }, (_, i) => i)

/** @param {string} balance @param {number} servers @param {number} [seed] */
const shared = (balance, servers, seed = 1) =>
  CLIENTS.map(client => serverOf(client, servers, { balance, seed }))

describe('clients are shared out among servers', () => {
  for (const balance of BALANCES)
    it(`${balance}: about as many to each, the same with the same seed`, () => {
      const servers = shared(balance, 3)
      for (const server of [0, 1, 2]) {
        const count = servers.filter(one => one === server).length
        assert.ok(Math.abs(count - 1000) < 150, `${count} to server ${server}`)
      }
      assert.deepEqual(shared(balance, 3), servers)
      assert.deepEqual([...new Set(shared(balance, 1))], [0])
    })

  it('round-robin: in turn', () => assert.deepEqual(shared('round-robin', 3).slice(0, 5), [0, 1, 2, 0, 1]))

  it('random: by the seed', () => assert.notDeepEqual(shared('random', 3, 2), shared('random', 3, 1)))

  for (const balance of BALANCES)
    it(`${balance}: clients of a server that is gone are spread over those that are left`, () => {
      const orders = CLIENTS.map(client => serversInTurn(client, 3, { balance, seed: 1 }))
      assert.deepEqual(
        orders.map(([own]) => own),
        shared(balance, 3)
      )
      for (const order of orders) assert.deepEqual(order.toSorted(), [0, 1, 2])
      const next = orders.filter(([own]) => own === 1).map(([, second]) => second)
      const toFirst = next.filter(server => server === 0).length / next.length
      assert.ok(toFirst > 0.4 && toFirst < 0.6, `${toFirst} of them go to server 0`)
    })

  it('sticky: where there is one server more, clients go to that one or stay', () => {
    const [before, after] = [shared('sticky', 3), shared('sticky', 4)]
    const moved = CLIENTS.filter(client => before[client] !== after[client])
    assert.ok(moved.length > 600 && moved.length < 900, `${moved.length} moved`)
    assert.ok(moved.every(client => after[client] === 3))
  })
})
