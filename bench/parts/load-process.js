import { startPart } from './part-process.js'

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
  const entry = new URL('./load-entry.js', import.meta.url)
  const part = await startPart(entry, [multiaddr, String(connections), kind], nodeFlags)
  let cpuMicros = 0
  return {
    /** @param {Load} load @returns {Promise<number>} operations done, one in flight at any time */
    async run(load) {
      const { done, error, cpuMicros: spent } = await part.ask(load)
      if (error !== undefined) throw new Error(error)
      cpuMicros = spent
      return done
    },
    /** CPU time of what ran last, µs. */
    get cpuMicros() {
      return cpuMicros
    },
    stop: part.stop
  }
}
