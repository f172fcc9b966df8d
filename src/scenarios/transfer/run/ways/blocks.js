import { decode } from 'it-length-prefixed'
import { CID } from 'multiformats/cid'
import { Uint8ArrayList } from 'uint8arraylist'
import { carSection } from '../car.js'
import { abortedBy, connectedNode, listeningNode, STREAMS, sent } from './node.js'
import { readRequest, requestBytes } from './request.js'

/** @typedef {import('@libp2p/interface').Stream} Stream */

const PROTOCOL = '/libp2p-loadtest/transfer/blocks/1.0.0'
/** CID and bytes of the largest block there can be. */
const MOST_BYTES = 17 << 20

/** @param {Stream} stream @param {string} peer @param {import('./way.js').Serve} serve */
async function answer(stream, peer, serve) {
  try {
    const request = await readRequest(stream)
    for await (const { cid, bytes } of serve(request, peer))
      await sent(stream, new Uint8ArrayList(...carSection(cid, bytes)))
    await stream.close()
  } catch (error) {
    stream.abort(/** @type {Error} */ (error))
  }
}

/**
 * takeBlocks takes each block as it comes, until the provider has no more.
 *
 * @param {Stream} stream - the request was sent
 * @param {import('../receiving.js').Receiving} receiving
 */
async function takeBlocks(stream, receiving) {
  for await (const frame of decode(receiving.pieces(stream), { maxDataLength: MOST_BYTES })) {
    const [cid, bytes] = CID.decodeFirst(frame.subarray())
    await receiving.take(cid, bytes)
  }
  receiving.end()
}

/** WAY: a request has a root; the blocks come in the order of a walk that both sides make. @type {import('./way.js').WayModule} */
export const WAY = Object.freeze({
  async provide(serve, settings) {
    const { node, ...provided } = await listeningNode(settings)
    await node.handle(
      PROTOCOL,
      (stream, { remotePeer }) => void answer(stream, String(remotePeer), serve),
      STREAMS
    )
    return provided
  },

  async connect(address, { settings, signal }) {
    const { connection, node: _, ...connected } = await connectedNode(address, { settings, signal })
    return {
      ...connected,
      async fetch({ root }, transfer, receiving, signal) {
        receiving.asked()
        const stream = await connection.newStream(PROTOCOL, { signal, ...STREAMS })
        await abortedBy(stream, signal, async () => {
          await sent(stream, requestBytes({ root, transfer }))
          await takeBlocks(stream, receiving)
          await stream.close({ signal })
        })
      }
    }
  }
})
