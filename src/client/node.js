import '../node-shim.js'
import { DEFAULT_STACK, stackNamed } from '../libp2p/stacks.js'
import { transports } from './dial.js'
import { MAX_OUTBOUND_STREAMS } from './session.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('@libp2p/interface').ServiceMap} ServiceMap
 */

const DIAL_TIMEOUT_MS = 60_000

/**
 * CLIENT_SETTINGS lists what a load-test client changes on libp2p's defaults, with the reason, for the result.
 *
 * @type {Readonly<Record<string, { value: unknown, why: string }>>}
 */
export const CLIENT_SETTINGS = {
  'addresses.listen': { value: [], why: 'clients only dial' },
  'connectionMonitor.enabled': { value: false, why: 'no pings beside the measured operations' },
  'connectionManager.dialTimeout': { value: DIAL_TIMEOUT_MS, why: "the plan's timeout decides" },
  'connectionManager.addressDialTimeout': { value: DIAL_TIMEOUT_MS, why: "the plan's timeout decides" },
  'node.dial': {
    value: 'a connection each',
    why: 'libp2p gives those who dial one peer at once the same one; operations of a client with one each would share it'
  },
  'yamux.maxOutboundStreams': { value: MAX_OUTBOUND_STREAMS, why: 'streams still closing count' },
  'newStream.maxOutboundStreams': { value: MAX_OUTBOUND_STREAMS, why: 'streams still closing count' },
  'tcp.dialOpts.localAddress': {
    value: '127.x.y.z, one for each client of a target on the loopback network',
    why: 'as from many hosts: limits per host and local ports are not shared'
  },
  connectionEncrypters: {
    value:
      'Noise with keys kept as objects, its static key signed once, a message in one write, no exception where no further one has begun',
    why: 'less work of the generator beside each operation'
  },
  streamMuxers: {
    value:
      'Yamux, what is sent in one turn in one message, updates of windows from 64 KiB on, the two lines of a protocol compared as a whole, a stream handed over without a timer for what is agreed already',
    why: 'less work of the generator'
  },
  'services.peerStore': {
    value: 'keeps nothing',
    why: 'less work of the generator; clients know the one server'
  },
  'services.registrar': {
    value: 'as it is, the same error each time for what nobody handles, without a stack trace',
    why: 'less work of the generator: libp2p asks it, and catches what it throws, with each stream'
  },
  logger: { value: 'silent', why: 'less work of the generator' },
  'services.identify': { value: null, why: 'rendezvous needs none; it adds streams to every connection' }
}

/**
 * createClientNode makes a libp2p node for a load-test client: TCP, Noise and Yamux, dialling only. It is not
 * started. It has no identify service: that would add two streams to every connection, and the protocol does not need
 * it, for the server knows the client from the handshake and its addresses from its signed record.
 *
 * @template {ServiceMap} [T={}]
 * @param {object} init
 * @param {PrivateKey} init.privateKey
 * @param {string} [init.localAddress] - to connect from (see clientAddressFor)
 * @param {string[]} [init.announce] - multiaddrs of the node's own peer record
 * @param {import('libp2p').ServiceFactoryMap<T>} [init.services]
 * @param {import('../libp2p/types.js').Wire} [init.wire] - is told of what its connections write and read
 * @param {string} [init.stack] - generation of libp2p, see docs/stacks.md; default the present one
 * @returns {Promise<import('@libp2p/interface').Libp2p<T & { transports: import('./dial.js').Transports }>>}
 */
export const createClientNode = ({
  privateKey,
  localAddress,
  announce = [],
  services,
  wire,
  stack = DEFAULT_STACK
}) =>
  stackNamed(stack).createNode({
    lean: true,
    privateKey,
    addresses: { listen: [], announce },
    tcp: connectFrom(localAddress),
    muxerOptions: { maxOutboundStreams: MAX_OUTBOUND_STREAMS },
    connectionMonitor: { enabled: false },
    connectionManager: { dialTimeout: DIAL_TIMEOUT_MS, addressDialTimeout: DIAL_TIMEOUT_MS },
    services: /** @type {any} */ ({ ...services, transports }),
    wire
  })

/**
 * dialOpts are documented as "options passed to net.connect".
 *
 * @param {string | undefined} localAddress
 */
const connectFrom = localAddress => (localAddress == null ? {} : { dialOpts: { localAddress } })
