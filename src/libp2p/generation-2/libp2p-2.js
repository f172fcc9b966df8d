// The libp2p 2 stack with @chainsafe/libp2p-gossipsub: makes its nodes and gives them the interface of libp2p 3.
import { lineEndsOf, listMuxers, wrapComponent } from '../layers/node-parts.js'

/** @typedef {import('../layers/node-parts.js').NodeParts} NodeParts */

/** @param {Pick<NodeParts, 'security' | 'lean'>} parts */
async function encrypter({ security = 'noise', lean = false }) {
  if (security === 'plaintext') return (await import('@libp2p-2/plaintext')).plaintext()
  const { noise } = await import('@libp2p-2/noise')
  if (!lean) return noise()
  const { noiseCrypto } = await import('../layers/noise.js')
  // its types name the lists of bytes of another version, which are read alike
  return noise({ crypto: /** @type {any} */ (noiseCrypto) })
}

/** @param {Pick<NodeParts, 'muxerOptions'>} parts @param {import('../layers/node-parts.js').Muxer} muxer */
async function streamMuxer({ muxerOptions }, muxer) {
  return muxer === 'mplex'
    ? (await import('@libp2p-2/mplex')).mplex(muxerOptions)
    : (await import('@libp2p-2/yamux')).yamux(muxerOptions)
}

/** @param {NodeParts} parts */
async function transport({ tcp: options, ...parts }) {
  const { tcp } = await import('@libp2p-2/tcp')
  /** @type {(components: any) => any} */
  const made = tcp(options)
  const ends = lineEndsOf(parts)
  if (ends === null) return made
  const { lineTransport } = await import('../layers/transports.js')
  const { delayConnection } = await import('./line-connection.js')
  return wrapComponent(lineTransport, made, connection => delayConnection(connection, ends))
}

/** @param {NodeParts} parts @param {import('./views.js').ConnectionViews} views @param {import('./views.js').ToPeer2} toPeer */
async function services({ lean = false, identify, gossipsub, services: others = {} }, views, toPeer) {
  const { makeObservedComponents, makePresentComponents } = await import('./views.js')
  const observed = (/** @type {(components: any) => any} */ service) => (/** @type {any} */ components) =>
    service(makeObservedComponents(components, views))
  const present = Object.entries(others).map(([name, service]) => [
    name,
    (/** @type {any} */ components) => service(makePresentComponents(components, views, toPeer))
  ])
  return {
    ...(lean && { peerStore: (await import('../node-components.js')).makeEmptyPeerStore }),
    ...(identify !== undefined && { identify: (await import('@libp2p-2/identify')).identify(identify) }),
    ...Object.fromEntries(present),
    ...(gossipsub !== undefined && {
      gossipsub: observed((await import('@chainsafe/libp2p-gossipsub')).gossipsub(gossipsub))
    })
  }
}

/** The generation before, with the gossipsub that became the present one's. @type {import('../layers/node-parts.js').Stack} */
export const stack = {
  packages: ['libp2p-2', '@libp2p-2/tcp', '@libp2p-2/noise', '@libp2p-2/yamux', '@libp2p-2/multiaddr'],

  gossipPackages: [
    '@chainsafe/libp2p-gossipsub',
    '@libp2p-2/identify',
    '@libp2p-2/mplex',
    '@libp2p-2/plaintext'
  ],

  async published({ identify, gossipsub, ...kinds }) {
    const [{ createLibp2p }, { tcp }] = await Promise.all([import('libp2p-2'), import('@libp2p-2/tcp')])
    /** @type {any} */
    const init = {
      start: false,
      transports: [tcp()],
      connectionEncrypters: [await encrypter(kinds)],
      streamMuxers: await Promise.all(listMuxers(kinds).map(muxer => streamMuxer({}, muxer))),
      services: {
        ...(identify && { identify: (await import('@libp2p-2/identify')).identify() }),
        ...(gossipsub && { gossipsub: (await import('@chainsafe/libp2p-gossipsub')).gossipsub() })
      }
    }
    return createLibp2p(init)
  },

  async createNode(parts) {
    const { privateKey, addresses, connectionGater, connectionManager, connectionMonitor, lean } = parts
    const [{ createLibp2p }, { multiaddr }] = await Promise.all([
      import('libp2p-2'),
      import('@libp2p-2/multiaddr')
    ])
    const { ConnectionViews, NodeView, tellingMuxer, makeToPeer2 } = await import('./views.js')
    const [views, toPeer] = [new ConnectionViews(), makeToPeer2(multiaddr)]
    /** @type {any} */
    const init = {
      start: false,
      ...(lean && { logger: (await import('../node-components.js')).makeSilentLogger() }),
      privateKey,
      addresses,
      transports: [await transport(parts)],
      connectionEncrypters: [await encrypter(parts)],
      streamMuxers: await Promise.all(
        listMuxers(parts).map(async muxer =>
          wrapComponent(tellingMuxer, await streamMuxer(parts, muxer), stream => views.streams.ended(stream))
        )
      ),
      ...(connectionGater !== undefined && { connectionGater }),
      connectionManager,
      connectionMonitor,
      services: await services(parts, views, toPeer)
    }
    /** @type {any} */
    const view = new NodeView(/** @type {any} */ (await createLibp2p(init)), views, toPeer)
    return view
  }
}
