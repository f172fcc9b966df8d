import { http } from '@libp2p/http'
import { multiaddr } from '@multiformats/multiaddr'
import { CID } from 'multiformats/cid'
import { carOf } from '../car.js'
import { takeCar } from '../take-car.js'
import { TransferError } from '../walk.js'
import { connectedNode, listeningNode } from './node.js'

const PROTOCOL = '/libp2p-loadtest/transfer/http/1.0.0'
const PATH = '/transfer'
const HEADERS = Object.freeze(['x-root', 'x-transfer', 'x-peer'])

/** @param {import('./way.js').Serve} serve */
const handler = serve => async (/** @type {globalThis.Request} */ request) => {
  const [root, transfer, peer] = HEADERS.map(name => request.headers.get(name) ?? '')
  return new Response(bodyOf(carOf(CID.parse(root), serve({ root, transfer }, peer))))
}

/** @param {AsyncGenerator<Uint8Array[]>} car */
const bodyOf = car =>
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

/** WAY: HTTP on streams of libp2p, the file as a CAR. @type {import('./way.js').WayModule} */
export const WAY = Object.freeze({
  async provide(serve, settings) {
    const { node, ...provided } = await listeningNode(settings, { http: http() })
    node.services.http.handle(PROTOCOL, { path: PATH, handler: handler(serve) })
    return provided
  },

  async connect(address, { settings, peer, signal }) {
    const {
      node,
      connection: _,
      ...connected
    } = await connectedNode(address, {
      settings,
      signal,
      services: { http: http() }
    })
    const resource = multiaddr(address).encapsulate(`/http-path/${PATH.slice(1)}`)
    return {
      ...connected,
      async fetch({ root }, transfer, receiving, signal) {
        receiving.asked()
        const asked = [root, transfer, peer]
        const headers = Object.fromEntries(HEADERS.map((name, i) => [name, asked[i]]))
        const response = await node.services.http.fetch(resource, { signal, headers })
        if (!response.ok || response.body === null)
          throw new TransferError('REFUSED', `the provider answered with status ${response.status}`)
        await takeCar(response.body, receiving)
      }
    }
  }
})
