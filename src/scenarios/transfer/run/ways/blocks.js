import { decode } from 'it-length-prefixed'
import { CID } from 'multiformats/cid'
import { sectionsOf } from '../car.js'
import { streamWay } from './stream-way.js'

/** CID and bytes of the largest block there can be. */
const MOST_BYTES = 17 << 20

/**
 * takeBlocks takes each block as it comes, until the provider has no more.
 *
 * @param {import('@libp2p/interface').Stream} stream
 * @param {import('../receiving.js').Receiving} receiving
 */
async function takeBlocks(stream, receiving) {
  for await (const frame of decode(receiving.pieces(stream), { maxDataLength: MOST_BYTES })) {
    const [cid, bytes] = CID.decodeFirst(frame.subarray())
    await receiving.take(cid, bytes)
  }
  receiving.end()
}

/** WAY: a request has a root; the blocks come in the order of a walk that both sides make. */
export const WAY = streamWay({
  protocol: '/libp2p-loadtest/transfer/blocks/1.0.0',
  written: (_, blocks) => sectionsOf(blocks),
  taken: takeBlocks
})
