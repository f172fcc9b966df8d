import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serversInTurn } from '../../src/load/clients.js'

const CLIENTS = Array.from({ length: 3000 }, (_, i) => i)

describe('clients are shared out among servers', () => {
  const orders = CLIENTS.map(client => serversInTurn(client, 3, 1))

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
    assert.deepEqual(
      CLIENTS.map(client => serversInTurn(client, 3, 1)),
      orders
    )
  })
})
