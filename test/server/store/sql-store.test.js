import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fenceNamed } from '../../../src/server/store/sql/fence.js'
import { SqlStore } from '../../../src/server/store/sql/sql-store.js'
import { bytes } from './registrations-of.js'

/** A database that answers, and notes what it was asked. */
function listening() {
  /** @type {string[]} */
  const asked = []
  /** @type {Record<string, any>} */
  const answers = {
    'rendezvous-register': { outcome: 'added' },
    'rendezvous-unregister': { removed: true },
    'rendezvous-page': { count: 0, bodies: null, places: null }
  }
  const database = /** @type {import('../../../src/server/store/sql/database.js').Database} */ ({
    query: async ({ name = '' }) => {
      asked.push(name)
      return [answers[name]]
    },
    maxUnderWay: 1
  })
  const fence = fenceNamed('xid')
  return {
    asked,
    store: new SqlStore(database, { fence, cookieKey: new Uint8Array(32), durability: 'none' })
  }
}

describe('a request is one round trip to the database', () => {
  const registration = { peerId: bytes('a'), ns: 'x', signedPeerRecord: bytes('record'), ttlSeconds: 60 }
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
