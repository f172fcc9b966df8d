import { once } from 'node:events'
import { stat, unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { StoreOpenError } from '../store-error.js'

/**
 * lockFolder takes a folder for this process. The lock is a socket that this process listens on: it goes with the process, however that ends. On
 * Linux its name is in no file system, so that nothing is left behind; elsewhere a name that nobody listens on any more is
 * removed. Processes in different containers do not see one another's.
 *
 * @param {string} folder
 * @returns {Promise<{ release: () => Promise<void> }>}
 * @throws {StoreOpenError} another process has it
 */
export async function lockFolder(folder) {
  const { dev, ino } = await stat(folder)
  const path =
    process.platform === 'linux' ? `\0libp2p-loadtest-store-${dev}-${ino}` : join(folder, 'server.lock')
  const server = createServer(socket => socket.destroy())
  if (!(await listens(server, path))) {
    const left = !path.startsWith('\0') && !(await answers(path))
    if (left) await unlink(path)
    if (!left || !(await listens(server, path)))
      throw new StoreOpenError(
        `--store pglite:${folder} is in use: another server has it, and two would lose registrations`
      )
  }
  server.unref()
  return {
    async release() {
      server.close()
    }
  }
}

/** @param {import('node:net').Server} server @param {string} path */
async function listens(server, path) {
  try {
    await once(server.listen(path), 'listening')
    return true
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code === 'EADDRINUSE') return false
    throw error
  }
}

/** @param {string} path */
async function answers(path) {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
