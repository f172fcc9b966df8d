import '../../src/kit/runtime.js'
import { streamPair } from '@libp2p/utils'
import { decodeMessage, encodeFrame, FrameDecoder } from '../../src/protocol/rendezvous.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('../../src/protocol/rendezvous.js').Message} Message
 * @typedef {(request: Message, far: Stream) => void} Script - gets each decoded request, and the stream to answer on
 */

/**
 * scriptedPeer connects a client's stream in memory to a peer that does what `script` says.
 *
 * @param {Script} [script]
 * @returns {Promise<{ near: Stream, far: Stream }>}
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
 * @param {Stream} stream
 * @returns {import('@libp2p/interface').Connection}
 */
export const connectionTo = stream =>
  /** @type {any} */ ({ status: 'open', newStream: () => Promise.resolve(stream) })

/**
 * scriptedConnection is a connection to a peer that does on every stream what `script` says.
 *
 * @param {Script} [script]
 * @returns {import('@libp2p/interface').Connection}
 */
export const scriptedConnection = script =>
  /** @type {any} */ ({ status: 'open', newStream: async () => (await scriptedPeer(script)).near })

/**
 * framed puts messages behind their length prefixes, in one chunk.
 *
 * @param {Uint8Array[]} messages
 */
export const framed = (...messages) => Buffer.concat(messages.map(encodeFrame))

/**
 * onePerStream makes of a script one that serves one request on each stream and ends it, as rust-libp2p does.
 *
 * @param {Script} script
 * @returns {Script}
 */
export function onePerStream(script) {
  const served = new WeakSet()
  return (request, far) => {
    if (served.has(far)) return
    served.add(far)
    script(request, far)
    far.close().catch(() => {})
  }
}
