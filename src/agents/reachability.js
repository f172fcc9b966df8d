// Addresses under which machines reach each other, tried before a run.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { findLoopbackHost, isLoopbackHost, unmapAddress } from '../kit/host-address.js'
import { BusError } from './bus-connection.js'

/**
 * @typedef {object} ProbePort - what listens for a moment where a server or nodes will, so that it is known who reaches it
 * @property {number} port
 * @property {ReadonlyMap<string, string>} seen - addresses that those come from who knew the word, by what they call themselves
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
 * openProbePort opens a door on an address of this machine.
 *
 * @param {string} host
 * @param {string} word - that those know who are of the run, and the door itself
 * @returns {Promise<ProbePort>}
 * @throws {AddressError}
 */
export async function openProbePort(host, word) {
  /** @type {Map<string, string>} */
  const seen = new Map()
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.setTimeout(KNOCK_WITHIN_MS, () => socket.destroy())
    socket.once('data', data => {
      const [said, name] = data.toString('latin1', 0, MAX_BYTES).split(' ')
      if (said !== word || name === undefined) return void socket.destroy()
      seen.set(name, unmapAddress(socket.remoteAddress ?? ''))
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
  return { port, seen, close: () => void server.close() }
}

/**
 * probeAddress tries whether a connection can be opened, and whether it leads to the door that is meant.
 *
 * @param {{ host: string, port: number }} where
 * @param {{ word: string, name: string } | null} [door] - null: what listens there is no door of ours
 * @returns {Promise<string | null>} what is in the way; null: nothing
 */
export async function probeAddress({ host, port }, door = null) {
  const late = AbortSignal.timeout(KNOCK_WITHIN_MS)
  const socket = connect({ host, port })
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal: late })
    if (door === null) return null
    socket.write(`${door.word} ${door.name}`)
    const [said] = await Promise.race([
      once(socket, 'data', { signal: late }),
      once(socket, 'close').then(() => [''])
    ])
    return String(said) === door.word ? null : 'something else answers there'
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
