import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { BY_INDEX } from '../sql/by-index.js'

/**
 * The thread that has the database: a query would stop the server's event loop. It is sent `{ id, text, values }`, one after the other, and
 * answers `{ id, rows }` or `{ id, error }`; `{ id, close }` ends it.
 */
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
const database = await PGlite.create({ dataDir: workerData.folder })
await database.query(BY_INDEX)

port.on('message', async ({ id, text, values, close }) => {
  try {
    if (close) await database.close()
    const rows = close ? [] : (await database.query(text, values)).rows
    port.postMessage({ id, rows })
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: string }} */ (error)
    port.postMessage({ id, error: { message, code } })
  }
})
port.postMessage({ id: 0, rows: [] })
