import { Uint8ArrayList } from 'uint8arraylist'
import { abortedBy, connectedNode, listeningNode, STREAMS, sent } from './node.js'
import { readRequest, requestBytes } from './request.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('./way.js').Request} Request
 * @typedef {import('./way.js').Block} Block
 *
 * @typedef {object} OnStream - what is on the stream behind the request
 * @property {string} protocol
 * @property {(request: Request, blocks: AsyncGenerator<Block>) => AsyncIterable<readonly Uint8Array[]>} written - parts that are sent
 *   together; the next ones are asked for when these have left
 * @property {(stream: Stream, receiving: import('../receiving.js').Receiving) => Promise<void>} taken - ends when the provider has no more
 */

/**
 * streamWay makes a way that moves each file on a libp2p stream of its own.
 *
 * @param {OnStream} onStream
 * @returns {import('./way.js').WayModule}
 */
export const streamWay = ({ protocol, written, taken }) => ({
  async provide(serve, settings) {
    const { node, ...provided } = await listeningNode(settings)
    const answer = async (/** @type {Stream} */ stream, /** @type {string} */ peer) => {
      try {
        const request = await readRequest(stream)
        for await (const parts of written(request, serve(request, peer)))
          await sent(stream, new Uint8ArrayList(...parts))
        await stream.close()
      } catch (error) {
        stream.abort(/** @type {Error} */ (error))
      }
    }
    await node.handle(protocol, (stream, { remotePeer }) => void answer(stream, String(remotePeer)), STREAMS)
    return provided
  },

  async connect(address, { settings, signal }) {
    const { connection, node: _, ...connected } = await connectedNode(address, { settings, signal })
    return {
      ...connected,
      async fetch({ root }, transfer, receiving, signal) {
        receiving.asked()
        const stream = await connection.newStream(protocol, { signal, ...STREAMS })
        await abortedBy(stream, signal, async () => {
          await sent(stream, requestBytes({ root, transfer }))
          await taken(stream, receiving)
          await stream.close({ signal })
        })
      }
    }
  }
})
