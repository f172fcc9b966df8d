import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { startOwnPostgres } from '../../src/target/run-store.js'

/** By PostgreSQL's own port, which names its socket. */
const SOCKET = '.s.PGSQL.5432'

/**
 * startSlowStore starts a PostgreSQL behind a proxy that holds back whatever it answers.
 *
 * @param {number} delayMs
 */
export async function startSlowStore(delayMs) {
  const postgres = await startOwnPostgres()
  const proxy = createServer(socket => {
    const database = connect(join(postgres.folder, SOCKET))
    const end = () => {
      socket.destroy()
      database.destroy()
    }
    for (const side of [socket, database]) side.on('error', end).on('close', end)
    socket.on('data', bytes => database.write(bytes))
    // timers of one length go off in the order in which they were set
    database.on('data', bytes => setTimeout(() => socket.writable && socket.write(bytes), delayMs))
  })
  await new Promise(resolve => proxy.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (proxy.address())
  return {
    url: `postgresql://loadtest@127.0.0.1:${port}/postgres`,
    async stop() {
      proxy.close()
      await postgres.stop()
    }
  }
}
