import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect as tlsOver } from 'node:tls'
import { CID } from 'multiformats/cid'
import { hostInUrl } from '../../../../kit/ip-address.js'
import { lineConnection, lineServer } from '../../../../line/line-socket.js'
import { selfSigned } from '../../../../protocol/self-signed.js'
import { onlyPeers } from '../../../listening-at.js'
import { carOf, takeCar } from '../car.js'
import { TransferError } from '../receiving.js'

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

/**
 * @typedef {import('node:net').Socket} Socket
 * @typedef {(error: Error | null, socket?: any) => void} Done
 *
 * @typedef {object} Client - of node:http or node:https
 * @property {typeof http.get} get
 * @property {(options: object) => http.Agent} agent
 * @property {(socket: Socket, options: object) => Socket} secured - what is to be used in place of a socket with its line
 */

/** @type {Client} */
const HTTP = {
  get: http.get,
  agent: options => new http.Agent(options),
  secured: socket => socket
}

/** @type {Client} */
const HTTPS = {
  get: https.get,
  agent: options => new https.Agent(options),
  // the certificate was made for the run alone
  secured: (socket, options) => tlsOver({ ...options, socket, rejectUnauthorized: false })
}

/**
 * agentOf gives an agent that keeps its connections, on a line.
 *
 * @param {Client} client
 * @param {Set<Socket>} sockets - they are added: what goes over the line
 * @param {import('./way.js').NodeSettings['line']} line
 */
function agentOf({ agent, secured }, sockets, line) {
  const createConnection = (/** @type {object} */ options, /** @type {Done} */ done) =>
    void lineConnection(options, line, (error, socket) => {
      if (error !== null) return done(error)
      sockets.add(socket)
      done(null, secured(socket, options))
    })
  return Object.assign(agent({ keepAlive: true, maxFreeSockets: 10_000 }), { createConnection })
}

/**
 * requestorOf gives the requestor's side of HTTP: as many connections as there are transfers at once are open before the first one.
 *
 * @param {Client} client
 * @returns {import('./way.js').WayRequestor['connect']}
 */
const requestorOf =
  client =>
  async (address, { settings, peer, signal }) => {
    /** @type {Set<Socket>} */
    const sockets = new Set()
    const agent = agentOf(client, sockets, settings.line)
    /** @param {string} path @param {AbortSignal} [signal] */
    const ask = async (path, signal) => {
      const request = client.get(`${address}${path}`, { agent, signal })
      const [response] = /** @type {[IncomingMessage]} */ (await once(request, 'response'))
      return response
    }
    const roundTrip = async () => void (await ended(await ask('/', signal)))
    const close = async () => agent.destroy()
    try {
      await Promise.all(Array.from({ length: settings.connections }, roundTrip))
    } catch (error) {
      await close()
      throw error
    }
    return {
      roundTrip,
      async fetch({ root }, transfer, receiving, signal) {
        receiving.asked()
        const response = await ask(`/${root}?${new URLSearchParams({ transfer, peer })}`, signal)
        if (response.statusCode !== 200)
          throw new TransferError('REFUSED', `the provider answered with status ${response.statusCode}`)
        await takeCar(response, receiving)
      },
      wireBytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead + socket.bytesWritten, 0),
      close
    }
  }

/** @param {IncomingMessage} response */
async function ended(response) {
  response.resume()
  await once(response, 'end')
}

/** HTTP_WAY: HTTP/1.1, the file as a CAR. @type {import('./way.js').WayModule} */
export const HTTP_WAY = {
  provide: async (serve, settings) => httpProvider(http.createServer(), serve, { settings, scheme: 'http' }),
  connect: requestorOf(HTTP)
}

/** HTTPS_WAY: HTTP/1.1 over TLS, the file as a CAR. The certificate is made for the run, and not looked at. @type {import('./way.js').WayModule} */
export const HTTPS_WAY = {
  provide: async (serve, settings) =>
    httpProvider(https.createServer(await selfSigned()), serve, { settings, scheme: 'https' }),
  connect: requestorOf(HTTPS)
}
