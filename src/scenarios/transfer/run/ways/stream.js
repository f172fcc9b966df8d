import { decode, encode } from 'it-length-prefixed'
import { CID } from 'multiformats/cid'
import { Uint8ArrayList } from 'uint8arraylist'
import { carOf, sectionsOf, takeCar } from '../car.js'
import { abortedBy, fileClient, listeningNode, STREAMS, sent } from './node.js'

/** @typedef {import('./way.js').Request} Request */

const MAX_REQUEST_BYTES = 1024

/** requestBytes writes a request for a stream of libp2p. @param {Request} request */
const requestBytes = request => encode.single(new TextEncoder().encode(JSON.stringify(request)))

/** readRequest reads it. @param {AsyncIterable<Uint8Array | import('uint8arraylist').Uint8ArrayList>} stream @returns {Promise<Request>} */
async function readRequest(stream) {
  for await (const frame of decode(stream, { maxDataLength: MAX_REQUEST_BYTES }))
    return JSON.parse(new TextDecoder().decode(frame.subarray()))
  throw new Error('a stream was closed before it asked for anything')
}

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
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
const streamWay = ({ protocol, written, taken }) => ({
  async provide({ blocks }, settings) {
    const { node, ...provided } = await listeningNode(settings)
    const answer = async (/** @type {Stream} */ stream, /** @type {string} */ peer) => {
      try {
        const request = await readRequest(stream)
        for await (const parts of written(request, blocks(request, peer)))
          await sent(stream, new Uint8ArrayList(...parts))
        await stream.close()
      } catch (error) {
        stream.abort(/** @type {Error} */ (error))
      }
    }
    await node.handle(protocol, (stream, { remotePeer }) => void answer(stream, String(remotePeer)), STREAMS)
    return provided
  },

  client: fileClient(({ connection }) => async ({ root }, transfer, receiving, signal) => {
    receiving.asked()
    const stream = await connection.newStream(protocol, { signal, ...STREAMS })
    await abortedBy(stream, signal, async () => {
      await sent(stream, requestBytes({ root, transfer }))
      await taken(stream, receiving)
      await stream.close({ signal })
    })
  })
})

/** STREAM: the file as a CAR on one raw stream. */
export const STREAM = streamWay({
  protocol: '/libp2p-loadtest/transfer/stream/1.0.0',
  written: ({ root }, blocks) => carOf(CID.parse(root), blocks),
  taken: takeCar
})

/** CID and bytes of the largest block there can be. */
const MAX_BLOCK_BYTES = 17 << 20

/**
 * takeBlocks takes each block as it comes, until the provider has no more.
 *
 * @param {import('@libp2p/interface').Stream} stream
 * @param {import('../receiving.js').Receiving} receiving
 */
async function takeBlocks(stream, receiving) {
  for await (const frame of decode(receiving.pieces(stream), { maxDataLength: MAX_BLOCK_BYTES })) {
    const [cid, bytes] = CID.decodeFirst(frame.subarray())
    await receiving.take(cid, bytes)
  }
  receiving.end()
}

/** BLOCKS: a request has a root; the blocks come in the order of a walk that both sides make. */
export const BLOCKS = streamWay({
  protocol: '/libp2p-loadtest/transfer/blocks/1.0.0',
  written: (_, blocks) => sectionsOf(blocks),
  taken: takeBlocks
})
