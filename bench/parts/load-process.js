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
 * @param {readonly string[]} [options.nodeFlags]
 */
export async function startLoad(multiaddr, { connections = 1, kind = 'ours', nodeFlags = [] } = {}) {
  const child = fork(ENTRY, [multiaddr, String(connections), kind], { execArgv: [...nodeFlags] })
  await once(child, 'message')
  let cpuMicros = 0
  return {
    /** @param {Load} load @returns {Promise<number>} operations done, one in flight at any time */
    async run(load) {
      child.send(load)
      const [{ done, error, cpuMicros: spent }] = await once(child, 'message')
      if (error !== undefined) throw new Error(error)
      cpuMicros = spent
      return done
    },
    /** CPU time of what ran last, µs. */
    get cpuMicros() {
      return cpuMicros
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    }
  }
}
