// Makes the libp2p node of a load-test client, which only dials, and gives the reasons for its settings.
import '../kit/runtime.js'
import { DEFAULT_STACK, findStack } from '../libp2p/stacks.js'
import { transportService } from './dial.js'
import { MAX_OUTBOUND_STREAMS } from './session.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('@libp2p/interface').ServiceMap} ServiceMap
 */

const DIAL_TIMEOUT_MS = 60_000

/**
 * CLIENT_REASONS are the reasons for settings of a client that differ from libp2p's defaults.
 *
 * @type {import('../libp2p/node-settings.js').Reasons}
 */
export const CLIENT_REASONS = {
  'connectionMonitor.enabled': { why: 'no pings during the measurement' },
  'connectionManager.*': { why: "the plan's timeout decides" },
  'addresses.announce': { value: 'its own addresses', why: 'they are signed' },
  'services.rendezvous': { value: 'our rendezvous client', why: 'what it is for' },
  'services.transports': {
    value: 'a connection each',
    why: 'libp2p gives those who dial one peer at once the same one; operations of a client with one each would share it'
  },
  'yamux.maxOutboundStreams': { why: 'streams still closing count; for new streams of a protocol as well' },
  'tcp.dialOpts': {
    value: '127.x.y.z to connect from, one for each client of a target on the loopback network',
    why: 'as from many hosts: limits per host and local ports are not shared'
  },
  'tcp.changedTransport': {
    value: 'tells when bytes are handed over and have come',
    why: 'what the client adds to a time is measured; nothing else is done with them'
  },
  'noise.coalescingEncrypter': {
    value: 'a message in one write',
    why: 'less work of the generator for each operation'
  },
  'noise.signedOnce': { value: 'its static key is signed once', why: 'less work of the generator' },
  'noise.crypto': { value: 'keys kept as objects', why: 'less work of the generator' },
  'yamux.coalescingMuxer': {
    value:
      'what is sent in one turn in one message, updates of windows from 64 KiB on, the two lines of a protocol compared as a whole, a stream handed over without a timer for what is agreed already',
    why: 'less work of the generator'
  },
  'yamux.tellingMuxer': {
    value: 'tells when a stream has ended',
    why: 'its streams have no events of their own'
  },
  peerStore: { value: 'keeps nothing', why: 'less work of the generator; clients know the one server' },
  registrar: {
    value: 'the same error each time for what nobody handles, without a stack trace',
    why: 'less work of the generator: libp2p asks it, and catches what it throws, with each stream'
  },
  logger: { value: 'silent', why: 'less work of the generator' }
}

/**
 * createClientNode makes a libp2p node for a load-test client: TCP, Noise and Yamux, dialling only. It is not
 * started. It has no identify service: that would add two streams to every connection, and the protocol does not need
 * it, for the server knows the client from the handshake and its addresses from its signed record.
 *
 * @template {ServiceMap} [T={}]
 * @param {object} init
 * @param {PrivateKey} init.privateKey
 * @param {string} [init.localAddress] - to connect from (see chooseClientAddress)
 * @param {string[]} [init.announce] - multiaddrs of the node's own peer record
 * @param {import('libp2p').ServiceFactoryMap<T>} [init.services]
 * @param {import('../libp2p/layers/node-parts.js').WireListener} [init.wire] - is called for what its connections write and read
 * @param {string} [init.stack] - generation of libp2p, see docs/rendezvous.md; default: the current one
 * @param {boolean} [init.stock] - it is libp2p as published, without any change of ours; default false
 * @returns {Promise<import('@libp2p/interface').Libp2p<T & { transports: import('./dial.js').Transports }>>}
 */
export const createClientNode = ({
  privateKey,
  localAddress,
  announce = [],
  services,
  wire,
  stack = DEFAULT_STACK,
  stock = false
}) =>
  findStack(stack).createNode({
    ...(!stock && { lean: true, connectionMonitor: { enabled: false } }),
    privateKey,
    addresses: { listen: [], announce },
    tcp: makeTransportOptions(localAddress),
    muxerOptions: { maxOutboundStreams: MAX_OUTBOUND_STREAMS },
    connectionManager: { dialTimeout: DIAL_TIMEOUT_MS, addressDialTimeout: DIAL_TIMEOUT_MS },
    services: /** @type {any} */ ({ ...services, transports: transportService }),
    wire
  })

/**
 * makeTransportOptions makes options of the transport. dialOpts are documented as "options passed to net.connect".
 *
 * @param {string | undefined} localAddress
 */
export const makeTransportOptions = localAddress =>
  localAddress == null ? {} : { dialOpts: { localAddress } }
