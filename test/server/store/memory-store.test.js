import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MemoryStore } from '../../../src/server/store/memory-store.js'
import { AddOutcome } from '../../../src/server/store/registration.js'
import { random } from './random.js'
import { add, bytes, MAX_BYTES, page } from './registrations-of.js'

/** @param {object} [init] */
function makeStore(init) {
  const clock = { now: 0 }
  return { clock, store: new MemoryStore({ now: () => clock.now, ...init }) }
}

/** @param {string} peer @param {string} ns */
const registrationOf = (peer, ns) => ({
  ...{ peerId: bytes(peer), ns },
  ...{ signedPeerRecord: bytes(`record of ${peer}`), ttlSeconds: 10 }
})

describe('a store', () => {
  it('returns registrations in the order they came, of one namespace or of all', async () => {
    const { store } = makeStore()
    for (const [peer, ns] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
      ['a', 'y']
    ]) {
      assert.equal(await add(store, peer, ns), AddOutcome.ADDED)
    }
    assert.deepEqual((await page(store, { ns: 'x' })).peers, ['a', 'c'])
    const found = (await page(store)).registrations.map(r => `${r.ns}${r.record.slice(-1)}`)
    assert.deepEqual(found, ['xa', 'yb', 'xc', 'ya'])
    assert.deepEqual((await page(store, { ns: 'z' })).peers, [])
    assert.deepEqual(await store.counts(), { registrations: 4, namespaces: 2, peers: 3 })
  })

  it('puts a peer that registers again last, once', async () => {
    const { store } = makeStore()
    for (const peer of ['a', 'b', 'a']) await add(store, peer, 'x')
    assert.equal(await add(store, 'b', 'x', 10), AddOutcome.REPLACED)
    const { peers, registrations } = await page(store, { ns: 'x' })
    assert.deepEqual(peers, ['a', 'b'])
    assert.equal(registrations[1].ttl, 10)
  })

  it('removes a registration, and says whether there was one', async () => {
    const { store } = makeStore()
    await add(store, 'a', 'x')
    assert.equal(await store.remove(bytes('a'), 'y'), false)
    assert.equal(await store.remove(bytes('b'), 'x'), false)
    assert.equal(await store.remove(bytes('a'), 'x'), true)
    assert.equal(await store.remove(bytes('a'), 'x'), false)
    assert.deepEqual(await store.counts(), { registrations: 0, namespaces: 0, peers: 0 })
  })

  it('says how many seconds each registration has left, rounded up', async () => {
    const { store, clock } = makeStore()
    await add(store, 'a', 'x', 100)
    for (const [now, ttl] of [
      [0, 100],
      [1, 100],
      [1000, 99],
      [99_999, 1]
    ]) {
      clock.now = now
      assert.equal((await page(store)).registrations[0].ttl, ttl)
    }
  })

  it('forgets a registration when its time is over, and not before', async () => {
    const { store, clock } = makeStore()
    await add(store, 'a', 'x', 10)
    await add(store, 'b', 'x', 20)
    clock.now = 9_999
    assert.deepEqual((await page(store, { ns: 'x' })).peers, ['a', 'b'])
    clock.now = 10_000
    assert.deepEqual((await page(store, { ns: 'x' })).peers, ['b'])
    clock.now = 15_000
    await add(store, 'b', 'x', 20)
    clock.now = 34_999
    assert.deepEqual((await page(store, { ns: 'x' })).peers, ['b'])
    clock.now = 35_000
    assert.equal((await store.counts()).registrations, 0)
  })

  it('forgets ten thousand at once without holding up the event loop', async t => {
    const { store, clock } = makeStore()
    for (let i = 0; i < 10_000; i++) await add(store, `p${i}`, 'x', 10)
    clock.now = 10_000
    let turns = 0
    const ticking = setInterval(() => turns++, 0)
    t.after(() => clearInterval(ticking))
    assert.deepEqual((await page(store, { ns: 'x' })).peers, [])
    assert.ok(turns > 2, `${turns} turns`)
  })

  it('of which much has expired at once is asked as if that had gone already, and nobody waits', async () => {
    const { store, clock } = makeStore({ maxPeerRegistrations: 2 })
    for (let i = 0; i < 5000; i++) await add(store, `p${i}`, 'x', 10)
    await add(store, 'p4999', 'y', 10)
    await add(store, 'b', 'y', 20)
    clock.now = 10_000
    assert.equal(store.add(registrationOf('p4998', 'x')), AddOutcome.ADDED)
    assert.equal(store.remove(bytes('p4997'), 'x'), false)
    const found = store.page({ ns: 'y', limit: 10, maxBytes: MAX_BYTES })
    assert.ok(!(found instanceof Promise))
    assert.equal(found.count, 1)
    for (const ns of ['z1', 'z2']) assert.equal(await add(store, 'p4999', ns), AddOutcome.ADDED)
    assert.deepEqual((await page(store, { ns: 'x' })).peers, ['p4998'])
    assert.deepEqual(await store.counts(), { registrations: 4, namespaces: 4, peers: 3 })
  })

  it('is swept once for all who wait for that', async () => {
    const { store, clock } = makeStore()
    for (let i = 0; i < 5000; i++) await add(store, `p${i}`, 'x', 10)
    clock.now = 10_000
    const sweep = store.sweep()
    assert.equal(store.sweep(), sweep)
    await sweep
    assert.notEqual(store.sweep(), sweep)
  })

  it('removes the expired also while nobody asks', async () => {
    const store = new MemoryStore()
    store.start()
    store.start()
    await add(store, 'a', 'x', 0.1)
    await store.sweep()
    store.stop()
    store.stop()
  })
})

describe('caps', () => {
  it('hold for each peer, which can still refresh what it has', async () => {
    const { store } = makeStore({ maxPeerRegistrations: 2 })
    for (const ns of ['x', 'y']) await add(store, 'a', ns)
    assert.equal(await add(store, 'a', 'z'), AddOutcome.PEER_FULL)
    assert.equal(await add(store, 'a', 'x'), AddOutcome.REPLACED)
    assert.equal(await add(store, 'b', 'z'), AddOutcome.ADDED)
    await store.remove(bytes('a'), 'y')
    assert.equal(await add(store, 'a', 'z'), AddOutcome.ADDED)
  })

  it('hold in total, and free again what expired', async () => {
    const { store, clock } = makeStore({ maxRegistrations: 2 })
    await add(store, 'a', 'x', 10)
    await add(store, 'b', 'x', 20)
    assert.equal(await add(store, 'c', 'x'), AddOutcome.STORE_FULL)
    assert.equal(await add(store, 'a', 'x', 10), AddOutcome.REPLACED)
    clock.now = 10_000
    assert.equal(await add(store, 'c', 'x'), AddOutcome.ADDED)
  })

  it('count nothing that has expired, however much at once', async () => {
    const { store, clock } = makeStore({ maxRegistrations: 5000, maxPeerRegistrations: 5000 })
    for (let i = 0; i < 5000; i++) await add(store, 'a', `ns${i}`, 10)
    clock.now = 10_000
    for (let i = 0; i < 1000; i++) assert.equal(await add(store, 'a', `new${i}`), AddOutcome.ADDED)
  })

  it('count a peer of which nothing is left anew', async () => {
    const { store } = makeStore({ maxPeerRegistrations: 1 })
    await add(store, 'a', 'x')
    await store.remove(bytes('a'), 'x')
    assert.equal(await add(store, 'a', 'y'), AddOutcome.ADDED)
    assert.equal(await add(store, 'a', 'z'), AddOutcome.PEER_FULL)
  })
})

describe('groups of addresses', () => {
  /** @param {MemoryStore} store @param {string | undefined} group @param {string} peer @param {number} [size] */
  const addFrom = (store, group, peer, size = 10) =>
    store.add({ peerId: bytes(peer), ns: 'x', signedPeerRecord: new Uint8Array(size), ttlSeconds: 10, group })

  /** @param {MemoryStore} store @param {string} group @param {number} [size] */
  async function fill(store, group, size) {
    for (let count = 0; ; count++)
      if ((await addFrom(store, group, `${group} ${count}`, size)) !== AddOutcome.ADDED) return count
  }

  it('have as many registrations as they leave free, and others all', async () => {
    const { store, clock } = makeStore({ maxRegistrations: 1200 })
    const counts = [await fill(store, 'a'), await fill(store, 'b'), await fill(store, 'c')]
    assert.deepEqual(counts, [600, 300, 150])
    assert.equal(await addFrom(store, undefined, 'preloaded'), AddOutcome.ADDED)
    await store.remove(bytes('a 0'), 'x')
    assert.equal(await addFrom(store, 'a', 'a 0'), AddOutcome.STORE_FULL, 'it has more than others')
    clock.now = 10_000
    assert.equal(await fill(store, 'a'), 600)
  })

  it('have as many bytes as they leave free', async () => {
    const { store } = makeStore({ maxStoreBytes: 4 << 20 })
    const count = await fill(store, 'a', 10_000)
    assert.ok(count * 10_000 <= 2 << 20 && count * 10_000 > 1.9 * 2 ** 20, `${count}`)
    assert.equal(await addFrom(store, 'b', 'b', 10_000), AddOutcome.ADDED)
  })
})

describe('pages', () => {
  it('together hold everyone exactly once, whoever comes and goes meanwhile', async () => {
    const { store } = makeStore()
    for (let i = 0; i < 1000; i++) await add(store, `p${i}`, 'x')
    /** @type {string[]} */
    const seen = []
    for (let after = /** @type {number | bigint} */ (0), step = 0; ; step++) {
      const next = await page(store, { ns: 'x', after, limit: 30 })
      if (next.peers.length === 0) break
      seen.push(...next.peers)
      after = next.cursor
      // the one the cursor points to goes, one long passed goes, a new one comes
      await store.remove(bytes(next.peers[29] ?? ''), 'x')
      await store.remove(bytes(`p${step}`), 'x')
      if (step < 10) await add(store, `late${step}`, 'x')
    }
    assert.equal(new Set(seen).size, seen.length)
    for (let i = 0; i < 1000; i++) assert.ok(seen.includes(`p${i}`))
    for (let i = 0; i < 10; i++) assert.ok(seen.includes(`late${i}`))
  })

  it('show a peer again that registered again after it was seen', async () => {
    const { store } = makeStore()
    for (const peer of ['a', 'b', 'c']) await add(store, peer, 'x')
    const { cursor } = await page(store, { ns: 'x', limit: 2 })
    await add(store, 'a', 'x')
    assert.deepEqual((await page(store, { ns: 'x', after: cursor })).peers, ['c', 'a'])
  })

  it('stay empty at the end, with the same cursor, until somebody registers', async () => {
    const { store } = makeStore()
    await add(store, 'a', 'x')
    const end = await page(store, { ns: 'x' })
    assert.deepEqual(await page(store, { ns: 'x', after: end.cursor }), {
      ...end,
      registrations: [],
      peers: []
    })
    await store.remove(bytes('a'), 'x')
    await add(store, 'b', 'x')
    assert.deepEqual((await page(store, { ns: 'x', after: end.cursor })).peers, ['b'])
  })

  it('are cut short when they would get too large, never below one registration', async () => {
    const { store } = makeStore()
    for (const peer of ['a', 'b', 'c']) await add(store, peer, 'x')
    assert.deepEqual((await page(store, { maxBytes: 1 })).peers, ['a'])
    const { registrations } = await store.page({ limit: 2, maxBytes: MAX_BYTES })
    assert.deepEqual((await page(store, { maxBytes: registrations.length })).peers, ['a', 'b'])
    assert.deepEqual((await page(store, { maxBytes: registrations.length - 1 })).peers, ['a'])
  })

  it('keep their bytes when the registrations change', async () => {
    const { store } = makeStore()
    await add(store, 'a', 'x')
    const found = await store.page({ limit: 1, maxBytes: MAX_BYTES })
    const before = Buffer.from(found.registrations)
    await store.remove(bytes('a'), 'x')
    await add(store, 'b', 'x')
    assert.deepEqual(Buffer.from(found.registrations), before)
  })
})

describe('a store and a naive one', () => {
  for (const seed of [1, 2, 3]) {
    it(`agree after each of 4,000 random steps (seed ${seed})`, async () => {
      const next = random(seed)
      const { store, clock } = makeStore({ maxPeerRegistrations: 5, maxRegistrations: 60 })
      /** @type {Map<string, { peer: string, ns: string, expires: number }>} in registration order */
      const model = new Map()
      const addToModel = (
        /** @type {string} */ peer,
        /** @type {string} */ ns,
        /** @type {number} */ ttl
      ) => {
        const key = `${peer}/${ns}`
        const known = model.delete(key)
        if (!known && [...model.values()].filter(r => r.peer === peer).length >= 5)
          return AddOutcome.PEER_FULL
        if (!known && model.size >= 60) return AddOutcome.STORE_FULL
        model.set(key, { peer, ns, expires: clock.now + ttl * 1000 })
        return known ? AddOutcome.REPLACED : AddOutcome.ADDED
      }
      for (let step = 0; step < 4000; step++) {
        clock.now += next(300)
        for (const [key, { expires }] of model) if (expires <= clock.now) model.delete(key)
        const peer = `p${next(20)}`
        const ns = `n${next(8)}`
        const action = next(10)
        if (action < 6) {
          const ttl = 1 + next(30)
          assert.equal(await add(store, peer, ns, ttl), addToModel(peer, ns, ttl))
        } else if (action < 8) {
          assert.equal(await store.remove(bytes(peer), ns), model.delete(`${peer}/${ns}`))
        } else {
          const all = next(2) === 0
          const expected = [...model.values()].filter(r => all || r.ns === ns)
          const { registrations } = await page(store, all ? {} : { ns })
          assert.deepEqual(
            registrations,
            expected.map(r => ({
              ns: r.ns,
              record: `record of ${r.peer}`,
              ttl: Math.ceil((r.expires - clock.now) / 1000)
            }))
          )
        }
      }
      assert.equal((await store.counts()).registrations, model.size)
    })
  }
})
