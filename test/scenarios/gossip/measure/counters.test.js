import assert from 'node:assert/strict'
import { it } from 'node:test'
import { COUNTER_NAMES, NetworkCounters, subtractCounters } from '../../../../src/scenarios/gossip/outcome.js'

/** Counter i of n has the value n × (i + 1). @param {number} n */
const counters = n =>
  /** @type {import('../../../../src/network/node-host.js').Counters} */ (
    Object.fromEntries(COUNTER_NAMES.map((name, i) => [name, n * (i + 1)]))
  )

it('the network has counted what each worker told last', () => {
  const network = new NetworkCounters()
  assert.deepEqual(network.total(), counters(0))
  network.add(0, { seq: 0, counters: counters(1) })
  network.add(1, { seq: 0, counters: counters(10) })
  network.add(0, { seq: 2, counters: counters(5) })
  network.add(0, { seq: 1, counters: counters(3) })
  assert.deepEqual(network.total(), counters(15))
})

it('a phase has counted what came between two moments', () =>
  assert.deepEqual(subtractCounters(counters(15), counters(4)), counters(11)))

it('what a worker of another version does not count is 0', () => {
  const { refusedRpcs, ...older } = counters(2)
  const network = new NetworkCounters()
  network.add(0, { seq: 0, counters: /** @type {any} */ (older) })
  assert.deepEqual(network.total(), { ...counters(2), refusedRpcs: 0 })
  assert.equal(subtractCounters(counters(2), /** @type {any} */ (older)).refusedRpcs, refusedRpcs)
  assert.equal(subtractCounters(/** @type {any} */ (older), /** @type {any} */ (older)).refusedRpcs, 0)
})
