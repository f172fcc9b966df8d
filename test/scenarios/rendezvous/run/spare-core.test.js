import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasSpareCore } from '../../../../src/scenarios/rendezvous/worker-pool.js'

describe('a load generator keeps a core to itself', () => {
  it('beside one server on two cores', () =>
    assert.equal(hasSpareCore({ workers: 1, servers: 1, targets: null, store: 'memory' }, 2), true))

  it('not beside another one on two cores', () => assert.equal(hasSpareCore({ workers: 2 }, 2), false))

  it('not beside three servers on three cores', () => {
    assert.equal(hasSpareCore({ workers: 1, servers: 3 }, 3), false)
    assert.equal(hasSpareCore({ workers: 1, servers: 1, targets: ['a', 'b', 'c'] }, 3), false)
  })

  it('not where a database needs the last one', () => {
    assert.equal(hasSpareCore({ workers: 1, servers: 1, store: 'postgres' }, 2), false)
    assert.equal(hasSpareCore({ workers: 1, servers: 1, store: 'postgres' }, 3), true)
  })
})
