// Backpressure of a database: how many requests it gets at once, which are refused.
import { StoreUnavailableError } from '../../store.js'

/**
 * @typedef {object} GateInit
 * @property {number} maxUnderWay - requests at the database or waiting for a connection
 * @property {() => number} [now] - ms
 * @property {(problem: string | undefined) => void} [onChange] - the store has gone, why, or has come back
 */

/** For how long it is told that the database had no room, or no time. */
const TOLD_MS = 10_000
/** How often what did not get through because of others is tried anew. */
const ATTEMPTS = 8

/**
 * StoreGate stands before a database: it lets so many requests through, none while the database is away, and says what is wrong. Whoever asks is
 * told at once, so that nothing queues.
 */
export class StoreGate {
  #maxUnderWay
  #now
  #onChange
  #underWay = 0
  /** @type {string | undefined} */
  #away
  /** How often it was noted that the database does not answer. */
  #losses = 0
  #trouble = { text: '', untilMs: 0 }

  /** @param {GateInit} init */
  constructor({ maxUnderWay, now = () => performance.now(), onChange = () => {} }) {
    this.#maxUnderWay = maxUnderWay
    this.#now = now
    this.#onChange = onChange
  }

  /** underWay is how many requests have not been answered. */
  get underWay() {
    return this.#underWay
  }

  /** away is why nothing is served; undefined: it is. */
  get away() {
    return this.#away
  }

  /** problem is what is wrong, in words; undefined: nothing. */
  get problem() {
    return this.#away ?? (this.#now() < this.#trouble.untilMs ? this.#trouble.text : undefined)
  }

  /** admit throws where a request would not be let through. @throws {StoreUnavailableError} */
  admit() {
    if (this.#away !== undefined) throw new StoreUnavailableError('the store is away')
    if (this.#underWay >= this.#maxUnderWay) throw new StoreUnavailableError('the store is busy')
  }

  /**
   * through does something at the database, again where others were in its way.
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
      return await this.#tried(work)
    } catch (error) {
      throw this.#judged(error)
    } finally {
      this.#underWay--
    }
  }

  /**
   * look asks the database, and takes note of whether it answers. That it is there is no news where it was lost since it was asked: the
   * answer was on its way already. One that keeps us waiting has not gone.
   *
   * @param {() => Promise<void>} ask
   */
  async look(ask) {
    const losses = this.#losses
    try {
      await ask()
      if (losses === this.#losses) this.#note(undefined)
    } catch (error) {
      const kind = kindOf(error)
      if (kind === 'slow' || kind === 'crowded') this.#tell(kind, error)
      else this.#lost(error)
    }
  }

  /** @param {'slow' | 'full' | 'crowded'} kind @param {unknown} error */
  #tell(kind, error) {
    this.#trouble = { text: `${kind}: ${wordsOf(error)}`, untilMs: this.#now() + TOLD_MS }
  }

  /** @param {unknown} error */
  #lost(error) {
    this.#losses++
    this.#note(wordsOf(error))
  }

  /** @param {string | undefined} away */
  #note(away) {
    const changed = (away === undefined) !== (this.#away === undefined)
    this.#away = away
    if (changed) this.#onChange(away)
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  async #tried(work, attempt = 1) {
    try {
      return await work()
    } catch (error) {
      if (kindOf(error) !== 'conflict' || attempt === ATTEMPTS || this.#away !== undefined) throw error
      return this.#tried(work, attempt + 1)
    }
  }

  /** @param {unknown} error */
  #judged(error) {
    const kind = kindOf(error)
    if (kind === 'ours') return error
    if (kind === 'away') this.#lost(error)
    if (kind === 'full' || kind === 'crowded') this.#tell(kind, error)
    return new StoreUnavailableError(TOLD[kind], { cause: error })
  }
}

const TOLD = {
  away: 'the store is away',
  full: 'the store is full',
  crowded: 'the store has too few connections (max_connections of the database)',
  slow: 'the store is slow',
  conflict: 'the store is busy'
}

/** @param {unknown} error */
function wordsOf(error) {
  const { message, code } = /** @type {Error & { code?: string }} */ (error)
  return message || code || 'it does not answer'
}

/**
 * @typedef {object} LanesInit
 * @property {number} atOnce - of one caller
 * @property {number} [maxWaiting] - of one caller
 * @property {number} [maxWaitingInAll]
 * @property {() => number} now - ms
 *
 * @typedef {{ underWay: number, waiting: Array<() => void> }} Lane - of a caller
 */

/** For how long something waits behind what its own caller asked before: as long as for a connection. */
const MAX_WAIT_MS = 3000
/** As many streams as a connection of Yamux has, each with a request. */
const MAX_WAITING = 256
/** Each may be a request of 16 KiB, which counts in what may wait of its address. */
const MAX_WAITING_IN_ALL = 4096

/**
 * Lanes let so much of one caller go on at once: what else it asks waits behind that, and holds nothing that others need. Who has nothing
 * under way never waits, and is never refused.
 */
export class Lanes {
  #init
  /** @type {Map<string, Lane>} by caller */
  #lanes = new Map()
  #waiting = 0

  /** @param {LanesInit} init */
  constructor({ maxWaiting = MAX_WAITING, maxWaitingInAll = MAX_WAITING_IN_ALL, ...init }) {
    this.#init = { maxWaiting, maxWaitingInAll, ...init }
  }

  /** waiting is how much waits, of all callers. */
  get waiting() {
    return this.#waiting
  }

  /** admit throws where something of a caller would be refused. @param {string} caller @throws {StoreUnavailableError} */
  admit(caller) {
    const lane = this.#lanes.get(caller)
    const { maxWaiting, maxWaitingInAll } = this.#init
    if (lane === undefined || this.#isFree(lane)) return
    if (lane.waiting.length >= maxWaiting || this.#waiting >= maxWaitingInAll)
      throw new StoreUnavailableError('the store is busy')
  }

  /**
   * through does something for a caller when it is its turn.
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
    else await this.#turn(lane)
    try {
      if (this.#init.now() - sinceMs > MAX_WAIT_MS) throw new StoreUnavailableError('the store is slow')
      return await work()
    } finally {
      this.#end(caller, lane)
    }
  }

  /** @param {Lane} lane */
  #isFree({ underWay }) {
    return underWay < this.#init.atOnce
  }

  /** @param {Lane} lane @returns {Promise<void>} */
  #turn({ waiting }) {
    this.#waiting++
    return new Promise(resolve => waiting.push(resolve))
  }

  /** The place goes to the next, so that nobody comes in between. @param {string} caller @param {Lane} lane */
  #end(caller, lane) {
    const next = lane.waiting.shift()
    if (next !== undefined) {
      this.#waiting--
      next()
    } else if (--lane.underWay === 0) this.#lanes.delete(caller)
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
  // it is there, and takes no more connections
  ['crowded', ['53300']],
  // no connection, shutting down, read-only after a change of roles; passwords and databases that were changed
  ['away', ['08', '57P', '25006', '28', '3D000', 'XX']]
]

/** Of the system's, when there is no connection. */
const SYSTEM = /^E[A-Z_]{3,}$/
/** Of `pg`, which gives these no code. */
const LOST = /connection terminated|connection ended|read timeout|not queryable|worker ended/i
/** All connections of its pool were in use for too long: one that cannot be made says something else. */
const POOL_IN_USE = /timeout exceeded when trying to connect/i

/**
 * kindOf says what an error of a database is about. What is none of these is a defect of ours.
 *
 * @param {unknown} error
 * @returns {'conflict' | 'full' | 'crowded' | 'slow' | 'away' | 'ours'}
 */
export function kindOf(error) {
  const { code = '', message = '' } = /** @type {Partial<Error & { code: string }>} */ (error)
  const [kind] = KINDS.find(([, states]) => states.some(state => code.startsWith(state))) ?? []
  if (kind !== undefined && /^[0-9A-Z]{5}$/.test(code) && !SYSTEM.test(code)) return kind
  if (SYSTEM.test(code) || LOST.test(message)) return 'away'
  return POOL_IN_USE.test(message) ? 'slow' : (kind ?? 'ours')
}
