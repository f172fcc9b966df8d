// The connection of a client to a server: the address it dials, the one it dials from.
import { abortedError, ClientError, ClientErrorCode } from './errors.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 *
 * @typedef {object} Transports
 * @property {(server: Multiaddr, options: { signal: AbortSignal }) => Promise<Connection>} dial
 */

/** @type {Record<string, string>} */
const hints = {
  [ClientErrorCode.LOCAL_PORTS_EXHAUSTED]:
    'no local port is free: connections just closed hold theirs for a minute. Use fewer connections, or more source addresses',
  [ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE]: 'this host does not have the local address to connect from',
  [ClientErrorCode.REFUSED]: 'nothing listens there',
  [ClientErrorCode.WRONG_PEER]: 'another peer answers there: correct the id after /p2p/',
  [ClientErrorCode.CONNECTION_DROPPED]:
    "the server dropped the connection while it was set up. libp2p's defaults allow 5 connections a second from one host, 10 being set up, 300 in all; our own server lifts limits for addresses of its --unlimitedFrom"
}

/**
 * dial opens a connection to a server, or gives the one that is open already.
 *
 * @param {Pick<import('@libp2p/interface').Libp2p, 'dial'>} node
 * @param {PeerId | Multiaddr} server
 * @param {{ signal?: AbortSignal, force?: boolean }} [options] - `force`: a new one even if one is open
 * @returns {Promise<Connection>}
 * @throws {ClientError} LOCAL_PORTS_EXHAUSTED, LOCAL_ADDRESS_UNAVAILABLE, REFUSED, WRONG_PEER, CONNECTION_DROPPED, TIMEOUT,
 *   ABORTED or CONNECT_FAILED
 */
export async function dial(node, server, { signal, force } = {}) {
  try {
    return await node.dial(server, { signal, force })
  } catch (err) {
    throw dialError(err, server, signal)
  }
}

/**
 * transports is the service of a node that dialApart needs: it dials without libp2p's queue.
 *
 * @param {{ transportManager: any }} components
 * @returns {Transports}
 */
export const transports = ({ transportManager }) => ({
  dial: (server, options) => transportManager.dial(server, options)
})

/**
 * dialApart opens a connection that is nobody else's. Libp2p gives those who dial one peer at the same time the same one, `force` or not: who
 * is done with it first would take it from the others.
 *
 * @param {{ services: { transports: Transports } }} node
 * @param {Multiaddr} server
 * @param {{ signal: AbortSignal }} options
 * @returns {Promise<Connection>}
 * @throws {ClientError} as dial
 */
export async function dialApart({ services }, server, { signal }) {
  // Node ends a socket that is open when the signal of its connecting is aborted
  const dialling = new AbortController()
  const giveUp = () => dialling.abort(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    signal.throwIfAborted()
    return await services.transports.dial(server, { signal: dialling.signal })
  } catch (err) {
    throw dialError(err, server, signal)
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/**
 * dialAny opens a connection to the first of some servers that can be reached.
 *
 * @param {Parameters<typeof dial>[0]} node
 * @param {readonly Multiaddr[]} servers
 * @param {Parameters<typeof dial>[2]} options
 * @returns {Promise<Connection>}
 * @throws {ClientError} what dial throws of the last one
 */
export async function dialAny(node, [server, ...others], options) {
  try {
    return await dial(node, server, options)
  } catch (error) {
    if (others.length === 0 || options?.signal?.aborted) throw error
    return dialAny(node, others, options)
  }
}

/**
 * dialError says in one code why a connection could not be opened.
 *
 * @param {unknown} cause - what libp2p threw
 * @param {PeerId | Multiaddr} server
 * @param {AbortSignal} [signal]
 * @returns {ClientError}
 */
export function dialError(cause, server, signal) {
  if (signal?.aborted) return abortedError(signal, `connecting to ${server}`)
  const code = codeOf(cause)
  const why = hints[code] ?? /** @type {any} */ (cause)?.message
  return new ClientError(code, `could not connect to ${server}: ${why}`, { cause })
}

/**
 * @param {any} err - a system error, or an AggregateError with one for each address that was tried
 */
function codeOf(err) {
  const errors = err?.errors ?? [err]
  if (errors.some(isPortShortage)) return ClientErrorCode.LOCAL_PORTS_EXHAUSTED
  if (errors.some(isForeignAddress)) return ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE
  if (errors.some(isRefusal)) return ClientErrorCode.REFUSED
  if (errors.some(isOtherPeer)) return ClientErrorCode.WRONG_PEER
  if (errors.some(isDrop)) return ClientErrorCode.CONNECTION_DROPPED
  return ClientErrorCode.CONNECT_FAILED
}

// Without a local address the system says EADDRNOTAVAIL when it finds no port at connect; with one, bind takes the port
// and says EADDRINUSE, which libuv also reports at connect. EADDRNOTAVAIL at bind is about the address, not the port.
/** @param {any} err */
const isPortShortage = err =>
  err?.syscall === 'connect' && (err.code === 'EADDRNOTAVAIL' || err.code === 'EADDRINUSE')

/** @param {any} err */
const isForeignAddress = err => err?.syscall === 'bind' && err.code === 'EADDRNOTAVAIL'

/** @param {any} err */
const isRefusal = err => err?.code === 'ECONNREFUSED'

// libp2p keeps only the message of what Noise found
/** @param {any} err */
const isOtherPeer = err => /does not match expected remote identity key/.test(err?.message)

/** @param {any} err */
const isDrop = err => err?.code === 'ECONNRESET' || err?.name === 'EncryptionFailedError'

const ADDRESSES_PER_NETWORK = 254
const NETWORKS = 256 * 255

/**
 * clientAddress spreads source addresses over 127.0.0.0/8, so that connections to one server port share the host's
 * local ports per address instead of all drawing on one set, and so that limits per remote host, or per network of neighbours, see many:
 * up to 65,280 clients have a /24 each. 127.0.x.y stays free: servers and hostile peers are there. Distinct up to 16.5 million.
 *
 * @param {number} index - whole number, >= 0
 * @returns {string} for example 127.1.0.1
 */
export function clientAddress(index) {
  const network = index % NETWORKS
  const host = Math.floor(index / NETWORKS) % ADDRESSES_PER_NETWORK
  return `127.${1 + Math.floor(network / 256)}.${network % 256}.${1 + host}`
}

/**
 * clientAddressFor gives the source address for a client of `target`: one of 127.0.0.0/8 where the target is on the
 * loopback network and the system answers for all of it, otherwise undefined (the system chooses).
 *
 * @param {Multiaddr} target
 * @param {number} index - of the client
 * @param {NodeJS.Platform} platform - macOS and the BSDs have 127.0.0.1 only
 * @returns {string | undefined}
 */
export function clientAddressFor(target, index, platform) {
  const host = target.getComponents().find(({ name }) => name === 'ip4')?.value
  const spreads = platform === 'linux' || platform === 'win32'
  return spreads && host?.startsWith('127.') ? clientAddress(index) : undefined
}
