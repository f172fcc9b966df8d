// Store of registrations in a PostgreSQL database that several servers can share. Implements the interface in
// store/registration.js.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { computeEntryBytes, encodeBody, writeEntry } from './store/registration.js'
import { CallerQueues, DatabaseLimiter } from './store/sql/backpressure.js'
import { findRowOrder, migrate } from './store/sql/schema.js'
import { StoreUnavailableError } from './store.js'

/**
 * @typedef {import('./store/registration.js').NewRegistration} NewRegistration
 * @typedef {import('./store/registration.js').RegistrationStore} RegistrationStore
 * @typedef {import('./postgres.js').Database} Database
 * @typedef {object} SqlStoreInit
 * @property {number} [maxPeerRegistrations] - default no limit; exact, also with other servers on the database
 * @property {number} [maxRegistrations] - default no limit; may be exceeded by the number of connections to the database, since uncommitted
 *   rows of others are not counted. A group of addresses may have as many as are free
 * @property {string} [rowOrder] - of new tables, 'xid' or 'counter'; default: the one for the kind of database
 * @property {number} [maxBlockedMs] - REGISTERs are refused when an open transaction has held back new rows for longer
 * @property {number} [beatMs] - interval of checks whether the database answers
 * @property {(problem: string | undefined) => void} [onChange] - the database is away, for this reason, or is back
 * @property {(error: unknown) => void} [onSweepFailed]
 * @property {() => number} [now] - ms
 */

/** Expired registrations removed by one statement: about 20 ms of work of the database. */
const SWEEP_AT_ONCE = 1000
/** Concurrent REGISTERs of a peer, which would wait for one another in the database, each with a connection. */
const CHANGES_AT_ONCE = 1
/** Concurrent DISCOVERs of a peer: all peers of one address together leave connections for others. */
const PAGES_AT_ONCE = 2
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** @param {Uint8Array} peerId */
const getCallerKey = peerId => Buffer.from(peerId).toString('latin1')

/**
 * SqlStore keeps registrations in a database that speaks PostgreSQL's SQL and that servers can share. The database applies caps and expiry,
 * by its own clock.
 *
 * @implements {RegistrationStore}
 */
export class SqlStore {
  #database
  #rowOrder
  #statements
  #limiter
  #changes
  #pages
  #horizon
  #caps
  #maxBlockedMs
  #beatMs
  #onSweepFailed
  #durability
  /** @type {NodeJS.Timeout | undefined} */
  #timer
  #stopped = false
  /** secret of cookies, the same for all servers */
  cookieKey

  /**
   * open makes missing tables, or brings tables up to date.
   *
   * @param {Database} database - used by this store alone
   * @param {SqlStoreInit} [init]
   */
  static async open(database, init = {}) {
    try {
      const { rowOrder, cookieKey } = await migrate(database, init)
      return new SqlStore(database, { ...init, rowOrder, cookieKey, durability: await database.durability() })
    } catch (error) {
      await database.close().catch(() => {})
      throw error
    }
  }

  /**
   * @param {Database} database
   * @param {Omit<SqlStoreInit, 'rowOrder'> & { rowOrder: import('./store/sql/schema.js').RowOrder, cookieKey: Uint8Array, durability: string }} init
   */
  constructor(database, init) {
    const { maxPeerRegistrations = NO_LIMIT, maxRegistrations = NO_LIMIT } = init
    const { now = () => performance.now() } = init
    this.#database = database
    this.#rowOrder = init.rowOrder
    this.cookieKey = init.cookieKey
    this.#durability = init.durability
    this.#statements = makeStatements(init.rowOrder)
    this.#limiter = new DatabaseLimiter({ maxUnderWay: database.maxUnderWay, now, onChange: init.onChange })
    this.#changes = new CallerQueues({ atOnce: CHANGES_AT_ONCE, now })
    this.#pages = new CallerQueues({ atOnce: PAGES_AT_ONCE, now })
    this.#horizon = new OpenTransactionWatch(now)
    this.#caps = [maxPeerRegistrations, maxRegistrations].map(cap => Math.min(cap, NO_LIMIT))
    this.#maxBlockedMs = init.maxBlockedMs ?? 30_000
    this.#beatMs = init.beatMs ?? 1000
    this.#onSweepFailed = init.onSweepFailed ?? (() => {})
  }

  /** start begins to check the database, and to remove expired registrations. */
  start() {
    this.#timer ??= setTimeout(() => this.#beat(), this.#beatMs).unref()
  }

  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#database.close()
  }

  /** health is the present state. @returns {import('./store/registration.js').StoreHealth} */
  health() {
    const blocked = this.#isBlocked
      ? `new registrations are held back: a transaction has been open for ${Math.round(this.#horizon.blockedMs / 1000)} s`
      : undefined
    return {
      problem: this.#limiter.problem ?? blocked,
      durability: this.#durability,
      waiting: this.#database.waiting(),
      underWay: this.#limiter.underWay + this.#changes.waiting + this.#pages.waiting,
      pool: this.#database.pool?.(),
      blockedMs: this.#horizon.blockedMs < 2 * this.#beatMs ? 0 : this.#horizon.blockedMs
    }
  }

  /** refusal throws the error that `add` would throw, before a signature is checked. @param {Pick<NewRegistration, 'peerId'>} registration */
  refusal({ peerId }) {
    this.#limiter.admit()
    this.#changes.admit(getCallerKey(peerId))
    if (this.#isBlocked) throw new StoreUnavailableError('new registrations would not be seen just now')
    return undefined
  }

  get #isBlocked() {
    return this.#timer !== undefined && this.#horizon.blockedMs > this.#maxBlockedMs
  }

  /** @param {NewRegistration} registration @returns {Promise<string>} */
  async add(registration) {
    this.refusal(registration)
    const { peerId, ns, signedPeerRecord, recordSeq, ttlSeconds, group = null } = registration
    const body = encodeBody(ns, signedPeerRecord)
    const seq = recordSeq?.toString() ?? null
    const values = [Buffer.from(ns), peerId, body, ttlSeconds, ...this.#caps, group, seq]
    const [{ outcome }] = await this.#changes.through(getCallerKey(peerId), () =>
      this.#ask('register', values)
    )
    return outcome
  }

  /** addMany adds registrations by one statement: about 5,000 of them take a second. @param {readonly NewRegistration[]} some */
  async addMany(some) {
    const rows = await this.#ask('registerMany', [
      some.map(({ ns }) => Buffer.from(ns)),
      some.map(({ peerId }) => Buffer.from(peerId)),
      some.map(({ ns, signedPeerRecord }) => encodeBody(ns, signedPeerRecord)),
      some.map(({ ttlSeconds }) => ttlSeconds),
      ...this.#caps
    ])
    return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]))
  }

  /** @param {Uint8Array} peerId @param {string} ns @returns {Promise<boolean>} */
  async remove(peerId, ns) {
    const values = [Buffer.from(ns), peerId]
    const [{ removed }] = await this.#changes.through(getCallerKey(peerId), () =>
      this.#ask('unregister', values)
    )
    return removed
  }

  /** @param {import('./store/registration.js').PageQuery} query */
  async page({ ns, after = 0, limit, maxBytes, peerId }) {
    if (ns === undefined && !this.#rowOrder.ordersAll)
      throw new StoreUnavailableError('this store lists one namespace at a time')
    const values = [...readCursorPlace(after), limit, maxBytes]
    const ask = () =>
      ns === undefined ? this.#ask('pageOfAll', values) : this.#ask('page', [...values, Buffer.from(ns)])
    const [row] = await (peerId === undefined ? ask() : this.#pages.through(getCallerKey(peerId), ask))
    return makeStoredPage(/** @type {Parameters<typeof makeStoredPage>[0]} */ (row), after)
  }

  async counts() {
    const [{ registrations, namespaces }] = await this.#ask('counts', [])
    return { registrations: Number(registrations), namespaces: Number(namespaces) }
  }

  /**
   * sweep removes expired registrations, a bounded number in each statement. It skips rows that another server removes at the same time.
   *
   * @returns {Promise<{ removed: number, steps: number }>}
   */
  async sweep() {
    let steps = 0
    for (let removed = 0; ; await nextTurn()) {
      const [row] = await this.#ask('sweep', [SWEEP_AT_ONCE])
      removed += row.removed
      steps++
      if (row.removed < SWEEP_AT_ONCE || this.#stopped) return { removed, steps }
    }
  }

  /** @param {keyof ReturnType<typeof makeStatements>} name @param {readonly unknown[]} values */
  #ask(name, values) {
    return this.#limiter.through(() => this.#database.query(this.#statements[name], values))
  }

  async #beat() {
    await this.#limiter.look(async () => {
      const [horizon] = await this.#database.query(this.#statements.horizon)
      this.#horizon.update(/** @type {{ low: string, high: string }} */ (horizon))
    })
    if (this.#limiter.away === undefined)
      await this.sweep().catch(error => {
        if (!(error instanceof StoreUnavailableError)) this.#onSweepFailed(error)
      })
    if (!this.#stopped) this.#timer = setTimeout(() => this.#beat(), this.#beatMs).unref()
  }
}

/**
 * @typedef {object} Statement - is prepared once on each connection
 * @property {string} name
 * @property {string} text
 */

/** Overhead of a registration in a reply, at most: tags, lengths and ttl. */
const ENTRY_BYTES = 20

/** Namespaces are counted up to this many: each count of more would take long. */
const MAX_NAMESPACES = 20_000

/** Expired rows are still part of the tallies. */
const EXPIRED = 'SELECT count(*) FROM rendezvous_registrations WHERE expires_at <= now()'

/**
 * makeStatements makes the statements for requests.
 *
 * @param {import('./store/sql/schema.js').RowOrder} rowOrder
 * @returns {Record<'register' | 'registerMany' | 'unregister' | 'page' | 'pageOfAll' | 'sweep' | 'counts' | 'horizon', Statement>}
 */
export const makeStatements = (rowOrder = findRowOrder('xid')) => ({
  register: {
    name: 'rendezvous-register',
    text: 'SELECT rendezvous_register($1, $2, $3, $4, $5, $6, $7, $8) AS outcome'
  },
  registerMany: {
    name: 'rendezvous-register-many',
    text: `SELECT outcome, count(*)::int AS n
      FROM rendezvous_register_many($1::bytea[], $2::bytea[], $3::bytea[], $4::double precision[], $5, $6) AS told (outcome)
      GROUP BY outcome`
  },
  unregister: { name: 'rendezvous-unregister', text: 'SELECT rendezvous_unregister($1, $2) AS removed' },
  page: { name: 'rendezvous-page', text: page(`ns = $5 AND ${rowOrder.passed}`) },
  pageOfAll: { name: 'rendezvous-page-of-all', text: page(rowOrder.passed) },
  sweep: { name: 'rendezvous-sweep', text: 'SELECT rendezvous_sweep($1)::int AS removed' },
  counts: {
    name: 'rendezvous-counts',
    text: `WITH RECURSIVE names AS (
        (SELECT ns FROM rendezvous_registrations ORDER BY ns LIMIT 1)
        UNION ALL
        SELECT (SELECT r.ns FROM rendezvous_registrations r WHERE r.ns > names.ns ORDER BY r.ns LIMIT 1)
        FROM names WHERE names.ns IS NOT NULL)
      SELECT (SELECT sum(n) FROM rendezvous_tallies)::bigint - (${EXPIRED}) AS registrations,
        (SELECT count(ns) FROM (SELECT ns FROM names LIMIT ${MAX_NAMESPACES + 1}) counted) AS namespaces`
  },
  horizon: { name: 'rendezvous-horizon', text: rowOrder.horizon }
})

/**
 * Gives one row for all registrations of a page: reading rows costs the server more than finding them costs the database.
 *
 * @param {string} which - $1 and $2: place before the page; $3: registrations at most; $4: bytes at most
 */
const page = which => `
  SELECT count(*)::int AS count, string_agg(body, ''::bytea ORDER BY xid, seq) AS bodies,
    string_agg(length(body) || ' ' || ttl || ' ' || xid || ' ' || seq, ',' ORDER BY xid, seq) AS places
  FROM (SELECT *, sum(length(body) + ${ENTRY_BYTES}) OVER (ORDER BY xid, seq) AS bytes,
      row_number() OVER (ORDER BY xid, seq) AS place
    FROM (SELECT body, xid, seq, greatest(1, ceil(extract(epoch from expires_at - now())))::bigint AS ttl
      FROM rendezvous_registrations
      WHERE (xid, seq) > ($1::bigint, $2::bigint) AND expires_at > now() AND ${which}
      ORDER BY xid, seq LIMIT $3) found) sized
  WHERE bytes <= $4 OR place = 1`

/**
 * @typedef {import('./store/registration.js').Page} Page
 * @typedef {import('./store/registration.js').Cursor} Cursor
 */

const HALF = 64n

/** readCursorPlace reads the place of a cursor. @param {Cursor} cursor @returns {[xid: string, seq: string]} */
function readCursorPlace(cursor) {
  const place = BigInt(cursor)
  return [String(place >> HALF), String(BigInt.asUintN(64, place))]
}

/**
 * makeStoredPage makes a page of a row of the database.
 *
 * @param {{ count: number, bodies: Uint8Array | null, places: string | null }} row - `places`: of each registration `bytes ttl xid seq`
 * @param {Cursor} after - cursor of an empty page
 * @returns {Page}
 */
function makeStoredPage({ count, bodies, places }, after) {
  if (bodies === null || places === null) return { count: 0, registrations: new Uint8Array(0), cursor: after }
  const entries = places.split(',').map(place => place.split(' '))
  const lengths = entries.map(([bytes, ttl]) => computeEntryBytes(Number(bytes), Number(ttl)))
  const registrations = Buffer.allocUnsafe(lengths.reduce((sum, bytes) => sum + bytes, 0))
  let from = 0
  let at = 0
  for (const [bytes, ttl] of entries) {
    const body = bodies.subarray(from, from + Number(bytes))
    from += body.length
    at = writeEntry(registrations, at, {
      bodyLength: body.length,
      ttlSeconds: Number(ttl),
      copyBody: (target, start) => {
        target.set(body, start)
        return start + body.length
      }
    })
  }
  const [, , xid, seq] = entries[entries.length - 1]
  const cursor = (BigInt(xid) << HALF) | BigInt(seq)
  return { count, registrations, cursor: cursor > Number.MAX_SAFE_INTEGER ? cursor : Number(cursor) }
}

/**
 * OpenTransactionWatch measures for how long the oldest open transaction has held back new rows. It needs no right to see the transactions of others: all
 * transactions below `low` have ended, none has the id `high` yet, and as long as `low` is below `high` and does not change, one is open.
 */
class OpenTransactionWatch {
  #now
  #low = ''
  #sinceMs

  /** @param {() => number} now - ms */
  constructor(now) {
    this.#now = now
    this.#sinceMs = now()
  }

  /** @param {{ low: string, high: string }} present */
  update({ low, high }) {
    if (low !== this.#low || low === high) this.#sinceMs = this.#now()
    this.#low = low
  }

  /** blockedMs is the time for which it has not moved, though a transaction is beyond it. */
  get blockedMs() {
    return this.#now() - this.#sinceMs
  }
}
