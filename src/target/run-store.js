import { withoutPassword } from '../kit/without-password.js'
import { databaseReader } from './postgres/database-reading.js'
import { databaseWork } from './postgres/database-work.js'
import { findPostgres } from './postgres/installed.js'
import { startOwnPostgres } from './postgres/own-postgres.js'
import { TargetError } from './target-error.js'

/**
 * @typedef {object} RunStore - where the servers of a run keep registrations
 * @property {string} address - for `server --store`
 * @property {(() => Promise<import('../measure/resource-series.js').Reading>) | null} reading - of the database, all its processes
 *   together; null: it is in the server, or elsewhere
 * @property {() => Promise<import('./postgres/database-work.js').DatabaseWork | null>} [work] - what the database has written so far
 * @property {{ url: string, whose: string, lock?: string }} [database] - that can go away; `lock`: held as long as the run is there
 * @property {readonly string[]} [left] - lines that drop schemas in it of runs that are gone
 * @property {Record<string, string>} [versions] - of what the database runs on, where that is not this machine's
 * @property {() => Promise<void>} stop - nothing of it is left
 */

/**
 * startRunStore makes a store that holds nothing yet.
 *
 * @param {string} store - memory, postgres, or the URL of a PostgreSQL, in which the run has a schema of its own
 * @param {string} name - that no other run has
 * @param {() => ReturnType<typeof findPostgres>} [installed] - this machine's PostgreSQL
 * @returns {Promise<RunStore>}
 * @throws {TargetError} STORE_NOT_STARTED
 */
export async function startRunStore(store, name, installed = findPostgres) {
  if (store === 'memory') return { address: 'memory', reading: null, stop: async () => {} }
  if (store !== 'postgres') return schemaIn(store, name)
  const found = installed()
  if (typeof found === 'string') return inDocker(found)
  const own = await startOwnPostgres(found)
  const reading = process.platform === 'linux' ? databaseReader(own.pid) : null
  const database = { url: own.url, whose: OWN }
  return { address: own.url, reading, work: () => databaseWork(own), database, stop: own.stop }
}

const OWN = 'the database of the run (--store postgres)'

/** @param {string} why - this machine's own is not taken @returns {Promise<RunStore>} */
async function inDocker(why) {
  // nothing of Docker is loaded where it is not needed
  const { startDockerPostgres } = await import('./postgres/docker-postgres.js')
  const own = await startDockerPostgres().catch(error => {
    if (error instanceof TargetError) throw error
    throw new TargetError(
      'STORE_NOT_STARTED',
      `--store postgres: ${why}, or take it from Docker: ${error.message}`
    )
  })
  const { url, reading, versions, stop } = own
  const database = { url, whose: OWN }
  return { address: url, reading, work: () => databaseWork(own), database, versions, stop }
}

/** @param {string} url @param {string} name @returns {Promise<RunStore>} */
async function schemaIn(url, name) {
  const { default: pg } = await import('pg')
  const query = async (/** @type {string} */ text) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const named = withoutPassword(url)
  const words = (/** @type {any} */ { message, code }) => message || code
  await query(`CREATE SCHEMA "${name}"`).catch(error => {
    throw new TargetError('STORE_NOT_STARTED', `--store ${named} cannot be used: ${words(error)}`)
  })
  const schemas = await query(LEFT).catch(() => [])
  const path = `options=${encodeURIComponent(`-c search_path=${name}`)}`
  return {
    address: `${url}${url.includes('?') ? '&' : '?'}${path}`,
    reading: null,
    database: { url, whose: `the database at ${named}`, lock: name },
    left: schemas.flatMap(({ nspname }) => (nspname === name ? [] : `${dropping(nspname)};`)),
    stop: async () => {
      await query(dropping(name)).catch(error => {
        const why = `the schema ${name} stays behind in ${named}: ${words(error)}`
        throw new TargetError('LEFT_BEHIND', `${why}; this drops it: ${dropping(name)};`)
      })
    }
  }
}

/** Each run that is there locks the name of its schema. */
const LEFT = `SELECT nspname FROM pg_namespace
  WHERE nspname ~ '^loadtest_[0-9a-f]{12}$' AND pg_try_advisory_lock(hashtext(nspname))`

/** What drops a schema. @param {string} name */
const dropping = name => `DROP SCHEMA "${name}" CASCADE`
