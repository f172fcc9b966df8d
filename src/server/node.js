import '../node-shim.js'
import { DEFAULT_STACK, stackNamed } from '../stack/stacks.js'
import { rendezvousServer } from './rendezvous-server.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('./options.js').ServerOptions} ServerOptions
 * @typedef {import('./rendezvous-server.js').RendezvousServer} RendezvousServer
 */

// the smallest that Yamux knows; what comes beyond a window and a half is against the protocol
const WINDOW = Object.freeze({ maxStreamWindowSize: 262_144, maxReadBufferLength: 393_216 })

/**
 * SERVER_SETTINGS lists what our server changes on libp2p's defaults, with the reason, for the result.
 *
 * @type {Readonly<Record<string, { value: unknown, why: string }>>}
 */
export const SERVER_SETTINGS = Object.freeze({
  'connectionMonitor.enabled': {
    value: false,
    why: 'no pings beside the work; Yamux keeps connections alive'
  },
  'yamux, noise': {
    value: 'coalesced',
    why: 'what a turn produces is encrypted and written once, in one piece'
  },
  'noise.crypto': { value: 'node:crypto', why: 'private keys are not imported anew for each key agreement' },
  peerStore: { value: null, why: 'it would keep an entry for every peer that ever connected' },
  logger: { value: null, why: 'made for each stream, though nothing reads it' },
  'yamux.streamOptions': {
    value: WINDOW,
    why: 'requests are small: a client need not be able to send 16 MB ahead'
  },
  'services.identify': { value: null, why: 'the protocol needs none; it costs half a connection more' }
})

/**
 * createServerNode makes the libp2p node of a rendezvous server: TCP, Noise and Yamux. It is not started.
 *
 * What differs from libp2p's defaults: see SERVER_SETTINGS. There is no identify service: the protocol needs none, for a
 * client's addresses come with its signed record, and identifying costs the server 1.1 to 1.6 ms for each connection,
 * half as much again as the connection itself.
 *
 * @param {Pick<ServerOptions, 'listen' | 'announce' | 'unlimitedFrom'> & { stack?: string }} options
 * @param {object} parts
 * @param {PrivateKey} parts.privateKey
 * @param {import('./rendezvous-server.js').RendezvousServerInit} parts.rendezvous
 * @returns {Promise<import('@libp2p/interface').Libp2p<{ rendezvous: RendezvousServer }>>}
 */
export const createServerNode = (
  { listen, announce, unlimitedFrom, stack = DEFAULT_STACK },
  { privateKey, rendezvous }
) =>
  stackNamed(stack).createNode({
    lean: true,
    privateKey,
    addresses: { listen, announce },
    connectionManager: { allow: unlimitedFrom },
    muxerOptions: { streamOptions: WINDOW },
    connectionMonitor: { enabled: false },
    services: { rendezvous: rendezvousServer(rendezvous) }
  })
