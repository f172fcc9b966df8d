import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Cookies } from '../../../src/server/rendezvous/requests.js'
import { AddOutcome } from '../../../src/server/store/registration.js'
import { add, addFrom, bytes, page } from './registrations-of.js'

/**
 * @typedef {import('../../../src/server/store/registration.js').RegistrationStore} Store
 * @typedef {{ maxPeerRegistrations?: number, maxRegistrations?: number }} Caps
 *
 * @typedef {object} Kind - of store
 * @property {string} name
 * @property {(t: import('node:test').TestContext, caps?: Caps) => Promise<Store>} make - an empty one
 * @property {boolean} [oneNamespace] - it does not list all namespaces together
 */

/** holdsContract tests what every store must do. @param {Kind} kind */
export function holdsContract({ name, make, oneNamespace }) {
  describe(`a store: ${name}`, () => {
    it('keeps a record that is newer than the one that comes, and takes one as new as it', async t => {
      const store = await make(t)
      const addWith = async (
        /** @type {bigint | undefined} */ recordSeq,
        /** @type {string} */ text,
        ns = 'x'
      ) => store.add({ peerId: bytes('a'), ns, signedPeerRecord: bytes(text), recordSeq, ttlSeconds: 60 })
      const most = 2n ** 64n - 1n
      assert.equal(await addWith(most - 1n, 'first'), AddOutcome.ADDED)
      assert.equal(await addWith(most - 2n, 'older'), AddOutcome.STALE)
      assert.equal(await addWith(most - 1n, 'as new'), AddOutcome.REPLACED)
      assert.equal(await addWith(most, 'newer'), AddOutcome.REPLACED)
      assert.equal(await addWith(most - 1n, 'older again'), AddOutcome.STALE)
      const { registrations } = await page(store, { ns: 'x' })
      const records = registrations.map(({ record }) => record)
      assert.deepEqual(records, ['newer'])
      assert.equal(await store.remove(bytes('a'), 'x'), true)
      assert.equal(await addWith(1n, 'of a peer that is gone'), AddOutcome.ADDED)
      assert.equal(await addWith(undefined, 'that nobody compares'), AddOutcome.REPLACED)
    })

    it('gives registrations in the order they came, of a namespace whose name may be anything', async t => {
      const store = await make(t)
      const names = ['x', 'ünï', 'a\0b', "'; --", 'y'.repeat(255)]
      for (const ns of names)
        for (const peer of ['b', 'a']) assert.equal(await add(store, peer, ns), AddOutcome.ADDED)
      for (const ns of names) {
        const { registrations, peers } = await page(store, { ns })
        assert.deepEqual(peers, ['b', 'a'])
        assert.ok(registrations.every(one => one.ns === ns && one.ttl === 3600))
      }
      assert.deepEqual((await page(store, { ns: 'a' })).peers, [])
      const { registrations, namespaces } = await store.counts()
      assert.deepEqual({ registrations, namespaces }, { registrations: 10, namespaces: 5 })
    })

    it('puts a peer that registers again last, once, with its new record and time', async t => {
      const store = await make(t)
      for (const peer of ['a', 'b', 'a']) await add(store, peer, 'x')
      const { cursor } = await page(store, { ns: 'x' })
      assert.equal(await add(store, 'b', 'x', 7), AddOutcome.REPLACED)
      assert.deepEqual((await page(store, { ns: 'x' })).peers, ['a', 'b'])
      const { registrations, peers } = await page(store, { ns: 'x', after: cursor })
      assert.deepEqual(peers, ['b'])
      assert.equal(registrations[0].ttl, 7)
    })

    it('removes a registration, and says whether there was one', async t => {
      const store = await make(t)
      await add(store, 'a', 'x')
      for (const [peer, ns, there] of /** @type {const} */ ([
        ['a', 'y', false],
        ['b', 'x', false],
        ['a', 'x', true],
        ['a', 'x', false]
      ]))
        assert.equal(await store.remove(bytes(peer), ns), there)
      assert.equal((await store.counts()).registrations, 0)
    })

    it('lists all namespaces in one order, or says that it does not', async t => {
      const store = await make(t)
      for (const [peer, ns] of [
        ['a', 'x'],
        ['b', 'y'],
        ['c', 'x']
      ])
        await add(store, peer, ns)
      if (oneNamespace) {
        await assert.rejects(async () => page(store), { code: 'ERR_STORE_UNAVAILABLE' })
        return
      }
      const first = await page(store, { limit: 2 })
      assert.deepEqual(first.peers, ['a', 'b'])
      assert.deepEqual((await page(store, { after: first.cursor })).peers, ['c'])
    })

    it('holds every cap, and lets a peer refresh what it has', async t => {
      const store = await make(t, { maxPeerRegistrations: 2, maxRegistrations: 3 })
      for (const ns of ['x', 'y']) assert.equal(await add(store, 'a', ns), AddOutcome.ADDED)
      assert.equal(await add(store, 'a', 'z'), AddOutcome.PEER_FULL)
      assert.equal(await add(store, 'b', 'x'), AddOutcome.ADDED)
      assert.equal(await add(store, 'b', 'y'), AddOutcome.STORE_FULL)
      assert.equal(await add(store, 'c', 'y'), AddOutcome.STORE_FULL)
      assert.equal(await add(store, 'a', 'y'), AddOutcome.REPLACED)
      await store.remove(bytes('a'), 'y')
      assert.equal(await add(store, 'c', 'y'), AddOutcome.ADDED)
    })

    /** @param {Store} store @param {string} group @returns {Promise<number>} how many it takes of peers of a group */
    async function fill(store, group) {
      for (let count = 0; ; count++)
        if ((await addFrom(store, group, `${group} ${count}`)) !== AddOutcome.ADDED) return count
    }

    it('lets a group of addresses have as many registrations as it leaves free, and others all', async t => {
      const store = await make(t, { maxRegistrations: 16 })
      assert.deepEqual([await fill(store, 'a'), await fill(store, 'b'), await fill(store, 'c')], [8, 4, 2])
      assert.equal(await addFrom(store, undefined, 'preloaded'), AddOutcome.ADDED)
      await store.remove(bytes('a 0'), 'x')
      assert.equal(await addFrom(store, 'a', 'a 0'), AddOutcome.STORE_FULL, 'it has more than others')
      for (let peer = 1; peer < 8; peer++) await store.remove(bytes(`a ${peer}`), 'x')
      assert.equal(await fill(store, 'a'), 5, 'of 16, 7 are others’')
    })

    it('lets a group renew what it has, and not what others have', async t => {
      const store = await make(t, { maxRegistrations: 4 })
      for (const peer of ['a0', 'a1']) assert.equal(await addFrom(store, 'a', peer), AddOutcome.ADDED)
      assert.equal(await addFrom(store, 'a', 'a0'), AddOutcome.REPLACED)
      assert.equal(await addFrom(store, 'b', 'a0'), AddOutcome.REPLACED)
      assert.equal(await addFrom(store, 'b', 'b0'), AddOutcome.ADDED)
      assert.equal(await addFrom(store, 'b', 'a1'), AddOutcome.STORE_FULL)
      assert.equal(await addFrom(store, 'a', 'a1'), AddOutcome.REPLACED)
    })

    it('counts for no group what none of them began', async t => {
      const store = await make(t, { maxRegistrations: 2 })
      for (const peer of ['p', 'q']) assert.equal(await addFrom(store, undefined, peer), AddOutcome.ADDED)
      assert.equal(await addFrom(store, 'a', 'p'), AddOutcome.STORE_FULL)
      assert.equal(await addFrom(store, undefined, 'p'), AddOutcome.REPLACED)
    })

    it('forgets what has expired, which counts for no cap, and can be registered anew', async t => {
      const store = await make(t, { maxPeerRegistrations: 1 })
      assert.equal(await add(store, 'a', 'x', 0.05), AddOutcome.ADDED)
      await new Promise(resolve => setTimeout(resolve, 60))
      assert.deepEqual((await page(store, { ns: 'x' })).peers, [])
      assert.equal((await store.counts()).registrations, 0)
      assert.equal(await add(store, 'a', 'x', 0.05), AddOutcome.ADDED)
      await new Promise(resolve => setTimeout(resolve, 60))
      assert.equal(await add(store, 'a', 'y'), AddOutcome.ADDED)
      assert.equal(await store.remove(bytes('a'), 'x'), false)
      assert.equal((await store.counts()).registrations, 1)
    })

    it('has places of which cookies are made that are 8 bytes, then ASCII, and are read again', async t => {
      const store = await make(t)
      const cookies = new Cookies(store.cookieKey)
      for (const peer of ['a', 'b']) await add(store, peer, 'x')
      for (const ns of oneNamespace ? ['x'] : ['x', undefined]) {
        const { cursor } = await page(store, { ns, limit: 1 })
        const cookie = cookies.make(ns, cursor)
        assert.match(Buffer.from(cookie.subarray(8)).toString('latin1'), /^[\w-]{22,35}$/)
        assert.deepEqual((await page(store, { ns, after: cookies.read(ns, cookie) })).peers, ['b'])
      }
    })

    it('fills a page up to its bytes, and gives what is larger alone', async t => {
      const store = await make(t)
      const record = new Uint8Array(1000)
      for (let i = 0; i < 10; i++)
        await store.add({ peerId: bytes(`p${i}`), ns: 'x', signedPeerRecord: record, ttlSeconds: 60 })
      const some = await store.page({ ns: 'x', limit: 1000, maxBytes: 4200 })
      assert.equal(some.count, 4)
      assert.ok(some.registrations.length <= 4200)
      assert.equal((await store.page({ ns: 'x', limit: 1000, maxBytes: 10 })).count, 1)
    })

    it('gives everyone once in its pages, whoever comes, goes and registers again meanwhile', async t => {
      const store = await make(t)
      const staying = Array.from({ length: 60 }, (_, i) => `p${i}`)
      for (const peer of staying) await add(store, peer, 'x')
      let writing = true
      const writers = ['u', 'v', 'w'].map(async name => {
        for (let i = 0; writing; i++) {
          await add(store, `${name}${i % 7}`, 'x')
          await store.remove(bytes(`${name}${(i + 3) % 7}`), 'x')
          await new Promise(setImmediate)
        }
      })
      /** @type {string[]} */
      const seen = []
      for (
        let after = /** @type {number | bigint} */ (0);
        seen.filter(peer => peer.startsWith('p')).length < 60;
      ) {
        const next = await page(store, { ns: 'x', after, limit: 7 })
        seen.push(...next.peers)
        if (next.peers.length === 0) break
        after = next.cursor
      }
      writing = false
      await Promise.all(writers)
      const found = seen.filter(peer => peer.startsWith('p'))
      assert.deepEqual(found, staying)
    })
  })
}
