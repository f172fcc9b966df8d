// The libp2p 3 stack with its maintained packages, which is the default: makes its nodes and their gossipsub.
import { lineEndsOf, listMuxers, wrapComponent } from '../layers/node-parts.js'

/** @typedef {import('../layers/node-parts.js').NodeParts} NodeParts */

/** An optional peer: it is not there for the compiler. */
const QUIC = '@chainsafe/libp2p-quic'

/** @param {Partial<NodeParts>} parts */
async function encrypter({ security = 'noise', lean = false, guard, wire }) {
  if (security === 'plaintext') return (await import('@libp2p/plaintext')).plaintext()
  if (security === 'tls') return (await import('@libp2p/tls')).tls()
  const { noise } = await import('@libp2p/noise')
  if (!lean) return noise()
  const { coalescingEncrypter } = await import('./coalescing.js')
  const { noiseCrypto, signedOnce } = await import('../layers/noise.js')
  return wrapComponent(coalescingEncrypter, wrapComponent(signedOnce, noise({ crypto: noiseCrypto })), {
    guard,
    wire
  })
}

/** @param {Partial<NodeParts>} parts @param {import('../layers/node-parts.js').Muxer} muxer */
async function streamMuxer(parts, muxer) {
  const { lean = false, guard, maxFrameBytes } = parts
  const options = withEarlyStreams(parts)
  if (muxer === 'mplex') return (await import('@libp2p/mplex')).mplex(options)
  /** @type {(components: any) => any} */
  let factory = (await import('@libp2p/yamux')).yamux(options)
  if (maxFrameBytes !== undefined)
    factory = wrapComponent((await import('../yamux.js')).boundedFrames, factory, maxFrameBytes)
  return lean ? wrapComponent((await import('./coalescing.js')).coalescingMuxer, factory, guard) : factory
}

/**
 * A node that still asks whether it wants a connection resets all its streams when more than 10 have come. A peer opens as many at
 * once as it may have.
 *
 * @param {Partial<NodeParts>} parts
 * @returns {Record<string, unknown>}
 */
const withEarlyStreams = ({ muxerOptions }) => ({
  ...(muxerOptions?.maxInboundStreams !== undefined && { maxEarlyStreams: muxerOptions.maxInboundStreams }),
  ...muxerOptions
})

/** @param {Partial<NodeParts>} parts @returns {Promise<(components: any) => import('@libp2p/interface').Transport>} */
async function transport(parts) {
  const { guard, wire, wireOf = wire && (() => wire), lean = false } = parts
  const { changedTransport, guardedTransport } = await import('../layers/transports.js')
  let made = await linedTransport(parts)
  if (!lean && wireOf !== undefined) {
    const { ReportingConnection } = await import('../forwarding-stream.js')
    const reporting = (/** @type {import('@libp2p/interface').MultiaddrConnection} */ connection) =>
      new ReportingConnection(connection, wireOf(connection.remoteAddr))
    made = wrapComponent(changedTransport, made, { inbound: reporting, outbound: reporting })
  }
  return guard === undefined ? made : wrapComponent(guardedTransport, made, guard)
}

/** @param {Partial<NodeParts>} parts @returns {Promise<(components: any) => import('@libp2p/interface').Transport>} */
async function linedTransport({ transport = 'tcp', tcp: options, ...parts }) {
  if (transport === 'quic') return (await import(QUIC)).quic()
  let made
  if (transport === 'tcp') made = (await import('@libp2p/tcp')).tcp(options)
  else {
    // it dials with the WebSocket of the platform, which Node 20 lacks
    const { WebSocket } = await import('ws')
    Object.assign(globalThis, { WebSocket: globalThis.WebSocket ?? WebSocket })
    made = (await import('@libp2p/websockets')).webSockets()
  }
  const ends = lineEndsOf(parts)
  if (ends === null) return made
  const { lineTransport } = await import('../layers/transports.js')
  const { DelayedConnection } = await import('./line-connection.js')
  return wrapComponent(lineTransport, made, connection => new DelayedConnection(connection, ends))
}

/** @param {NodeParts} parts */
async function services({ lean = false, guard, identify, gossipsub, services: others }) {
  const { makeConnectionList, makeEmptyPeerStore, makeQuietRegistrar } = await import('../node-components.js')
  return {
    ...(lean && { peerStore: makeEmptyPeerStore, registrar: makeQuietRegistrar }),
    ...(guard !== undefined && { connectionManager: makeConnectionList() }),
    ...(identify !== undefined && { identify: (await import('@libp2p/identify')).identify(identify) }),
    ...others,
    ...(gossipsub !== undefined && { gossipsub: (await import('@libp2p/gossipsub')).gossipsub(gossipsub) })
  }
}

/** The present generation, with the maintained packages. @type {import('../layers/node-parts.js').Stack} */
export const stack = {
  packages: ['libp2p', '@libp2p/tcp', '@libp2p/utils', '@libp2p/noise', '@libp2p/yamux'],

  gossipPackages: ['@libp2p/gossipsub', '@libp2p/identify', '@libp2p/mplex', '@libp2p/plaintext'],

  async published({ identify, gossipsub, ...kinds }) {
    const { createLibp2p } = await import('libp2p')
    return createLibp2p({
      start: false,
      transports: [await transport(kinds)],
      connectionEncrypters: [await encrypter(kinds)],
      streamMuxers: await Promise.all(listMuxers(kinds).map(muxer => streamMuxer(kinds, muxer))),
      services: {
        ...(identify && { identify: (await import('@libp2p/identify')).identify() }),
        ...(gossipsub && { gossipsub: (await import('@libp2p/gossipsub')).gossipsub() })
      }
    })
  },

  async createNode(parts) {
    const { privateKey, addresses, connectionGater, connectionManager, connectionMonitor, ...rest } = parts
    const { lean = false, guard } = rest
    const { createLibp2p } = await import('libp2p')
    return createLibp2p({
      start: false,
      ...(lean && { logger: (await import('../node-components.js')).makeSilentLogger() }),
      privateKey,
      addresses,
      transports: [await transport(parts)],
      connectionEncrypters: [await encrypter(parts)],
      streamMuxers: await Promise.all(listMuxers(parts).map(muxer => streamMuxer(parts, muxer))),
      ...(connectionGater !== undefined && { connectionGater }),
      connectionManager: { ...connectionManager, ...guard?.connectionManager },
      connectionMonitor,
      services: await services(parts)
    })
  }
}
