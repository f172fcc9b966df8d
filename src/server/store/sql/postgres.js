// Connections to PostgreSQL.
import pg from 'pg'
import { withoutPassword } from '../../../kit/host-address.js'
import { StoreOpenError } from '../../store.js'

/**
 * @typedef {object} PoolFigures - of a pool of connections since it was opened
 * @property {number} connections - at most
 * @property {number} statements
 * @property {number} waitedMs - of all statements together, for a connection
 * @property {number} heldMs - of all statements together, with a connection
 */

/**
 * PoolUse counts for how long statements waited for a connection of a pool, and for how long they had one.
 *
 * @template {{ release: (error?: Error) => void }} C - a connection
 */
class PoolUse {
  #connect
  #figures

  /** @param {() => Promise<C>} connect - takes one from the pool @param {number} connections */
  constructor(connect, connections) {
    this.#connect = connect
    this.#figures = { connections, statements: 0, waitedMs: 0, heldMs: 0 }
  }

  /** figures so far. @returns {PoolFigures} */
  get figures() {
    return { ...this.#figures }
  }

  /**
   * on does something on a connection, which is given up where that fails.
   *
   * @template T
   * @param {(client: C) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async on(work) {
    const askedMs = performance.now()
    const client = await this.#connect()
    const gotMs = performance.now()
    this.#figures.statements++
    this.#figures.waitedMs += gotMs - askedMs
    try {
      const done = await work(client)
      client.release()
      return done
    } catch (error) {
      client.release(/** @type {Error} */ (error))
      throw error
    } finally {
      this.#figures.heldMs += performance.now() - gotMs
    }
  }
}

/**
 * BY_INDEX has a connection find rows by their indexes. How a prepared statement finds them is decided when it is first used, and an empty table
 * is read as a whole: a store that was empty then would read all of it, for each REGISTER and DISCOVER, until somebody counts its rows again.
 * What no index has, the tallies, is taken for so dear then that it would be compiled each time.
 */
const BY_INDEX = `SELECT set_config(name, 'off', false) FROM pg_settings WHERE name IN ('enable_seqscan', 'jit')`

/** What a statement may take: the database ends it, or, should nothing be heard of the database, we do, a little later. */
const STATEMENT_MS = 4000
const LOCK_MS = 3000
const ANSWER_MS = 5000
const CONNECT_MS = 3000
/** Statements that may wait for each connection. */
const WAITING_EACH = 16

/**
 * openPostgres connects to a database by one pool.
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
    // who asks for more than are there waits until another is made, tens of ms, though one is free before: so none ends that was needed once
    idleTimeoutMillis: 0,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    keepAlive: true,
    onConnect: async client => {
      // one that breaks while a statement is on its way is told by that, too
      client.on('error', () => {})
      await client.query(KEPT)
      await client.query(BY_INDEX)
    }
  })
  // a connection that nobody used has broken: the next is made when there is something to do
  pool.on('error', () => {})
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    throw new StoreOpenError(`--store ${withoutPassword(url)} cannot be opened: ${why(error)}`)
  }
  const use = new PoolUse(() => pool.connect(), connections)
  return {
    query: (statement, values) => use.on(client => queryOn(client)(statement, values)),
    transaction: work => transaction(pool, work),
    durability: () => durability(pool),
    waiting: () => pool.waitingCount,
    pool: () => use.figures,
    maxUnderWay: connections * (1 + WAITING_EACH),
    close: () => pool.end()
  }
}

/** An acknowledged registration is on the disk, whatever a role or a database has set. A stronger setting stays. */
const KEPT = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')`

/** @param {pg.PoolClient} on @returns {Query} */
const queryOn =
  on =>
  async (statement, values = []) => {
    const query = { ...statement, values: /** @type {unknown[]} */ (values), query_timeout: ANSWER_MS }
    return (await on.query(query)).rows
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
  const kept = names.every(name => rows[0][name] !== 'off')
  return `${settings}: ${kept ? 'what is acknowledged is kept' : 'what is acknowledged can be lost when the machine of the database stops'}`
}

/** @param {unknown} error */
const why = error => {
  const { message, code } = /** @type {Error & { code?: string }} */ (error)
  return message || code || 'it does not answer'
}

/**
 * @typedef {Record<string, any>} Row
 *
 * @typedef {(statement: { name?: string, text: string }, values?: readonly unknown[]) => Promise<Row[]>} Query - one with a name is
 *   prepared once
 *
 * @typedef {object} Database - what a store needs of a database that speaks PostgreSQL's SQL
 * @property {Query} query
 * @property {<T>(work: (query: Query) => Promise<T>) => Promise<T>} transaction - on one connection; what throws is rolled back
 * @property {() => Promise<string>} durability - what is still there after which crash, in words
 * @property {() => number} waiting - statements that wait for a connection
 * @property {() => PoolFigures} [pool] - what its pool of connections has done so far
 * @property {number} maxUnderWay - statements that may be under way or wait
 * @property {() => Promise<void>} close
 */
