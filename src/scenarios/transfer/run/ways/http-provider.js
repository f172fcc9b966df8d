import { once } from 'node:events'
import { CID } from 'multiformats/cid'
import { hostInUrl } from '../../../../kit/ip-address.js'
import { lineServer } from '../../../../line/line-socket.js'
import { onlyPeers } from '../../../listening-at.js'
import { carOf } from '../car.js'

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {import('./way.js').Serve} Serve
 */

/** CAR_TYPE is the media type of a CAR. */
const CAR_TYPE = 'application/vnd.ipld.car'

/**
 * httpProvider answers requests for files: `/<root>?transfer=<name>&peer=<name>`; `/` is a round trip.
 *
 * @param {import('node:http').Server | import('node:https').Server} server - not listening
 * @param {Serve} serve
 * @param {{ settings: import('./way.js').NodeSettings, scheme: string }} how
 * @returns {Promise<import('./way.js').Provided>}
 */
export async function httpProvider(server, serve, { settings, scheme }) {
  // connections are the requestors': one that is closed as idle when it is needed would break its transfer
  server.keepAliveTimeout = 0
  server.on('request', (request, response) => void answer(request, response, serve))
  const { host, peers = null } = settings
  onlyPeers(lineServer(server, settings.line), { host, peers })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    address: `${scheme}://${hostInUrl(settings.host)}:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}

/** @param {IncomingMessage} request @param {ServerResponse} response @param {Serve} serve */
async function answer({ url = '/' }, response, serve) {
  const { pathname, searchParams } = new URL(url, 'http://provider')
  if (pathname === '/') return void response.end()
  const root = pathname.slice(1)
  try {
    response.setHeader('content-type', CAR_TYPE)
    const blocks = serve(
      { root, transfer: searchParams.get('transfer') ?? '' },
      searchParams.get('peer') ?? ''
    )
    for await (const parts of carOf(CID.parse(root), blocks)) await written(response, parts)
    response.end()
  } catch {
    // the other side knows what is missing
    response.destroy()
  }
}

/** @param {ServerResponse} response @param {readonly Uint8Array[]} parts */
async function written(response, parts) {
  // parts of a turn leave together: node:http holds its socket's writes until the turn is over. (Its own `cork` loses a drain, Node 24)
  for (const part of parts) response.write(part)
  if (!response.writableNeedDrain) return
  if (response.destroyed) throw new Error('the requestor has closed the connection')
  const gone = new AbortController()
  const { signal } = gone
  try {
    await Promise.race([
      once(response, 'drain', { signal }),
      once(response, 'close', { signal }).then(() => {
        throw new Error('the requestor has closed the connection')
      })
    ])
  } finally {
    gone.abort()
  }
}
