import { setImmediate as nextTurn } from 'node:timers/promises'
import { encodeBody } from '../registration-bytes.js'
import { StoreUnavailableError } from '../store-error.js'
import { StoreGate } from './gate.js'
import { Horizon } from './horizon.js'
import { Lanes } from './lanes.js'
import { migrate } from './migrate.js'
import { pageOf, placeOf } from './places.js'
import { statementsOf } from './statements.js'

/**
 * @typedef {import('../registration-store.js').NewRegistration} NewRegistration
 * @typedef {import('../registration-store.js').RegistrationStore} RegistrationStore
 * @typedef {import('./database.js').Database} Database
 * @typedef {import('./statements.js').Statement} Statement
 *
 * @typedef {object} SqlStoreInit
 * @property {number} [maxPeerRegistrations] - default no limit; exact, whoever else uses the database
 * @property {number} [maxRegistrations] - default no limit; may be passed by the number of connections to the database, since what others have
 *   not committed is not counted. A group of addresses may have as many as it leaves free
 * @property {string} [fence] - of tables that are new, 'xid' or 'counter'; default: what suits the database
 * @property {number} [maxHeldMs] - REGISTERs are refused when what is new has been held back for longer, by a transaction that somebody left open
 * @property {number} [beatMs] - how often the database is asked whether it is there
 * @property {(problem: string | undefined) => void} [onChange] - the database has gone, why, or has come back
 * @property {(error: unknown) => void} [onSweepFailed]
 * @property {() => number} [now] - ms
 */

/** Expired registrations removed by one statement: about 20 ms of a database's work. */
const SWEEP_AT_ONCE = 1000
/** Of a peer, whose REGISTERs would wait for one another in the database, with a connection each. */
const CHANGES_AT_ONCE = 1
/** Of a peer: all that may be connected from one address together leave others their places. */
const PAGES_AT_ONCE = 2
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** @param {Uint8Array} peerId */
const callerOf = peerId => Buffer.from(peerId).toString('latin1')

/**
 * SqlStore keeps registrations in a database that speaks PostgreSQL's SQL, which other servers may use too. The database decides about caps and
 * expiry, by its own clock.
 *
 * @implements {RegistrationStore}
 */
export class SqlStore {
  #database
  #fence
  #statements
  #gate
  #changes
  #pages
  #horizon
  #caps
  #maxHeldMs
  #beatMs
  #onSweepFailed
  #durability
  /** @type {NodeJS.Timeout | undefined} */
  #timer
  #stopped = false
  /** secret of cookies, the same for all servers */
  cookieKey

  /**
   * open makes the tables where there are none, or brings them up to date.
   *
   * @param {Database} database - the store's from now on
   * @param {SqlStoreInit} [init]
   */
  static async open(database, init = {}) {
    try {
      const { fence, cookieKey } = await migrate(database, init)
      return new SqlStore(database, { ...init, fence, cookieKey, durability: await database.durability() })
    } catch (error) {
      await database.close().catch(() => {})
      throw error
    }
  }

  /**
   * @param {Database} database
   * @param {Omit<SqlStoreInit, 'fence'> & { fence: import('./fence.js').Fence, cookieKey: Uint8Array, durability: string }} init
   */
  constructor(database, init) {
    const {
      maxPeerRegistrations = NO_LIMIT,
      maxRegistrations = NO_LIMIT,
      now = () => performance.now()
    } = init
    this.#database = database
    this.#fence = init.fence
    this.cookieKey = init.cookieKey
    this.#durability = init.durability
    this.#statements = statementsOf(init.fence)
    this.#gate = new StoreGate({ maxUnderWay: database.maxUnderWay, now, onChange: init.onChange })
    this.#changes = new Lanes({ atOnce: CHANGES_AT_ONCE, now })
    this.#pages = new Lanes({ atOnce: PAGES_AT_ONCE, now })
    this.#horizon = new Horizon(now)
    this.#caps = [maxPeerRegistrations, maxRegistrations].map(cap => Math.min(cap, NO_LIMIT))
    this.#maxHeldMs = init.maxHeldMs ?? 30_000
    this.#beatMs = init.beatMs ?? 1000
    this.#onSweepFailed = init.onSweepFailed ?? (() => {})
  }

  /** start begins to watch the database, and to remove what has expired. */
  start() {
    this.#timer ??= setTimeout(() => this.#beat(), this.#beatMs).unref()
  }

  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#database.close()
  }

  /** health is what holds just now. @returns {import('../registration-store.js').StoreHealth} */
  health() {
    const held = this.#isHeld
      ? `new registrations are held back: a transaction has been open for ${Math.round(this.#horizon.heldMs / 1000)} s`
      : undefined
    return {
      problem: this.#gate.problem ?? held,
      durability: this.#durability,
      waiting: this.#database.waiting(),
      underWay: this.#gate.underWay + this.#changes.waiting + this.#pages.waiting,
      pool: this.#database.pool?.(),
      heldMs: this.#horizon.heldMs < 2 * this.#beatMs ? 0 : this.#horizon.heldMs
    }
  }

  /** refusal throws what would be thrown anyhow, before a signature is checked. @param {Pick<NewRegistration, 'peerId'>} registration */
  refusal({ peerId }) {
    this.#gate.admit()
    this.#changes.admit(callerOf(peerId))
    if (this.#isHeld) throw new StoreUnavailableError('new registrations would not be seen just now')
    return undefined
  }

  get #isHeld() {
    return this.#timer !== undefined && this.#horizon.heldMs > this.#maxHeldMs
  }

  /** @param {NewRegistration} registration @returns {Promise<string>} */
  async add(registration) {
    this.refusal(registration)
    const { peerId, ns, signedPeerRecord, recordSeq, ttlSeconds, group = null } = registration
    const body = encodeBody(ns, signedPeerRecord)
    const values = [
      Buffer.from(ns),
      peerId,
      body,
      ttlSeconds,
      ...this.#caps,
      group,
      recordSeq?.toString() ?? null
    ]
    const [{ outcome }] = await this.#changes.through(callerOf(peerId), () => this.#ask('register', values))
    return outcome
  }

  /** addMany adds registrations by one statement: a second's work is 5,000 of them or so. @param {readonly NewRegistration[]} some */
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
    const [{ removed }] = await this.#changes.through(callerOf(peerId), () => this.#ask('unregister', values))
    return removed
  }

  /** @param {import('../registration-store.js').PageQuery} query */
  async page({ ns, after = 0, limit, maxBytes, peerId }) {
    if (ns === undefined && !this.#fence.ordersAll)
      throw new StoreUnavailableError('this store lists one namespace at a time')
    const values = [...placeOf(after), limit, maxBytes]
    const ask = () =>
      ns === undefined ? this.#ask('pageOfAll', values) : this.#ask('page', [...values, Buffer.from(ns)])
    const [row] = await (peerId === undefined ? ask() : this.#pages.through(callerOf(peerId), ask))
    return pageOf(/** @type {Parameters<typeof pageOf>[0]} */ (row), after)
  }

  async counts() {
    const [{ registrations, namespaces }] = await this.#ask('counts', [])
    return { registrations: Number(registrations), namespaces: Number(namespaces) }
  }

  /**
   * sweep removes what has expired, a bounded part in each statement. What another server removes at the same time is passed over.
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

  /** @param {keyof ReturnType<typeof statementsOf>} name @param {readonly unknown[]} values */
  #ask(name, values) {
    return this.#gate.through(() => this.#database.query(this.#statements[name], values))
  }

  async #beat() {
    await this.#gate.look(async () => {
      const [seen] = await this.#database.query(this.#statements.horizon)
      this.#horizon.saw(/** @type {{ low: string, high: string }} */ (seen))
    })
    if (this.#gate.away === undefined) await this.#tidy()
    if (!this.#stopped) this.#timer = setTimeout(() => this.#beat(), this.#beatMs).unref()
  }

  async #tidy() {
    try {
      await this.sweep()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.#onSweepFailed(error)
    }
  }
}
