// Opens connections from clients to servers, with separate connections for the same peer and with distinct loopback
// source addresses.
import { ClientError, ClientErrorCode, makeAbortError } from './errors.js'

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
    'no local port is free: connections just closed keep theirs for a minute. Use fewer connections, or more source addresses',
  [ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE]: 'this host does not have the local address to connect from',
  [ClientErrorCode.REFUSED]: 'nothing listens there',
  [ClientErrorCode.WRONG_PEER]: 'another peer answers there: correct the id after /p2p/',
  [ClientErrorCode.CONNECTION_DROPPED]:
    "the server dropped the connection while it was set up. libp2p's defaults allow 5 connections a second from one host, 10 being set up, 300 in all; our own server lifts limits for addresses of its --unlimitedFrom"
}

/**
 * dial opens a connection to a server, or returns the open one.
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
    throw makeDialError(err, server, signal)
  }
}

/**
 * transportService is a service for dialSeparately: it dials without libp2p's queue.
 *
 * @param {{ transportManager: any }} components
 * @returns {Transports}
 */
export const transportService = ({ transportManager }) => ({
  dial: (server, options) => transportManager.dial(server, options)
})

/**
 * dialSeparately opens a connection that no other caller shares. Concurrent dials of one peer get the same connection from libp2p, with `force`
 * or without: the first caller to close it would close it for the others.
 *
 * @param {{ services: { transports: Transports } }} node
 * @param {Multiaddr} server
 * @param {{ signal: AbortSignal }} options
 * @returns {Promise<Connection>}
 * @throws {ClientError} as dial
 */
export async function dialSeparately({ services }, server, { signal }) {
  // a signal of its own: Node closes an open socket when the signal of its connect is aborted later
  const dialling = new AbortController()
  const abort = () => dialling.abort(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await services.transports.dial(server, { signal: dialling.signal })
  } catch (err) {
    throw makeDialError(err, server, signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * dialAny opens a connection to the first server that can be reached.
 *
 * @param {Parameters<typeof dial>[0]} node
 * @param {readonly Multiaddr[]} servers
 * @param {Parameters<typeof dial>[2]} options
 * @returns {Promise<Connection>}
 * @throws {ClientError} the error of the last server
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
 * makeDialError makes the error for a connection that could not be opened.
 *
 * @param {unknown} cause - what libp2p threw
 * @param {PeerId | Multiaddr} server
 * @param {AbortSignal} [signal]
 * @returns {ClientError}
 */
export function makeDialError(cause, server, signal) {
  if (signal?.aborted) return makeAbortError(signal, `connecting to ${server}`)
  // an AggregateError has an error for each address that was tried
  const { errors = [cause], message } = /** @type {any} */ (cause ?? {})
  const [code] = CAUSES.find(([, isIt]) => errors.some(isIt)) ?? [ClientErrorCode.CONNECT_FAILED]
  return new ClientError(code, `could not connect to ${server}: ${hints[code] ?? message}`, { cause })
}

/**
 * Without a local address the system says EADDRNOTAVAIL when it finds no port at connect; with one, bind takes the port and says
 * EADDRINUSE, which libuv also reports at connect. EADDRNOTAVAIL at bind is about the address, not the port.
 *
 * @type {readonly [code: string, isIt: (error: any) => boolean][]}
 */
const CAUSES = [
  [
    ClientErrorCode.LOCAL_PORTS_EXHAUSTED,
    error => error?.syscall === 'connect' && ['EADDRNOTAVAIL', 'EADDRINUSE'].includes(error.code)
  ],
  [
    ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE,
    error => error?.syscall === 'bind' && error.code === 'EADDRNOTAVAIL'
  ],
  [ClientErrorCode.REFUSED, error => error?.code === 'ECONNREFUSED'],
  // libp2p passes on only the message of the error of Noise
  [ClientErrorCode.WRONG_PEER, error => /does not match expected remote identity key/.test(error?.message)],
  [
    ClientErrorCode.CONNECTION_DROPPED,
    error => error?.code === 'ECONNRESET' || error?.name === 'EncryptionFailedError'
  ]
]

const ADDRESSES_PER_NETWORK = 254
const NETWORKS = 256 * 255

/**
 * makeClientAddress spreads source addresses over 127.0.0.0/8. So each address has local ports of its own, and limits per remote host or network
 * apply to each client alone: up to 65,280 clients have a /24 each. 127.0.x.y stays free for servers and hostile peers. Addresses are
 * distinct up to 16.5 million.
 *
 * @param {number} index - whole number, >= 0
 * @returns {string} for example 127.1.0.1
 */
export function makeClientAddress(index) {
  const network = index % NETWORKS
  const host = Math.floor(index / NETWORKS) % ADDRESSES_PER_NETWORK
  return `127.${1 + Math.floor(network / 256)}.${network % 256}.${1 + host}`
}

/**
 * chooseClientAddress chooses the source address for a client of `target`: one of 127.0.0.0/8 if the target is on the loopback network and
 * the system has all its addresses, otherwise undefined (the system chooses).
 *
 * @param {Multiaddr} target
 * @param {number} index - of the client
 * @param {NodeJS.Platform} platform - macOS and the BSDs have 127.0.0.1 only
 * @returns {string | undefined}
 */
export function chooseClientAddress(target, index, platform) {
  const host = target.getComponents().find(({ name }) => name === 'ip4')?.value
  const spreads = platform === 'linux' || platform === 'win32'
  return spreads && host?.startsWith('127.') ? makeClientAddress(index) : undefined
}
