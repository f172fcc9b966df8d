import { CID } from 'multiformats/cid'
import { Uint8ArrayList } from 'uint8arraylist'
import { carOf } from '../car.js'
import { takeCar } from '../take-car.js'
import { abortedBy, connectedNode, listeningNode, STREAMS, sent } from './node.js'
import { readRequest, requestBytes } from './request.js'

/** @typedef {import('@libp2p/interface').Stream} Stream */

const PROTOCOL = '/libp2p-loadtest/transfer/stream/1.0.0'

/** @param {Stream} stream @param {string} peer @param {import('./way.js').Serve} serve */
async function answer(stream, peer, serve) {
  try {
    const request = await readRequest(stream)
    for await (const parts of carOf(CID.parse(request.root), serve(request, peer)))
      await sent(stream, new Uint8ArrayList(...parts))
    await stream.close()
  } catch (error) {
    stream.abort(/** @type {Error} */ (error))
  }
}

/** WAY: the file as a CAR on one raw stream. @type {import('./way.js').WayModule} */
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
          await takeCar(stream, receiving)
          await stream.close({ signal })
        })
      }
    }
  }
})
