import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { sumOf } from '../kit/lists.js'
import { statFields } from '../kit/proc-stat.js'
import { withoutPassword } from '../kit/without-password.js'
import { findPostgres } from './postgres/installed.js'
import { startOwnPostgres } from './postgres/own-postgres.js'
import { TargetError } from './target-error.js'

/** Ticks of the clock that Linux counts CPU time in, the same on all architectures that Node runs on. */
const TICK_MS = 10

/** What one process has of what many share takes the kernel half a millisecond to add up, and a database has fifty. */
const MEMORY_EVERY_MS = 1000

/**
 * databaseReader gives what reads the CPU time of a PostgreSQL, of processes that have ended too, and the memory of those that run, each with
 * its part of what they share: that once a second.
 *
 * @param {number} postmaster - pid
 * @returns {() => Promise<import('../measure/resource-series.js').Reading>}
 */
export function databaseReader(postmaster) {
  let [rssBytes, rssMs] = [0, Number.NEGATIVE_INFINITY]
  return async () => {
    const all = processesOf(postmaster)
    const atMs = performance.now()
    if (atMs - rssMs >= MEMORY_EVERY_MS) {
      rssBytes = sumOf(all, ({ pid }) => shareOf(pid))
      rssMs = atMs
    }
    return { atMs, cpuMs: (all[0].endedTicks + sumOf(all, ({ ticks }) => ticks)) * TICK_MS, rssBytes }
  }
}

/** @param {number} postmaster - pid */
function processesOf(postmaster) {
  const own = statOf(postmaster)
  if (own === undefined) throw new Error('the database has ended')
  const children = childrenOf(postmaster).map(statOf)
  return [own, ...children.flatMap(stat => (stat?.parent === postmaster ? [stat] : []))]
}

/**
 * Of no disk, so that nothing waits: without promises a hundred of them take a quarter of the CPU time.
 *
 * @param {string} path
 * @returns {string | undefined} undefined: it is of a process that has ended, or the kernel does not tell
 */
function told(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {}
}

/**
 * Where the kernel tells whose children processes are, only those are looked at: to look at all others took three times as much CPU.
 *
 * @param {number} pid
 */
const childrenOf = pid =>
  (told(`/proc/${pid}/task/${pid}/children`)?.split(' ') ?? readdirSync('/proc'))
    .filter(name => /^\d+$/.test(name))
    .map(Number)

/** @param {number} pid - of a process that may have ended meanwhile */
function statOf(pid) {
  const text = told(`/proc/${pid}/stat`)
  if (text === undefined) return
  const fields = statFields(text)
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number)
  return { pid, parent: Number(fields[1]), ticks: utime + stime, endedTicks: cutime + cstime }
}

/** @param {number} pid */
const shareOf = pid =>
  Number(/^Pss:\s+(\d+) kB/m.exec(told(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) * 1024

/**
 * @typedef {object} DatabaseWork - of a PostgreSQL since its statistics were reset
 * @property {number} writtenBytes - pages of tables and indexes, and the log
 * @property {number} walBytes - of that: the write-ahead log
 * @property {number} fsyncs - of the log, and of pages by who wrote them: somebody waited for these
 * @property {number} checkpointFsyncs - of files, by checkpoints that have ended
 */

/** As versions 14 to 16 have it, see https://www.postgresql.org/docs/15/monitoring-stats.html. Processes tell it once a second. */
const STATISTICS = `SELECT to_jsonb(w) || to_jsonb(b) AS figures, current_setting('block_size')::int AS page
  FROM pg_stat_wal w, pg_stat_bgwriter b`

/**
 * databaseWork reads what a PostgreSQL has written.
 *
 * @param {{ url: string, checkpointFsyncs: number }} database - `checkpointFsyncs`: no view has them
 * @returns {Promise<DatabaseWork | null>} null: it does not tell, as versions before 14 and after 16
 */
export async function databaseWork({ url, checkpointFsyncs }) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { figures, page } = (await client.query(STATISTICS)).rows[0]
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
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * @typedef {object} RunStore - where the servers of a run keep registrations
 * @property {string} address - for `server --store`
 * @property {(() => Promise<import('../measure/resource-series.js').Reading>) | null} reading - of the database, all its processes
 *   together; null: it is in the server, or elsewhere
 * @property {() => Promise<DatabaseWork | null>} [work] - what the database has written so far
 * @property {{ url: string, whose: string, lock?: string }} [database] - that can go away; `lock`: held as long as the run is there
 * @property {readonly string[]} [left] - lines that drop schemas in it of runs that are gone
 * @property {Record<string, string>} [versions] - of what the database runs on, where that is not this machine's
 * @property {() => Promise<void>} stop - nothing of it is left
 */

/**
 * startRunStore makes a store that holds nothing yet.
 *
 * @param {string} store - memory, postgres, or the URL of a PostgreSQL, in which the run has a schema of its own
 * @param {string} name - that no other run has
 * @param {() => ReturnType<typeof findPostgres>} [installed] - this machine's PostgreSQL
 * @returns {Promise<RunStore>}
 * @throws {TargetError} STORE_NOT_STARTED
 */
export async function startRunStore(store, name, installed = findPostgres) {
  if (store === 'memory') return { address: 'memory', reading: null, stop: async () => {} }
  if (store !== 'postgres') return schemaIn(store, name)
  const found = installed()
  if (typeof found === 'string') return inDocker(found)
  const own = await startOwnPostgres(found)
  const reading = process.platform === 'linux' ? databaseReader(own.pid) : null
  const database = { url: own.url, whose: OWN }
  return { address: own.url, reading, work: () => databaseWork(own), database, stop: own.stop }
}

const OWN = 'the database of the run (--store postgres)'

/** @param {string} why - this machine's own is not taken @returns {Promise<RunStore>} */
async function inDocker(why) {
  // nothing of Docker is loaded where it is not needed
  const { startDockerPostgres } = await import('./postgres/docker-postgres.js')
  const own = await startDockerPostgres().catch(error => {
    if (error instanceof TargetError) throw error
    throw new TargetError(
      'STORE_NOT_STARTED',
      `--store postgres: ${why}, or take it from Docker: ${error.message}`
    )
  })
  const { url, reading, versions, stop } = own
  const database = { url, whose: OWN }
  return { address: url, reading, work: () => databaseWork(own), database, versions, stop }
}

/** @param {string} url @param {string} name @returns {Promise<RunStore>} */
async function schemaIn(url, name) {
  const { default: pg } = await import('pg')
  const query = async (/** @type {string} */ text) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const named = withoutPassword(url)
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
    left: schemas.flatMap(({ nspname }) => (nspname === name ? [] : `${dropping(nspname)};`)),
    stop: async () => {
      await query(dropping(name)).catch(error => {
        const why = `the schema ${name} stays behind in ${named}: ${words(error)}`
        throw new TargetError('LEFT_BEHIND', `${why}; this drops it: ${dropping(name)};`)
      })
    }
  }
}

/** Each run that is there locks the name of its schema. */
const LEFT = `SELECT nspname FROM pg_namespace
  WHERE nspname ~ '^loadtest_[0-9a-f]{12}$' AND pg_try_advisory_lock(hashtext(nspname))`

/** What drops a schema. @param {string} name */
const dropping = name => `DROP SCHEMA "${name}" CASCADE`
