import '../../../../node-shim.js'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'

/**
 * dialAfterNoise connects to a server and finishes the handshake; what is sent then is up to the caller, who plays Yamux.
 *
 * @param {string} address
 * @param {string} [localAddress] - to connect from; default: the system chooses
 */
export async function dialAfterNoise(address, localAddress) {
  /** @type {any} */
  let inside
  const muxer = () => ({
    protocol: '/yamux/1.0.0',
    createStreamMuxer: (/** @type {any} */ stream) => {
      inside = stream
      return Object.assign(new EventTarget(), {
        ...{ protocol: '/yamux/1.0.0', status: 'open', streams: [] },
        ...{ close: async () => {}, abort: () => {} }
      })
    }
  })
  const node = await createLibp2p({
    transports: [tcp({ dialOpts: /** @type {any} */ ({ localAddress }) })],
    connectionEncrypters: [noise()],
    streamMuxers: [/** @type {any} */ (muxer)],
    connectionMonitor: { enabled: false }
  })
  await node.dial(multiaddr(address))
  return {
    /** of which the caller plays the muxer @type {import('@libp2p/interface').MessageStream} */
    stream: inside,
    stop: () => node.stop()
  }
}
