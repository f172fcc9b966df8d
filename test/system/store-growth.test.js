import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openPostgres } from '../../src/server/postgres.js'
import { SqlStore } from '../../src/server/sql-store.js'
import { add, bytes, page } from '../server/store/registrations-of.js'
import { NO_POSTGRES, sharedPostgres } from './postgres.js'

/** @typedef {import('../../src/server/postgres.js').Database} Database */

const ROUNDS = 6
const EACH = 250
/** Of a round: each REGISTER and DISCOVER may look at a few that are not meant. */
const FEW = 10

/** Rows and entries of indexes that were read so far, and pages of the tallies. @param {Database} database */
async function read({ query }) {
  await query({ text: 'SELECT pg_stat_force_next_flush()' })
  const [{ tuples, pages }] = await query({
    text: `SELECT (SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables WHERE relname ~ 'registrations|peers')::int
      + (SELECT coalesce(sum(idx_tup_read), 0) FROM pg_stat_user_indexes WHERE relname ~ 'registrations|peers')::int AS tuples,
      pg_relation_size('rendezvous_tallies')::int / 8192 AS pages`
  })
  return { tuples, pages }
}

/** A store that was empty when its statements were first used, and grows: rows read in each round of as much work. @param {Database} database */
async function grown(database) {
  const store = await SqlStore.open(database)
  // more often than after which the plan of a prepared statement is kept
  for (let i = 0; i < 10; i++) {
    await add(store, 'first', 'empty')
    await page(store, { ns: 'empty' })
    await store.remove(bytes('first'), 'empty')
  }
  /** @type {number[]} */
  const tuples = []
  let before = await read(database)
  for (let round = 0; round < ROUNDS; round++) {
    const some = Array.from({ length: EACH }, (_, i) => ({
      ...{ peerId: bytes(`p${round}-${i}`), ns: `ns${i % 5}` },
      ...{ signedPeerRecord: bytes('r'), ttlSeconds: 7200 }
    }))
    assert.deepEqual(await store.addMany(some), { added: EACH })
    for (let i = 0; i < FEW; i++) {
      await add(store, `alone${round}-${i}`, 'ns1')
      assert.equal((await page(store, { ns: 'ns1', limit: 5 })).peers.length, 5)
    }
    const after = await read(database)
    tuples.push(after.tuples - before.tuples)
    before = after
  }
  await store.stop()
  return { tuples, pages: before.pages }
}

/** @param {Awaited<ReturnType<typeof grown>>} found */
function assertFlat({ tuples, pages }) {
  const [first, last] = [tuples[0], tuples[ROUNDS - 1]]
  assert.ok(last <= 1.5 * first + 100, `rows read in each round: ${tuples.join(', ')}`)
  assert.ok(pages <= 3, `${pages} pages for the tallies`)
}

describe('a store that grows from nothing reads no more for a REGISTER or DISCOVER than before', () => {
  it('postgres', { skip: NO_POSTGRES }, async () => {
    const postgres = await sharedPostgres()
    assertFlat(await grown(await openPostgres(await postgres.database(), { connections: 1 })))
  })
})
