import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('./load-entry.js', import.meta.url))

/**
 * @typedef {object} Load
 * @property {'REGISTER' | 'DISCOVER'} type
 * @property {'stream' | 'stream each' | 'connection each'} over - one long-lived stream, or a new one each time
 * @property {number} operations
 */

/**
 * startLoad starts a process with clients of a server.
 *
 * @param {string} multiaddr
 * @param {object} [options]
 * @param {number} [options.connections] - opened at once
 * @param {'ours' | 'plain'} [options.kind] - plain: as libp2p ships its clients
 */
export async function startLoad(multiaddr, { connections = 1, kind = 'ours' } = {}) {
  const child = fork(ENTRY, [multiaddr, String(connections), kind])
  await once(child, 'message')
  return {
    /** @param {Load} load @returns {Promise<number>} operations done, one in flight at any time */
    async run(load) {
      child.send(load)
      const [{ done, error }] = await once(child, 'message')
      if (error !== undefined) throw new Error(error)
      return done
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    }
  }
}
