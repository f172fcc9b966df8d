import pg from 'pg'

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
