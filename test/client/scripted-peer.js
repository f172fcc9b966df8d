import '../../src/node-shim.js'
import { streamPair } from '@libp2p/utils'
import { encodeFrame, FrameDecoder } from '../../src/protocol/framing.js'
import { decodeMessage } from '../../src/protocol/messages.js'

/**
 * scriptedPeer connects a client's stream in memory to a peer that hands each decoded request to `script`.
 *
 * @param {(request: import('../../src/protocol/messages.js').Message, peer: import('@libp2p/interface').Stream) => void} script
 * @returns {Promise<{ near: import('@libp2p/interface').Stream, far: import('@libp2p/interface').Stream }>}
 */
export async function scriptedPeer(script = () => {}) {
  const [near, far] = await streamPair()
  const decoder = new FrameDecoder()
  far.addEventListener('message', ({ data }) => {
    for (const frame of decoder.push(data)) script(decodeMessage(frame), far)
  })
  return { near, far }
}

/**
 * connectionTo is a connection whose only stream is `stream`.
 *
 * @param {import('@libp2p/interface').Stream} stream
 * @returns {import('@libp2p/interface').Connection}
 */
export const connectionTo = stream =>
  /** @type {any} */ ({ status: 'open', newStream: () => Promise.resolve(stream) })

/**
 * framed puts messages behind their length prefixes, in one chunk.
 *
 * @param {Uint8Array[]} messages
 */
export const framed = (...messages) => Buffer.concat(messages.map(encodeFrame))
