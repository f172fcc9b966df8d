import '../node-shim.js'
import { gater } from '../libp2p/gater.js'
import { DEFAULT_STACK, stackNamed } from '../libp2p/stacks.js'
import { isOneOf, networks } from './addresses.js'
import { Guard } from './guard/guard.js'
import { STREAM_WINDOW } from './node-settings.js'
import { pickLimits, rendezvousServer } from './rendezvous-server.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('./options.js').ServerOptions} ServerOptions
 * @typedef {import('./rendezvous-server.js').RendezvousServer} RendezvousServer
 */

/**
 * createServerNode makes the libp2p node of a rendezvous server: TCP, Noise and Yamux. It is not started.
 *
 * What differs from libp2p's defaults, and why: see SERVER_REASONS (node-settings.js). A stock one is libp2p as published: no guard stands
 * before it, and the limits of the rendezvous service are all there are. There is no identify service: the protocol needs none, for a
 * client's addresses come with its signed record, and identifying costs the server 1.1 to 1.6 ms for each connection,
 * half as much again as the connection itself.
 *
 * @param {Pick<ServerOptions, 'listen' | 'announce' | 'unlimitedFrom' | keyof import('./limits.js').Limits> & Partial<Pick<ServerOptions, 'onlyFrom' | 'stack' | 'stock'>>} options
 * @param {object} parts
 * @param {PrivateKey} parts.privateKey
 * @param {import('./rendezvous-server.js').RendezvousServerInit} [parts.rendezvous] - beside limits and networks without them
 * @param {Guard} [parts.guard] - default: one of its own
 * @returns {Promise<import('@libp2p/interface').Libp2p<{ rendezvous: RendezvousServer }>>}
 */
export function createServerNode(
  options,
  { privateKey, rendezvous = {}, guard = new Guard(options, options.unlimitedFrom) }
) {
  const {
    listen,
    announce,
    unlimitedFrom,
    onlyFrom = [],
    maxStreams,
    stack = DEFAULT_STACK,
    stock = false
  } = options
  const admitted = networks(onlyFrom)
  return stackNamed(stack).createNode({
    ...(!stock && {
      lean: true,
      guard,
      muxerOptions: { streamOptions: STREAM_WINDOW, maxInboundStreams: maxStreams },
      connectionMonitor: { enabled: false }
    }),
    privateKey,
    addresses: { listen, announce },
    ...(onlyFrom.length > 0 && {
      connectionGater: gater({ isAddress: address => isOneOf(admitted, address) })
    }),
    connectionManager: { allow: unlimitedFrom },
    services: {
      rendezvous: rendezvousServer({
        ...pickLimits(options),
        unlimitedFrom,
        ...rendezvous,
        onStream: guard.negotiated,
        loopTime: guard.loopTime
      })
    }
  })
}
