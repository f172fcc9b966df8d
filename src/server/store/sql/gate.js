import { StoreUnavailableError } from '../store-error.js'
import { kindOf } from './sql-states.js'

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
