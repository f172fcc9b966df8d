// Opens a pool of PostgreSQL connections for a server's store, with time limits for statements.
import pg from 'pg'
import { hidePasswords } from '../kit/host-address.js'
import { describeDatabaseError } from './store/sql/backpressure.js'
import { StoreOpenError } from './store.js'

/**
 * @typedef {object} PoolFigures - of a pool of connections since it was opened
 * @property {number} connections - at most
 * @property {number} statements
 * @property {number} waitedMs - of all statements together, waiting for a connection
 * @property {number} busyMs - of all statements together, using a connection
 */

/**
 * BY_INDEX makes a connection find rows by their indexes. The plan of a prepared statement is decided at its first use, when the table may be
 * empty and a full scan is cheapest: each later REGISTER and DISCOVER would scan the whole table, until its statistics are updated. The
 * tallies have no index; the estimated cost of their scan is then so high that PostgreSQL would compile the statement (JIT) each time.
 */
const BY_INDEX = `SELECT set_config(name, 'off', false) FROM pg_settings WHERE name IN ('enable_seqscan', 'jit')`

/** Time limits of a statement: the database ends it at the first, this process at the last, should the database not answer. */
const STATEMENT_MS = 4000
const LOCK_MS = 3000
const ANSWER_MS = 5000
const CONNECT_MS = 3000
/** Statements that may wait for each connection. */
const WAITING_EACH = 16

/**
 * openPostgres opens a pool of connections to a database.
 *
 * @param {string} url - postgres://…
 * @param {{ connections: number }} options
 * @returns {Promise<Database>}
 * @throws {StoreOpenError}
 */
export async function openPostgres(url, { connections }) {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'libp2p-loadtest',
    connectionTimeoutMillis: CONNECT_MS,
    // a statement that finds no free connection waits tens of ms for a new one, even if another becomes free: so connections never end
    idleTimeoutMillis: 0,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    keepAlive: true,
    onConnect: async client => {
      // a statement on a broken connection fails, too
      client.on('error', () => {})
      await client.query(SYNCHRONOUS)
      await client.query(BY_INDEX)
    }
  })
  // an idle connection has broken: a new one is made when it is needed
  pool.on('error', () => {})
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    throw new StoreOpenError(
      `--store ${hidePasswords(url)} cannot be opened: ${describeDatabaseError(error)}`
    )
  }
  const figures = { connections, statements: 0, waitedMs: 0, busyMs: 0 }
  return {
    query: (statement, values) => queryIn(pool, figures, { ...statement, values }),
    transaction: work => transaction(pool, work),
    durability: () => durability(pool),
    waiting: () => pool.waitingCount,
    pool: () => ({ ...figures }),
    maxUnderWay: connections * (1 + WAITING_EACH),
    close: () => pool.end()
  }
}

/** An acknowledged registration is on the disk, whatever the settings of role and database. A stronger setting stays. */
const SYNCHRONOUS = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')`

/**
 * Runs a statement on a connection, which is closed after an error.
 *
 * @param {pg.Pool} pool
 * @param {PoolFigures} figures
 * @param {{ name?: string, text: string, values?: readonly unknown[] }} statement
 */
async function queryIn(pool, figures, { values = [], ...statement }) {
  const beganMs = performance.now()
  const client = await pool.connect()
  const connectedMs = performance.now()
  figures.statements++
  figures.waitedMs += connectedMs - beganMs
  try {
    const query = { ...statement, values: /** @type {unknown[]} */ (values), query_timeout: ANSWER_MS }
    const { rows } = await client.query(query)
    client.release()
    return rows
  } catch (error) {
    client.release(/** @type {Error} */ (error))
    throw error
  } finally {
    figures.busyMs += performance.now() - connectedMs
  }
}

/** @template T @param {pg.Pool} pool @param {(query: Query) => Promise<T>} work @returns {Promise<T>} */
async function transaction(pool, work) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const done = await work(async ({ text }, values = []) => (await client.query(text, [...values])).rows)
    await client.query('COMMIT')
    client.release()
    return done
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    client.release(/** @type {Error} */ (error))
    throw error
  }
}

/** @param {pg.Pool} pool */
async function durability(pool) {
  const names = ['fsync', 'synchronous_commit', 'full_page_writes']
  const { rows } = await pool.query(
    `SELECT ${names.map(name => `current_setting('${name}', true) AS ${name}`)}`
  )
  const settings = names.map(name => `${name} ${rows[0][name] ?? 'unknown'}`).join(', ')
  const isDurable = names.every(name => rows[0][name] !== 'off')
  return `${settings}: ${isDurable ? 'what is acknowledged is kept' : 'what is acknowledged can be lost when the machine of the database stops'}`
}

/**
 * @typedef {Record<string, any>} Row
 *
 * @typedef {(statement: { name?: string, text: string }, values?: readonly unknown[]) => Promise<Row[]>} Query - one with a name is
 *   prepared once
 *
 * @typedef {object} Database - a database that speaks PostgreSQL's SQL, for a store
 * @property {Query} query
 * @property {<T>(work: (query: Query) => Promise<T>) => Promise<T>} transaction - on one connection; rolled back if it throws
 * @property {() => Promise<string>} durability - which crashes acknowledged registrations survive, in words
 * @property {() => number} waiting - statements that wait for a connection
 * @property {() => PoolFigures} [pool] - of its pool of connections so far
 * @property {number} maxUnderWay - statements that may run or wait
 * @property {() => Promise<void>} close
 */
