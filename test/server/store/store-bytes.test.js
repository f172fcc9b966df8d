import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MemoryStore } from '../../../src/server/store/memory-store.js'
import { AddOutcome } from '../../../src/server/store/registration.js'
import { computeDefaultStoreBytes } from '../../../src/server/store.js'

const MIB = 1 << 20
const LARGE = 14_000

/** @param {MemoryStore} store @param {string} peer @param {string} ns @param {number} [bytes] */
const add = (store, peer, ns, bytes = LARGE) =>
  store.add({ peerId: Buffer.from(peer), ns, signedPeerRecord: new Uint8Array(bytes), ttlSeconds: 3600 })

/** @param {MemoryStore} store @param {string} peer @param {number} [bytes] @returns {Promise<number>} how many were taken */
async function fill(store, peer, bytes) {
  for (let count = 0; ; count++) {
    const outcome = await add(store, peer, `ns${count}`, bytes)
    if (outcome !== AddOutcome.ADDED) {
      assert.equal(outcome, AddOutcome.STORE_FULL)
      return count
    }
  }
}

describe('the bytes of a store', () => {
  it('are bounded, whatever the number of registrations', async () => {
    const store = new MemoryStore({ maxStoreBytes: 4 * MIB })
    let taken = 0
    for (let i = 0; i < 60; i++) taken += await fill(store, `peer ${i}`)
    assert.ok(taken * LARGE <= 4 * MIB && taken * LARGE > 3 * MIB, `${taken}`)
    assert.ok(store.bytes <= 4 * MIB)
  })

  it('are shared: no peer takes what another needs', async () => {
    const store = new MemoryStore({ maxStoreBytes: 4 * MIB })
    const greedy = await fill(store, 'greedy')
    assert.ok(greedy * LARGE <= 2 * MIB)
    for (let i = 0; i < 20; i++) assert.equal(await add(store, `modest ${i}`, 'ns'), AddOutcome.ADDED)
    assert.equal(await add(store, 'greedy', 'one more'), AddOutcome.STORE_FULL)
  })

  it('come free again', async () => {
    let now = 0
    const store = new MemoryStore({ maxStoreBytes: MIB, now: () => now })
    const before = await fill(store, 'peer')
    await store.remove(Buffer.from('peer'), 'ns0')
    assert.equal(await add(store, 'peer', 'ns0'), AddOutcome.ADDED)
    now = 3600_000
    assert.equal((await store.counts()).registrations, 0)
    assert.equal(store.bytes, 0)
    assert.equal(await fill(store, 'peer'), before)
  })

  it('do not forbid to renew, but to renew with more', async () => {
    const store = new MemoryStore({ maxStoreBytes: MIB })
    await fill(store, 'peer', 1000)
    assert.equal(await add(store, 'peer', 'ns0', 1000), AddOutcome.REPLACED)
    assert.equal(await add(store, 'peer', 'ns0', LARGE), AddOutcome.STORE_FULL)
    const found = await store.page({ ns: 'ns0', limit: 10, maxBytes: MIB })
    assert.ok(found.registrations.length < 1100, 'the old one is still there')
  })

  it('count namespaces, which cost more than small registrations', async () => {
    const store = new MemoryStore({ maxStoreBytes: MIB })
    const apart = await fill(store, 'peer', 10)
    assert.ok(apart * 500 < MIB)
  })

  it('are foreseen, before a signature is checked', async () => {
    const store = new MemoryStore({ maxStoreBytes: MIB })
    await fill(store, 'peer')
    const registration = {
      peerId: Buffer.from('peer'),
      ns: 'new',
      signedPeerRecord: new Uint8Array(LARGE),
      ttlSeconds: 9
    }
    assert.equal(store.refusal(registration), AddOutcome.STORE_FULL)
    assert.equal(store.refusal({ ...registration, peerId: Buffer.from('other') }), undefined)
  })
})

describe('the bytes of a store by default', () => {
  /** @type {Array<[what: string, constrained: number | undefined, total: number, bytes: number]>} */
  const cases = [
    ['without a control group', undefined, 8000, 2000],
    ['in one without a limit', 2 ** 64, 8000, 2000],
    ['in one whose limit is not known', 0, 8000, 2000],
    ['in one with a limit', 4000, 8000, 1000]
  ]
  for (const [what, constrained, total, bytes] of cases) {
    it(`are a quarter of the memory there is: ${what}`, () => {
      assert.equal(computeDefaultStoreBytes({ constrained, total }), bytes)
    })
  }
})
