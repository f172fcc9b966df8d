import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makeFolder } from '../../../kit/folders.js'
import { StoreOpenError } from '../store-error.js'
import { lockFolder } from './folder-lock.js'

/**
 * @typedef {import('../sql/database.js').Database} Database
 * @typedef {import('../sql/database.js').Row} Row
 */

const THREAD = new URL('./thread.js', import.meta.url)

/** One statement runs, the others wait: this many take about a quarter of a second. */
const MAX_UNDER_WAY = 256
/** Nothing tidies up in there by itself: after so many statements that may have written it is done. */
const TIDY_AFTER = 20_000

/** What the promise is worth. */
const DURABILITY =
  'fsync off, as pglite has it: what is acknowledged is kept when the server is killed, and can be lost when the machine stops'

/**
 * openPglite opens the database in a folder, or makes one.
 *
 * @param {string} folder
 * @returns {Promise<Database>}
 * @throws {StoreOpenError} another server has it; it cannot be opened
 */
export async function openPglite(folder) {
  try {
    await makeFolder(folder)
    const lock = await lockFolder(folder)
    const thread = await PgliteThread.start(join(folder, 'data')).catch(async error => {
      await lock.release()
      throw error
    })
    return databaseOn(thread, lock, () => PgliteThread.start(join(folder, 'data')))
  } catch (error) {
    if (error instanceof StoreOpenError) throw error
    const { message } = /** @type {Error} */ (error)
    throw new StoreOpenError(`--store pglite:${folder} cannot be opened: ${message}`)
  }
}

/**
 * @param {PgliteThread} thread
 * @param {Awaited<ReturnType<typeof lockFolder>>} lock
 * @param {() => Promise<PgliteThread>} restart
 * @returns {Database}
 */
function databaseOn(thread, lock, restart) {
  let since = 0
  /** @type {Promise<void> | undefined} */
  let restarting
  return {
    query: async ({ text }, values) => {
      since++
      if (thread.hasEnded) {
        restarting ??= restart()
          .then(started => {
            thread = started
          })
          .finally(() => {
            restarting = undefined
          })
        await restarting
      }
      return thread.query(text, values)
    },
    transaction: work => transaction(thread, work),
    durability: async () => DURABILITY,
    waiting: () => thread.waiting,
    maxUnderWay: MAX_UNDER_WAY,
    async tidy() {
      if (since < TIDY_AFTER) return
      since = 0
      await thread.query('VACUUM ANALYZE')
    },
    async close() {
      await thread.close()
      await lock.release()
    }
  }
}

/**
 * There is one connection: nothing else is asked of it until the store is open.
 *
 * @template T
 * @param {PgliteThread} thread
 * @param {(query: import('../sql/database.js').Query) => Promise<T>} work
 */
async function transaction(thread, work) {
  await thread.query('BEGIN')
  try {
    const done = await work(({ text }, values) => thread.query(text, values))
    await thread.query('COMMIT')
    return done
  } catch (error) {
    await thread.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** PgliteThread sends statements to the thread; one that has ended by itself takes no more. */
class PgliteThread {
  #worker
  #lastId = 0
  /** @type {Map<number, { resolve: (rows: Row[]) => void, reject: (error: Error) => void }>} */
  #asked = new Map()
  /** @type {Error | undefined} */
  #ended

  /** @param {string} folder */
  static async start(folder) {
    const thread = new PgliteThread(folder)
    await thread.#ready
    return thread
  }

  /** @param {string} folder */
  constructor(folder) {
    this.#worker = new Worker(THREAD, { workerData: { folder }, execArgv: [] })
    this.#ready = new Promise((resolve, reject) => this.#asked.set(0, { resolve, reject }))
    this.#worker.on('message', ({ id, rows, error }) => {
      const asked = this.#asked.get(id)
      this.#asked.delete(id)
      if (error === undefined) asked?.resolve(rows)
      else asked?.reject(Object.assign(new Error(error.message), { code: error.code }))
    })
    this.#worker.on('error', error => this.#end(error))
    this.#worker.on('exit', () => this.#end(new Error('worker ended')))
  }

  #ready

  /** hasEnded says whether it takes nothing any more. */
  get hasEnded() {
    return this.#ended !== undefined
  }

  /** waiting is how many statements wait for another to end. */
  get waiting() {
    return Math.max(0, this.#asked.size - 1)
  }

  /** @param {string} text @param {readonly unknown[]} [values] @returns {Promise<Row[]>} */
  query(text, values = []) {
    return this.#ask({ text, values })
  }

  async close() {
    await this.#ask({ close: true }).catch(() => {})
    await this.#worker.terminate()
  }

  /** @param {object} message @returns {Promise<Row[]>} */
  #ask(message) {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) throw this.#ended
      const id = ++this.#lastId
      this.#asked.set(id, { resolve, reject })
      this.#worker.postMessage({ id, ...message })
    })
  }

  /** @param {Error} error */
  #end(error) {
    this.#ended ??= Object.assign(new Error(`pglite worker ended: ${error.message}`), { code: '08006' })
    for (const { reject } of this.#asked.values()) reject(this.#ended)
    this.#asked.clear()
  }
}
