// Makes the empty database in which a run's servers keep registrations: a temporary PostgreSQL, or a schema in a given
// one. Also measures its resources and outages.
import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { computeSum } from '../kit/collections.js'
import { hidePasswords } from '../kit/host-address.js'
import { parseStatFields, readSystemFile } from '../kit/linux.js'
import { findPostgres, makePostgresUrl } from './postgres/installation.js'
import { TargetError } from './target.js'

/** Linux counts CPU time in ticks of this length, on all architectures that Node runs on. */
const TICK_MS = 10

/** The kernel takes half a millisecond to add up a process's part of shared memory, and a database has fifty processes. */
const MEMORY_EVERY_MS = 1000

/**
 * makeDatabaseReader makes a reader of a PostgreSQL: CPU time, also of processes that have ended; and, once a second, memory of its processes,
 * each with its part of the shared memory. It reads without promises: a hundred of them take a quarter of the CPU time.
 *
 * @param {number} postmaster - pid
 * @returns {() => Promise<import('../measure/series.js').ResourceReading>}
 */
export function makeDatabaseReader(postmaster) {
  let [rssBytes, rssMs] = [0, Number.NEGATIVE_INFINITY]
  return async () => {
    const all = readProcesses(postmaster)
    const atMs = performance.now()
    if (atMs - rssMs >= MEMORY_EVERY_MS) {
      rssBytes = computeSum(
        all,
        ({ pid }) => Number(PSS.exec(readSystemFile(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024
      )
      rssMs = atMs
    }
    return { atMs, cpuMs: (all[0].endedTicks + computeSum(all, ({ ticks }) => ticks)) * TICK_MS, rssBytes }
  }
}

const PSS = /^Pss:\s+(\d+) kB/m

/** @param {number} postmaster - pid */
function readProcesses(postmaster) {
  const own = readProcessStat(postmaster)
  if (own === undefined) throw new Error('the database has ended')
  // without the kernel's list of children all processes are read, which takes three times as much CPU
  const listed = readSystemFile(`/proc/${postmaster}/task/${postmaster}/children`)
  const pids = (listed === '' ? readdirSync('/proc') : listed.split(' '))
    .filter(name => /^\d+$/.test(name))
    .map(Number)
  return [own, ...pids.map(readProcessStat).flatMap(stat => (stat?.parent === postmaster ? [stat] : []))]
}

/** @param {number} pid - of a process that may have ended meanwhile */
function readProcessStat(pid) {
  const text = readSystemFile(`/proc/${pid}/stat`)
  if (text === '') return
  const fields = parseStatFields(text)
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number)
  return { pid, parent: Number(fields[1]), ticks: utime + stime, endedTicks: cutime + cstime }
}

/**
 * @typedef {object} DatabaseWork - of a PostgreSQL since its statistics were reset
 * @property {number} writtenBytes - pages of tables and indexes, and the log
 * @property {number} walBytes - of that: the write-ahead log
 * @property {number} fsyncs - of the log, and of pages by the process that wrote them: a process waited for each
 * @property {number} checkpointFsyncs - of files, by completed checkpoints
 */

/** As versions 14 to 16 have it, see https://www.postgresql.org/docs/15/monitoring-stats.html. Processes report once a second. */
const STATISTICS = `SELECT to_jsonb(w) || to_jsonb(b) AS figures, current_setting('block_size')::int AS page
  FROM pg_stat_wal w, pg_stat_bgwriter b`

/**
 * readDatabaseWork reads what a PostgreSQL has written.
 *
 * @param {{ url: string, checkpointFsyncs: number }} database - `checkpointFsyncs`: missing in all views
 * @returns {Promise<DatabaseWork | null>} null: not known, as of versions before 14 and after 16
 */
export async function readDatabaseWork({ url, checkpointFsyncs }) {
  try {
    const [{ figures, page }] = await queryOnce(url, STATISTICS, { query_timeout: 5000 })
    const { wal_bytes: walBytes, buffers_checkpoint, buffers_clean, buffers_backend } = figures
    const work = {
      writtenBytes: walBytes + page * (buffers_checkpoint + buffers_clean + buffers_backend),
      walBytes,
      fsyncs: figures.wal_sync + figures.buffers_backend_fsync,
      checkpointFsyncs
    }
    return Object.values(work).every(Number.isFinite) ? work : null
  } catch {
    return null
  }
}

/** Runs a statement on a connection of its own. @param {string} url @param {string} text @param {import('pg').ClientConfig} [options] */
async function queryOnce(url, text, options) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, ...options })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * @typedef {object} RunStore - where the servers of a run keep registrations
 * @property {string} address - for `server --store`
 * @property {(() => Promise<import('../measure/series.js').ResourceReading>) | null} reading - of all processes of the database; null: it
 *   is in the server, or not started by the run
 * @property {() => Promise<DatabaseWork | null>} [work] - what the database has written so far
 * @property {{ url: string, whose: string, lock?: string }} [database] - that can go away; `lock`: name of a lock for the duration of the run
 * @property {readonly string[]} [left] - lines that drop schemas in it of runs that are gone
 * @property {Record<string, string>} [versions] - of what the database runs on, where that is not this machine's
 * @property {() => Promise<void>} stop - removes it
 */

/**
 * startRunStore makes an empty store.
 *
 * @param {string} store - memory, postgres, or the URL of a PostgreSQL, in which the run has a schema of its own
 * @param {string} name - that no other run has
 * @param {() => ReturnType<typeof findPostgres>} [installed] - this machine's PostgreSQL
 * @returns {Promise<RunStore>}
 * @throws {TargetError} STORE_NOT_STARTED
 */
export async function startRunStore(store, name, installed = findPostgres) {
  if (store === 'memory') return { address: 'memory', reading: null, stop: async () => {} }
  if (store !== 'postgres') return makeRunSchema(store, name)
  const installation = installed()
  if (typeof installation === 'string') return startStoreInDocker(installation)
  const own = await startOwnPostgres(installation)
  const reading = process.platform === 'linux' ? makeDatabaseReader(own.pid) : null
  const database = { url: own.url, whose: OWN }
  return { address: own.url, reading, work: () => readDatabaseWork(own), database, stop: own.stop }
}

const OWN = 'the database of the run (--store postgres)'

/** @param {string} why - why this machine's own is not used @returns {Promise<RunStore>} */
async function startStoreInDocker(why) {
  // the modules of Docker are loaded only when they are needed
  const { startDockerPostgres } = await import('./postgres/docker-postgres.js')
  const own = await startDockerPostgres().catch(error => {
    throw error instanceof TargetError
      ? error
      : notStarted(`${why}, or take it from Docker: ${error.message}`)
  })
  const { url, reading, versions, stop } = own
  const database = { url, whose: OWN }
  return { address: url, reading, work: () => readDatabaseWork(own), database, versions, stop }
}

/** @param {string} url @param {string} name @returns {Promise<RunStore>} */
async function makeRunSchema(url, name) {
  const query = (/** @type {string} */ text) => queryOnce(url, text)
  const named = hidePasswords(url)
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
    left: schemas.flatMap(({ nspname }) => (nspname === name ? [] : `${makeDropStatement(nspname)};`)),
    stop: async () => {
      await query(makeDropStatement(name)).catch(error => {
        const why = `the schema ${name} remains in ${named}: ${words(error)}`
        throw new TargetError('LEFT_BEHIND', `${why}; this drops it: ${makeDropStatement(name)};`)
      })
    }
  }
}

/** Schemas of runs that have ended: a run locks the name of its schema. */
const LEFT = `SELECT nspname FROM pg_namespace
  WHERE nspname ~ '^loadtest_[0-9a-f]{12}$' AND pg_try_advisory_lock(hashtext(nspname))`

/** @param {string} name - of a schema */
const makeDropStatement = name => `DROP SCHEMA "${name}" CASCADE`

const POSTGRES_PROCESS = fileURLToPath(new URL('./postgres/postgres-process.js', import.meta.url))

/**
 * @typedef {object} OwnPostgres - of a run, gone with it
 * @property {string} url
 * @property {number} pid - of the present postmaster
 * @property {string} folder - its own, data and socket
 * @property {number} checkpointFsyncs - files that its checkpoints have flushed so far
 * @property {() => void} kill - at once
 * @property {() => Promise<void>} restart - after kill
 * @property {() => Promise<void>} stop - resolves when nothing is left of it
 */

/**
 * startOwnPostgres starts a PostgreSQL from the machine's installation, with data of its own. It ends with this process, however that ends.
 *
 * @param {ReturnType<typeof findPostgres>} [installation]
 * @returns {Promise<OwnPostgres>}
 * @throws {TargetError} STORE_NOT_STARTED
 */
export async function startOwnPostgres(installation = findPostgres()) {
  if (typeof installation === 'string') throw notStarted(installation)
  const child = fork(POSTGRES_PROCESS, [JSON.stringify(installation)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  const exited = once(child, 'exit')
  let checkpointFsyncs = 0
  child.on('message', message => {
    checkpointFsyncs = /** @type {{ synced?: number }} */ (message).synced ?? checkpointFsyncs
  })
  const stop = async () => {
    if (child.connected) child.disconnect()
    await exited
  }
  let { folder, pid } = await receiveAnswer(child).catch(async error => {
    await stop()
    throw error
  })
  return {
    url: makePostgresUrl(folder),
    folder,
    get pid() {
      return pid
    },
    get checkpointFsyncs() {
      return checkpointFsyncs
    },
    kill: () => void process.kill(pid, 'SIGKILL'),
    async restart() {
      child.send('restart')
      ;({ folder, pid } = await receiveAnswer(child))
    },
    stop
  }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<{ folder: string, pid: number }>} */
async function receiveAnswer(child) {
  const waiting = new AbortController()
  const { signal } = waiting
  const answer = async () => {
    // messages about checkpoints are no answer
    for await (const [message] of on(child, 'message', { signal })) if (!('synced' in message)) return message
  }
  const message = await Promise.race([
    answer(),
    once(child, 'exit', { signal }).then(() => ({ failed: 'who should keep it ended' }))
  ]).finally(() => waiting.abort())
  if (message.failed !== undefined) throw notStarted(message.failed)
  return message
}

/** @param {string} why */
const notStarted = why => new TargetError('STORE_NOT_STARTED', `--store postgres: ${why}`)

/** @typedef {{ fromMs: number, toMs: number | null }} Outage - on the monotonic clock of this process; null: the database is still away */

const CHECK_EVERY_MS = 500
const ANSWER_MS = 5000
/** A restart of a database takes less. */
const GIVE_UP_AFTER_MS = 10_000
/** The database runs, and accepts no more connections. */
const TOO_MANY_CONNECTIONS = '53300'

/** DatabaseMonitor records the outages of the database of a run, over a connection of its own. */
export class DatabaseMonitor {
  #url
  #lock
  #onLost
  /** @type {pg.Client | null} */
  #client = null
  /** @type {Promise<void> | null} */
  #checking = null
  /** @type {NodeJS.Timeout | undefined} */
  #timer
  #reported = false
  #stopped = false
  /** @type {Outage[]} */
  outages = []

  /**
   * @param {string} url
   * @param {{ lock?: string, onLost: () => void }} how - `lock`: a name that is locked in the database during the watch; `onGone`:
   *   called when the database has been away for too long
   */
  constructor(url, { lock, onLost }) {
    this.#url = url
    this.#lock = lock
    this.#onLost = onLost
  }

  /** look checks the database now. @returns {Promise<void>} */
  look() {
    clearTimeout(this.#timer)
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null
      if (!this.#stopped) this.#timer = setTimeout(() => this.look(), CHECK_EVERY_MS).unref()
    })
    return this.#checking
  }

  /** back waits until the database answers. @param {number} withinMs */
  async back(withinMs) {
    const untilMs = performance.now() + withinMs
    while (this.outages.at(-1)?.toMs === null && performance.now() < untilMs)
      await this.look().then(() => new Promise(resolve => setTimeout(resolve, CHECK_EVERY_MS / 5)))
  }

  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#checking
    await this.#client?.end().catch(() => {})
  }

  async #check() {
    this.#client ??= this.#connect()
    const client = this.#client
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

  #connect() {
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
    else if (!this.#reported && nowMs - last.fromMs > GIVE_UP_AFTER_MS) {
      this.#reported = true
      this.#onLost()
    }
  }
}
