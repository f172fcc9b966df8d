import { randomBytes } from 'node:crypto'
import { StoreOpenError } from '../store-error.js'
import { fenceFor, fenceNamed } from './fence.js'
import { functionsOf, MIGRATIONS } from './schema.js'
import { kindOf } from './sql-states.js'

/**
 * @typedef {import('./database.js').Database} Database
 * @typedef {import('./database.js').Query} Query
 */

const KEY_BYTES = 32
const ATTEMPTS = 20
/** Two that make the same table at once: one is told that it is there, in one of these ways. */
const MADE_MEANWHILE = new Set(['23505', '42P07', '42710', 'XX000'])

/**
 * migrate brings the tables up to date, and gives what is kept in them for all servers. Of servers that start at once one does it and the others
 * wait: they all hold the one row of the table of versions, which needs no lock that only some databases have.
 *
 * @param {Database} database
 * @param {{ fence?: string }} [init] - `fence`: of tables that are new; default: what suits the database
 * @returns {Promise<{ fence: import('./fence.js').Fence, cookieKey: Uint8Array }>}
 * @throws {StoreOpenError} the tables are of a newer version
 */
export async function migrate(database, { fence } = {}) {
  const [{ version: server }] = await database.query({ text: 'SELECT version() AS version' })
  const suited = fence ?? fenceFor(server).name
  await again(() =>
    database.query({
      text: 'CREATE TABLE IF NOT EXISTS rendezvous_schema (id int PRIMARY KEY, version int NOT NULL, fence text NOT NULL)'
    })
  )
  await again(() =>
    database.query({ text: 'INSERT INTO rendezvous_schema VALUES (1, 0, $1) ON CONFLICT (id) DO NOTHING' }, [
      suited
    ])
  )
  return again(() => database.transaction(query => migrated(query)))
}

/** @param {Query} query */
async function migrated(query) {
  await query({ text: 'SET LOCAL statement_timeout = 0' })
  const [{ version, fence: name }] = await query({
    text: 'SELECT version, fence FROM rendezvous_schema WHERE id = 1 FOR UPDATE'
  })
  if (version > MIGRATIONS.length) {
    const why = `its tables are of version ${version}, and this program knows those up to ${MIGRATIONS.length}`
    throw new StoreOpenError(`the store cannot be used: ${why}`)
  }
  const fence = fenceNamed(name)
  if (version < MIGRATIONS.length) {
    for (const text of MIGRATIONS.slice(version).flat()) await query({ text })
    for (const text of functionsOf(fence)) await query({ text })
    await query({ text: 'UPDATE rendezvous_schema SET version = $1' }, [MIGRATIONS.length])
  }
  if (fence.name === 'xid') await bringBack(query)
  return { fence, cookieKey: await cookieKeyIn(query) }
}

/** Rows from another PostgreSQL, as from a dump, may be of transactions that are still to come in this one: they would be hidden until then. @param {Query} query */
const bringBack = query =>
  query({
    text: `UPDATE rendezvous_registrations SET xid = pg_current_xact_id()::text::bigint
      WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
  })

/** @param {Query} query @returns {Promise<Uint8Array>} */
async function cookieKeyIn(query) {
  await query(
    { text: "INSERT INTO rendezvous_settings VALUES ('cookie key', $1) ON CONFLICT (name) DO NOTHING" },
    [randomBytes(KEY_BYTES)]
  )
  const [{ value }] = await query({ text: "SELECT value FROM rendezvous_settings WHERE name = 'cookie key'" })
  return new Uint8Array(value)
}

/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function again(work, attempt = 1) {
  try {
    return await work()
  } catch (error) {
    const { code } = /** @type {{ code?: string }} */ (error)
    const passes = kindOf(error) === 'conflict' || MADE_MEANWHILE.has(code ?? '')
    if (!passes || attempt === ATTEMPTS) throw error
    return again(work, attempt + 1)
  }
}
