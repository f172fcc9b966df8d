import pg from 'pg'

/** @typedef {{ fromMs: number, toMs: number | null }} Outage - on the monotonic clock of this process; null: it is still away */

const LOOK_EVERY_MS = 500
const ANSWER_MS = 5000
/** A database that is started again is there after less. */
const GIVEN_UP_AFTER_MS = 10_000
/** It is there, and takes no more connections. */
const TOO_MANY_CONNECTIONS = '53300'

/** DatabaseWatch notices when the database of a run goes away, and when it is back, by a connection of its own. */
export class DatabaseWatch {
  #url
  #lock
  #onGone
  /** @type {pg.Client | null} */
  #client = null
  /** @type {Promise<void> | null} */
  #looking = null
  /** @type {NodeJS.Timeout | undefined} */
  #timer
  #told = false
  #stopped = false
  /** @type {Outage[]} */
  outages = []

  /**
   * @param {string} url
   * @param {{ lock?: string, onGone: () => void }} how - `lock`: a name that is locked in the database as long as somebody watches;
   *   `onGone`: it has been away for too long
   */
  constructor(url, { lock, onGone }) {
    this.#url = url
    this.#lock = lock
    this.#onGone = onGone
  }

  /** look asks the database now. @returns {Promise<void>} */
  look() {
    clearTimeout(this.#timer)
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = null
      if (!this.#stopped) this.#timer = setTimeout(() => this.look(), LOOK_EVERY_MS).unref()
    })
    return this.#looking
  }

  /** back waits until it is there. @param {number} withinMs */
  async back(withinMs) {
    const untilMs = performance.now() + withinMs
    while (this.outages.at(-1)?.toMs === null && performance.now() < untilMs)
      await this.look().then(() => new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS / 5)))
  }

  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#looking
    await this.#client?.end().catch(() => {})
  }

  async #ask() {
    const client = this.#client ?? this.#connecting()
    this.#client = client
    try {
      await client.query('SELECT 1')
      const last = this.outages.at(-1)
      if (last !== undefined) last.toMs ??= performance.now()
    } catch (error) {
      this.#client = null
      client.end().catch(() => {})
      if (/** @type {{ code?: string }} */ (error).code !== TOO_MANY_CONNECTIONS) this.#away()
    }
  }

  #connecting() {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'libp2p-loadtest',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS
    })
    client.on('error', () => {
      if (this.#client === client) void this.look()
    })
    client.connect().then(
      () => {
        if (this.#lock === undefined) return
        client.query('SELECT pg_advisory_lock(hashtext($1))', [this.#lock]).catch(() => {})
      },
      () => {}
    )
    return client
  }

  #away() {
    const nowMs = performance.now()
    const last = this.outages.at(-1)
    if (last?.toMs !== null) this.outages.push({ fromMs: nowMs, toMs: null })
    else if (!this.#told && nowMs - last.fromMs > GIVEN_UP_AFTER_MS) {
      this.#told = true
      this.#onGone()
    }
  }
}
