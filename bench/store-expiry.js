import { openPostgres } from '../src/server/postgres.js'
import { ResourceMonitor } from '../src/server/resource-monitor.js'
import { SqlStore } from '../src/server/sql-store.js'
import { startOwnPostgres } from '../src/target/run-store.js'
import { kept } from './parts/kept.js'

const REGISTRATIONS = Number(process.env.BENCH_REGISTRATIONS ?? 100_000)
const MAX_TURN_MS = 50
const MAX_STATEMENT_MS = 200

/** All of them have expired; their tallies and peers are counted as if they had been registered. */
const EXPIRED = [
  `INSERT INTO rendezvous_registrations SELECT 'namespace'::bytea || int4send(i % 100), int4send(i), decode(repeat('ab', 250), 'hex'),
     now() - interval '1 s', 0, i FROM generate_series(1, ${REGISTRATIONS}) i`,
  `INSERT INTO rendezvous_peers SELECT int4send(i) FROM generate_series(1, ${REGISTRATIONS}) i`,
  `UPDATE rendezvous_tallies SET n = ${REGISTRATIONS} WHERE slot = 0`
]

/**
 * storeExpiry has many registrations expire at once, and says what removing them takes of the event loop and of the database.
 *
 * @param {{ keep: boolean }} options
 */
export async function storeExpiry({ keep }) {
  const postgres = await startOwnPostgres()
  const database = await openPostgres(postgres.url, { connections: 4 })
  let longestMs = 0
  /** @type {import('../src/server/postgres.js').Query} */
  const query = async (statement, values) => {
    const beganMs = performance.now()
    const rows = await database.query(statement, values)
    longestMs = Math.max(longestMs, performance.now() - beganMs)
    return rows
  }
  const store = await SqlStore.open({ ...database, query })
  try {
    await database.transaction(async ask => {
      await ask({ text: 'SET LOCAL statement_timeout = 0' })
      for (const text of EXPIRED) await ask({ text })
    })
    const watch = new ResourceMonitor()
    watch.takeUsage()
    longestMs = 0
    const beganMs = performance.now()
    const { removed, steps } = await store.sweep()
    const seconds = (performance.now() - beganMs) / 1000
    const { longestTurnMs } = watch.takeUsage()
    watch.stop()
    const figures = [removed, steps, seconds.toFixed(1), longestTurnMs.toFixed(1), MAX_TURN_MS]
    const row = [...figures, longestMs.toFixed(1), MAX_STATEMENT_MS].map(String)
    const table = {
      title: `${REGISTRATIONS.toLocaleString('en')} registrations in PostgreSQL that have expired at once, removed by one server`,
      head: [
        ...['Removed', 'Statements', 'In, s', 'Longest turn, ms', 'at most'],
        ...['Longest statement, ms', 'at most']
      ],
      rows: [row]
    }
    return keep ? await kept('store-expiry', table, { postgres: row }) : table
  } finally {
    await store.stop()
    await postgres.stop()
  }
}
