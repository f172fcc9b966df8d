import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SqlStore } from '../../../src/server/sql-store.js'
import { findRowOrder } from '../../../src/server/store/sql/schema.js'
import { bytes } from './registrations-of.js'

/**
 * A database that answers, and notes what it was asked.
 *
 * @param {Partial<import('../../../src/server/postgres.js').Database> & { answering?: () => Promise<void> }} [parts]
 */
function listening({ answering = async () => {}, ...parts } = {}) {
  /** @type {string[]} */
  const asked = []
  /** @type {Record<string, any>} */
  const answers = {
    'rendezvous-register': { outcome: 'added' },
    'rendezvous-unregister': { removed: true },
    'rendezvous-page': { count: 0, bodies: null, places: null }
  }
  const database = /** @type {import('../../../src/server/postgres.js').Database} */ ({
    query: async ({ name = '' }) => {
      asked.push(name)
      await answering()
      return [answers[name]]
    },
    maxUnderWay: 1,
    waiting: () => 0,
    ...parts
  })
  const rowOrder = findRowOrder('xid')
  return {
    asked,
    store: new SqlStore(database, { rowOrder, cookieKey: new Uint8Array(32), durability: 'none' })
  }
}

const registration = { peerId: bytes('a'), ns: 'x', signedPeerRecord: bytes('record'), ttlSeconds: 60 }

describe('a request is one round trip to the database', () => {
  for (const [
    what,
    ask,
    statement
  ] of /** @type {[string, (store: SqlStore) => Promise<unknown>, string][]} */ ([
    ['REGISTER', store => store.add(registration), 'rendezvous-register'],
    ['UNREGISTER', store => store.remove(bytes('a'), 'x'), 'rendezvous-unregister'],
    ['DISCOVER', store => store.page({ ns: 'x', limit: 20, maxBytes: 1000 }), 'rendezvous-page']
  ]))
    it(what, async () => {
      const { asked, store } = listening()
      await ask(store)
      assert.deepEqual(asked, [statement])
    })
})

/** A store whose database answers when it is told to. @param {number} maxUnderWay */
function slow(maxUnderWay) {
  const { promise: answer, resolve: go } = Promise.withResolvers()
  const { asked, store } = listening({ maxUnderWay, answering: async () => void (await answer) })
  return { asked, store, go: () => go(undefined) }
}

describe('what one peer asks at once', () => {
  const page = { ns: 'x', limit: 20, maxBytes: 1000 }
  const BUSY = { code: 'ERR_STORE_UNAVAILABLE', message: 'the store is busy' }

  it('is one change at a time at the database, and keeps nobody else out', async () => {
    const { asked, store, go } = slow(4)
    const own = [1, 2, 3, 4, 5].map(() => store.add(registration))
    own.push(/** @type {any} */ (store.remove(registration.peerId, 'x')))
    const others = ['b', 'c', 'd'].map(peer => store.add({ ...registration, peerId: bytes(peer) }))
    await new Promise(setImmediate)
    assert.deepEqual([asked.length, store.health().underWay], [4, 9])
    go()
    assert.deepEqual(await Promise.all([...own, ...others]), [
      ...Array(5).fill('added'),
      true,
      ...Array(3).fill('added')
    ])
  })

  it('is refused beyond what may wait, before its signature is checked', async () => {
    const { store, go } = slow(4)
    const own = Array.from({ length: 257 }, () => store.add(registration))
    assert.throws(() => store.refusal(registration), BUSY)
    await assert.rejects(store.add(registration), BUSY)
    await assert.rejects(store.remove(registration.peerId, 'x'), BUSY)
    assert.equal(store.refusal({ ...registration, peerId: bytes('b') }), undefined)
    go()
    assert.equal((await Promise.all(own)).length, 257)
    assert.equal(store.refusal(registration), undefined)
  })

  it('is two pages at a time, whose wait nothing else has part in', async () => {
    const { asked, store, go } = slow(4)
    const peerId = bytes('a')
    const own = [1, 2, 3, 4, 5].map(() => store.page({ ...page, peerId }))
    const others = [store.add(registration), store.page({ ...page, peerId: bytes('b') })]
    await new Promise(setImmediate)
    assert.equal(asked.length, 4)
    go()
    await Promise.all([...own, ...others])
    assert.equal(asked.length, 7)
  })
})
