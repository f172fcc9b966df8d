// Transfer protocol that moves files by HTTP over libp2p streams.
import { http } from '@libp2p/http'
import { multiaddr } from '@multiformats/multiaddr'
import { CID } from 'multiformats/cid'
import { TransferError } from '../plan/transfer-plan.js'
import { receiveCar, writeCar } from './blocks.js'
import { makeFileClient, STREAM_LIMITS, startListeningNode, waitForDrain } from './node-protocols.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface').StreamHandler} StreamHandler
 */

const PROTOCOL = '/libp2p-loadtest/transfer/http/1.0.0'
const PATH = '/transfer'
const HEADERS = ['x-root', 'x-transfer', 'x-peer']

/** @param {import('./protocol.js').Serve} serve */
const makeHandler = serve => async (/** @type {globalThis.Request} */ request) => {
  const [root, transfer, peer] = HEADERS.map(name => request.headers.get(name) ?? '')
  return new Response(makeBody(writeCar(CID.parse(root), serve({ root, transfer }, peer))))
}

/** @param {AsyncGenerator<Uint8Array[]>} car */
const makeBody = car =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await car.next()
        if (done) return controller.close()
        for (const part of value) controller.enqueue(part)
      },
      async cancel() {
        await car.return(undefined)
      }
    },
    { highWaterMark: 0 }
  )

/**
 * The provider's HTTP service. It allows enough streams for all simultaneous transfers. It waits until a stream has room: the `onDrain` of
 * @libp2p/http returns at once after the first time, so that all blocks would be read ahead.
 *
 * @param {any} components - of a node
 */
const makeHttpService = components => {
  const handle = (/** @type {string} */ protocol, /** @type {StreamHandler} */ handler) =>
    components.registrar.handle(
      protocol,
      (/** @type {Stream} */ stream, /** @type {Connection} */ connection) =>
        handler(Object.assign(stream, { onDrain: () => waitForDrain(stream) }), connection),
      STREAM_LIMITS
    )
  const registrar = Object.create(components.registrar, { handle: { value: handle } })
  return http()(Object.create(components, { registrar: { value: registrar } }))
}

/** LIBP2P_HTTP is HTTP on streams of libp2p; a file is a CAR. @type {import('./protocol.js').ProtocolModule} */
export const LIBP2P_HTTP = {
  async provide({ blocks }, settings) {
    const { node, ...provided } = await startListeningNode(settings, { http: makeHttpService })
    node.services.http.handle(PROTOCOL, { path: PATH, handler: makeHandler(blocks) })
    return provided
  },

  client(address, settings) {
    const resource = multiaddr(address).encapsulate(`/http-path/${PATH.slice(1)}`)
    const client = makeFileClient(
      ({ node }) =>
        async ({ root }, transfer, receiving, signal) => {
          receiving.asked()
          const asked = [root, transfer, settings.peer ?? '']
          const headers = Object.fromEntries(HEADERS.map((name, i) => [name, asked[i]]))
          const response = await node.services.http.fetch(resource, { signal, headers })
          if (!response.ok || response.body === null)
            throw new TransferError('REFUSED', `the provider answered with status ${response.status}`)
          await receiveCar(response.body, receiving)
        },
      { http: http() }
    )
    return client(address, settings)
  }
}
