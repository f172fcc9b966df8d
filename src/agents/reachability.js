// Tests before a run whether machines can connect to each other. Finds the address under which other machines reach this
// one.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { findLoopbackHost, isLoopbackHost, unmapAddress } from '../kit/host-address.js'
import { BusError } from './bus-connection.js'

/**
 * @typedef {object} ProbePort - what listens for a moment where a server or nodes will, so that it is known who reaches it
 * @property {number} port
 * @property {ReadonlyMap<string, string>} callers - addresses that those come from who knew the word, by what they call themselves
 * @property {() => void} close
 */

/** AddressError is thrown for an address that this machine cannot listen on. */
export class AddressError extends Error {
  name = 'AddressError'
  code = 'NO_ADDRESS'
}

const KNOCK_WITHIN_MS = 3000
/** Of a word with a name behind it: nobody has more to say. */
const MAX_BYTES = 128

/**
 * openProbePort listens on an address of this machine.
 *
 * @param {string} host
 * @param {string} word - shared secret of the run
 * @returns {Promise<ProbePort>}
 * @throws {AddressError}
 */
export async function openProbePort(host, word) {
  /** @type {Map<string, string>} */
  const callers = new Map()
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.setTimeout(KNOCK_WITHIN_MS, () => socket.destroy())
    socket.once('data', data => {
      const [received, name] = data.toString('latin1', 0, MAX_BYTES).split(' ')
      if (received !== word || name === undefined) return void socket.destroy()
      callers.set(name, unmapAddress(socket.remoteAddress ?? ''))
      socket.end(word)
    })
  })
  server.on('error', () => {})
  server.listen({ host, port: 0 })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw new AddressError(`nothing can listen on ${host} of this machine (${code})`, { cause })
  }
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { port, callers, close: () => void server.close() }
}

/**
 * probeAddress tries whether a connection can be opened, and whether the expected probe port answers.
 *
 * @param {{ host: string, port: number }} where
 * @param {{ word: string, name: string } | null} [expected] - null: a server listens there, no probe port
 * @returns {Promise<string | null>} what is in the way; null: nothing
 */
export async function probeAddress({ host, port }, expected = null) {
  const late = AbortSignal.timeout(KNOCK_WITHIN_MS)
  const socket = connect({ host, port })
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal: late })
    if (expected === null) return null
    socket.write(`${expected.word} ${expected.name}`)
    const [received] = await Promise.race([
      once(socket, 'data', { signal: late }),
      once(socket, 'close').then(() => [''])
    ])
    return String(received) === expected.word ? null : 'something else answers there'
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    return late.aborted ? `no answer in ${KNOCK_WITHIN_MS / 1000} s` : (code ?? message)
  } finally {
    socket.destroy()
  }
}

const CONNECT_WITHIN_MS = 5000

/**
 * findOwnAddress is the address of this machine that reaches the bus: the one that other machines on it most likely reach as well.
 *
 * @param {Pick<import('../plan/agents.js').BusAddress, 'url'>} bus
 * @returns {Promise<string>}
 * @throws {BusError}
 */
export async function findOwnAddress({ url }) {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) })
    const address = unmapAddress(socket.localAddress ?? '')
    return isLoopbackHost(address) ? findLoopbackHost() : address
  } catch (error) {
    throw new BusError(`no connection to ${url}: ${/** @type {Error} */ (error).message}`, { cause: error })
  } finally {
    socket.destroy()
  }
}
