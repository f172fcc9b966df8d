import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../../src/server/server-process.js'

const MAIN = fileURLToPath(new URL('../../src/server/main.js', import.meta.url))

/**
 * startServer starts our server as users do, in its own process.
 *
 * @param {string[]} [nodeFlags] - for example to profile it
 * @param {string[]} [more] - flags of its own
 * @param {{ stock?: boolean }} [how] - `stock`: js-libp2p and V8 as they are published
 */
export async function startServer(nodeFlags = [], more = [], { stock = false } = {}) {
  const flags = ['--listen=/ip4/127.0.0.1/tcp/0', '--httpPort=0', '--control', '--logLevel=warn', ...more]
  if (stock) flags.push('--stock')
  const child = spawn(process.execPath, [...(stock ? [] : NODE_FLAGS), ...nodeFlags, MAIN, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  // a bench that fails leaves none behind
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const ended = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  const [, multiaddr, http] = String(line).trim().split(' ')

  /** @returns {Promise<{ cpuMicros: number, rssBytes: number, registrations: number, connections: number }>} */
  const state = async () => (await fetch(`${http}/control/state`)).json()

  return {
    multiaddr,
    pid: /** @type {number} */ (child.pid),
    state,
    /** @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} chunks */
    async preload(chunks) {
      const body = Readable.toWeb(Readable.from(chunks))
      const init = /** @type {RequestInit} */ (
        /** @type {unknown} */ ({ method: 'POST', body, duplex: 'half' })
      )
      const response = await fetch(`${http}/control/registrations`, init)
      return response.json()
    },
    /**
     * cpuPerOperation is the CPU time the server spent while `load` ran.
     *
     * @param {() => Promise<number>} load - resolves to how many operations it did
     * @returns {Promise<number>} µs
     */
    async cpuPerOperation(load) {
      const before = (await state()).cpuMicros
      const operations = await load()
      return ((await state()).cpuMicros - before) / operations
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    }
  }
}
