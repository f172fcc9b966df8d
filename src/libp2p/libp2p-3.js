/** @typedef {import('./types.js').NodeParts} NodeParts */

/** @param {NodeParts} parts */
async function encrypter({ security = 'noise', lean = false, guard }) {
  if (security === 'plaintext') return (await import('@libp2p/plaintext')).plaintext()
  const { noise } = await import('@chainsafe/libp2p-noise')
  if (!lean) return noise()
  const { coalescingEncrypter } = await import('./coalescing.js')
  const { noiseCrypto } = await import('./noise-crypto.js')
  return coalescingEncrypter(noise({ crypto: noiseCrypto }), guard)
}

/** @param {NodeParts} parts */
async function streamMuxer({ muxer = 'yamux', muxerOptions, lean = false, guard }) {
  if (muxer === 'mplex') return (await import('@libp2p/mplex')).mplex(muxerOptions)
  const { yamux } = await import('@chainsafe/libp2p-yamux')
  if (!lean) return yamux(muxerOptions)
  const { coalescingMuxer } = await import('./coalescing.js')
  return coalescingMuxer(yamux(muxerOptions), guard)
}

/** @param {NodeParts} parts */
async function transport({ tcp: options, linkLatencyMs = 0, guard }) {
  const { tcp } = await import('@libp2p/tcp')
  if (guard !== undefined) {
    const { guardedTransport } = await import('./guarded-transport.js')
    return guardedTransport(tcp(options), guard)
  }
  if (linkLatencyMs === 0) return tcp(options)
  const { delayTransport } = await import('./delay-transport.js')
  return delayTransport(tcp(options), { latencyMs: linkLatencyMs })
}

/** @param {NodeParts} parts */
async function services({ lean = false, identify, gossipsub, services: others }) {
  return {
    ...(lean ? { peerStore: (await import('./no-peer-store.js')).noPeerStore() } : {}),
    ...(identify === undefined ? {} : { identify: (await import('@libp2p/identify')).identify(identify) }),
    ...others,
    ...(gossipsub === undefined
      ? {}
      : { gossipsub: (await import('@libp2p/gossipsub')).gossipsub(gossipsub) })
  }
}

/** The present generation, with the maintained packages. @type {import('./types.js').Stack} */
export const stack = {
  packages: ['libp2p', '@libp2p/tcp', '@libp2p/utils', '@chainsafe/libp2p-noise', '@chainsafe/libp2p-yamux'],

  gossipPackages: ['@libp2p/gossipsub', '@libp2p/identify', '@libp2p/mplex', '@libp2p/plaintext'],

  settings: {},

  async createNode(parts) {
    const { privateKey, addresses, connectionManager, connectionMonitor, lean = false, guard } = parts
    const { createLibp2p } = await import('libp2p')
    return createLibp2p({
      start: false,
      ...(lean ? { logger: (await import('./silent-logger.js')).silentLogger() } : {}),
      privateKey,
      addresses,
      transports: [await transport(parts)],
      connectionEncrypters: [await encrypter(parts)],
      streamMuxers: [await streamMuxer(parts)],
      connectionManager: { ...connectionManager, ...guard?.connectionManager },
      connectionMonitor,
      services: await services(parts)
    })
  }
}
