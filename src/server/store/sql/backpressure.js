// Limits concurrent requests to the database, in all and for each client. Refuses requests at once while the database is
// away, and classifies its errors.
import { StoreUnavailableError } from '../../store.js'

/**
 * @typedef {object} DatabaseLimiterInit
 * @property {number} maxUnderWay - requests at the database or waiting for a connection
 * @property {() => number} [now] - ms
 * @property {(problem: string | undefined) => void} [onChange] - the store is away, for this reason, or is back
 */

/** A problem of the database that was slow or full is reported for so long. */
const REPORTED_MS = 10_000
/** Attempts of a request that conflicts with others. */
const ATTEMPTS = 8

/**
 * DatabaseLimiter bounds the number of requests at a database, refuses all requests while the database is away, and knows its problem. Refusals
 * are immediate, so that no queue builds up.
 */
export class DatabaseLimiter {
  #maxUnderWay
  #now
  #onChange
  #underWay = 0
  /** @type {string | undefined} */
  #away
  /** number of times that the database did not answer */
  #losses = 0
  #recentProblem = { text: '', untilMs: 0 }

  /** @param {DatabaseLimiterInit} init */
  constructor({ maxUnderWay, now = () => performance.now(), onChange = () => {} }) {
    this.#maxUnderWay = maxUnderWay
    this.#now = now
    this.#onChange = onChange
  }

  /** underWay is the number of open requests. */
  get underWay() {
    return this.#underWay
  }

  /** away is the reason why no request is served; undefined: requests are served. */
  get away() {
    return this.#away
  }

  /** problem is the present problem, in words; undefined: none. */
  get problem() {
    return this.#away ?? (this.#now() < this.#recentProblem.untilMs ? this.#recentProblem.text : undefined)
  }

  /** admit throws if a request would be refused. @throws {StoreUnavailableError} */
  admit() {
    if (this.#away !== undefined) throw new StoreUnavailableError('the store is away')
    if (this.#underWay >= this.#maxUnderWay) throw new StoreUnavailableError('the store is busy')
  }

  /**
   * through runs work at the database, again after a conflict with other requests.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   * @throws {StoreUnavailableError}
   */
  async through(work) {
    this.admit()
    this.#underWay++
    try {
      return await retryTemporary(
        work,
        ATTEMPTS,
        error => classifyError(error) === 'conflict' && this.#away === undefined
      )
    } catch (error) {
      const kind = classifyError(error)
      if (kind === 'ours') throw error
      if (kind === 'away') this.#lost(error)
      if (kind === 'full' || kind === 'crowded') this.#report(kind, error)
      throw new StoreUnavailableError(TEXTS[kind], { cause: error })
    } finally {
      this.#underWay--
    }
  }

  /**
   * look checks whether the database answers. An answer does not count if the database was lost after the check began: the answer was on its
   * way already. A slow database is not away.
   *
   * @param {() => Promise<void>} ask
   */
  async look(ask) {
    const losses = this.#losses
    try {
      await ask()
      if (losses === this.#losses) this.#note(undefined)
    } catch (error) {
      const kind = classifyError(error)
      if (kind === 'slow' || kind === 'crowded') this.#report(kind, error)
      else this.#lost(error)
    }
  }

  /** @param {'slow' | 'full' | 'crowded'} kind @param {unknown} error */
  #report(kind, error) {
    this.#recentProblem = {
      text: `${kind}: ${describeDatabaseError(error)}`,
      untilMs: this.#now() + REPORTED_MS
    }
  }

  /** @param {unknown} error */
  #lost(error) {
    this.#losses++
    this.#note(describeDatabaseError(error))
  }

  /** @param {string | undefined} away */
  #note(away) {
    const changed = (away === undefined) !== (this.#away === undefined)
    this.#away = away
    if (changed) this.#onChange(away)
  }
}

const TEXTS = {
  away: 'the store is away',
  full: 'the store is full',
  crowded: 'the store has too few connections (max_connections of the database)',
  slow: 'the store is slow',
  conflict: 'the store is busy'
}

/**
 * retryTemporary runs work, again after some errors.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {number} attempts
 * @param {(error: unknown) => boolean} isTemporary
 * @returns {Promise<T>}
 */
export async function retryTemporary(work, attempts, isTemporary) {
  try {
    return await work()
  } catch (error) {
    if (attempts === 1 || !isTemporary(error)) throw error
    return retryTemporary(work, attempts - 1, isTemporary)
  }
}

/** describeDatabaseError says what an error of a database is. @param {unknown} error */
export function describeDatabaseError(error) {
  const { message, code } = /** @type {Error & { code?: string }} */ (error)
  return message || code || 'it does not answer'
}

/**
 * @typedef {object} CallerQueuesInit
 * @property {number} atOnce - of one caller
 * @property {number} [maxWaiting] - of one caller
 * @property {number} [maxWaitingInAll]
 * @property {() => number} now - ms
 *
 * @typedef {{ underWay: number, waiting: Array<() => void> }} CallerQueue - of a caller
 */

/** A request waits so long for earlier requests of its caller, as long as for a connection. */
const MAX_WAIT_MS = 3000
/** One request on each stream of a Yamux connection. */
const MAX_WAITING = 256
/** Each may be a request of 16 KiB, which counts in the quota of its address. */
const MAX_WAITING_IN_ALL = 4096

/**
 * CallerQueues bounds the concurrent requests of each caller. Further requests of a caller wait for its earlier ones, and hold no connection. A
 * caller without open requests never waits, and is never refused.
 */
export class CallerQueues {
  #init
  /** @type {Map<string, CallerQueue>} by caller */
  #lanes = new Map()
  #waiting = 0

  /** @param {CallerQueuesInit} init */
  constructor({ maxWaiting = MAX_WAITING, maxWaitingInAll = MAX_WAITING_IN_ALL, ...init }) {
    this.#init = { maxWaiting, maxWaitingInAll, ...init }
  }

  /** waiting is the number of waiting requests, of all callers. */
  get waiting() {
    return this.#waiting
  }

  /** admit throws if a request of a caller would be refused. @param {string} caller @throws {StoreUnavailableError} */
  admit(caller) {
    const lane = this.#lanes.get(caller)
    const { maxWaiting, maxWaitingInAll } = this.#init
    if (lane === undefined || this.#isFree(lane)) return
    if (lane.waiting.length >= maxWaiting || this.#waiting >= maxWaitingInAll)
      throw new StoreUnavailableError('the store is busy')
  }

  /**
   * through runs work for a caller when it is its turn.
   *
   * @template T
   * @param {string} caller
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   * @throws {StoreUnavailableError}
   */
  async through(caller, work) {
    this.admit(caller)
    const lane = this.#lanes.get(caller) ?? { underWay: 0, waiting: [] }
    this.#lanes.set(caller, lane)
    const sinceMs = this.#init.now()
    if (this.#isFree(lane)) lane.underWay++
    else {
      this.#waiting++
      await new Promise(resolve => lane.waiting.push(() => resolve(undefined)))
    }
    try {
      if (this.#init.now() - sinceMs > MAX_WAIT_MS) throw new StoreUnavailableError('the store is slow')
      return await work()
    } finally {
      // the place goes to the next request, so that no other one comes in between
      const next = lane.waiting.shift()
      if (next !== undefined) {
        this.#waiting--
        next()
      } else if (--lane.underWay === 0) this.#lanes.delete(caller)
    }
  }

  /** @param {CallerQueue} lane */
  #isFree({ underWay }) {
    return underWay < this.#init.atOnce
  }
}

/**
 * By SQLSTATE, or the beginning of one (PostgreSQL, appendix A).
 *
 * @type {ReadonlyArray<[kind: 'conflict' | 'full' | 'crowded' | 'slow' | 'away', states: readonly string[]]>}
 */
const KINDS = [
  // 40003, whose outcome is unknown, is no conflict
  ['conflict', ['40001', '40P01']],
  ['full', ['53100', '53200', '53400', '54000']],
  // a statement or a lock took too long
  ['slow', ['57014', '55P03', '25P03', '25P04', '40003']],
  // the database accepts no more connections
  ['crowded', ['53300']],
  // no connection, shutting down, read-only after a change of roles; passwords and databases that were changed
  ['away', ['08', '57P', '25006', '28', '3D000', 'XX']]
]

/** Code of a system error, when there is no connection. */
const SYSTEM = /^E[A-Z_]{3,}$/
/** Messages of errors of `pg` without a code. */
const LOST = /connection terminated|connection ended|read timeout|not queryable|worker ended/i
/** All connections of the pool were in use for too long; a connection that cannot be made has another message. */
const POOL_IN_USE = /timeout exceeded when trying to connect/i

/**
 * classifyError classifies an error of a database. Any other error is a defect of this program: `ours`.
 *
 * @param {unknown} error
 * @returns {'conflict' | 'full' | 'crowded' | 'slow' | 'away' | 'ours'}
 */
export function classifyError(error) {
  const { code = '', message = '' } = /** @type {Partial<Error & { code: string }>} */ (error)
  const [kind] = KINDS.find(([, states]) => states.some(state => code.startsWith(state))) ?? []
  if (kind !== undefined && /^[0-9A-Z]{5}$/.test(code) && !SYSTEM.test(code)) return kind
  if (SYSTEM.test(code) || LOST.test(message)) return 'away'
  return POOL_IN_USE.test(message) ? 'slow' : (kind ?? 'ours')
}
