import { once } from 'node:events'
import * as http from 'node:http'
import { connect, createServer as createServer2 } from 'node:http2'
import * as https from 'node:https'
import { connect as tlsOver } from 'node:tls'
import { CID } from 'multiformats/cid'
import { hostInUrl } from '../../../../kit/ip-address.js'
import { lineConnection } from '../../../../line/line-socket.js'
import { TransferError } from '../../transfer-plan.js'
import { carOf, takeCar } from '../car.js'
import { dialled, listening, selfSigned } from './sockets.js'

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {import('node:stream').Readable} Readable
 * @typedef {import('node:stream').Writable} Writable
 * @typedef {import('./way.js').Served} Served
 * @typedef {import('./way.js').Amounts} Amounts
 */

/** CAR_TYPE is the media type of a CAR. */
const CAR_TYPE = 'application/vnd.ipld.car'

/**
 * answering answers requests for files, `GET /<root>?transfer=<name>&peer=<name>`, for a round trip, `GET /`, and for zeros, `POST
 * /<bytes wanted back>`.
 *
 * @param {Served} served
 * @returns {(request: any, response: any) => void}
 */
const answering = served => (request, response) => {
  if (request.method === 'POST') answerZeros(request, response, served)
  else void answerFile(request, response, served.blocks)
}

/** A request is read to its end, and then answered with what its path asks for. @param {any} request @param {any} response @param {Served} served */
function answerZeros(request, response, { onReceived, onSent }) {
  const wanted = Number(request.url.slice(1))
  request.on('data', (/** @type {Buffer} */ { length }) => onReceived(length))
  request.on('end', async () => {
    response.writeHead(200, { 'content-length': wanted })
    await sendZeros(response, wanted).then(
      () => onSent(wanted),
      () => {}
    )
  })
}

const BLOCK = Buffer.alloc(64 << 10)

/** @param {Writable} writable @param {number} count */
async function sendZeros(writable, count) {
  for (let left = count; left > 0; left -= BLOCK.length)
    if (!writable.write(left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK)) await once(writable, 'drain')
  writable.end()
}

/** @param {IncomingMessage} request @param {ServerResponse} response @param {import('./way.js').Serve} serve */
async function answerFile({ url = '/' }, response, serve) {
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
 * @param {Writable} sending
 * @param {Promise<Readable>} replying
 * @param {Amounts} amounts
 * @returns {Promise<import('./way.js').Exchanged>}
 */
async function exchange(sending, replying, { uploadBytes, signal, onReceived = () => {} }) {
  let receivedBytes = 0
  const onAbort = () => sending.destroy(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    sendZeros(sending, uploadBytes).catch(() => {})
    const reply = await replying
    // the head of a reply counts: of an upload there is no more
    const firstByteNs = process.hrtime.bigint()
    for await (const { length } of reply) {
      receivedBytes += length
      onReceived(length)
    }
    return { receivedBytes, firstByteNs, endedNs: process.hrtime.bigint() }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** @param {import('node:events').EventEmitter} sending @returns {Promise<any>} the reply, when its head has come */
async function replyOf(sending) {
  // what breaks it later is told by the reply
  sending.on('error', () => {})
  const [reply] = await once(sending, 'response')
  return reply
}

/** @param {IncomingMessage} response */
async function ended(response) {
  response.resume()
  await once(response, 'end')
}

/**
 * @typedef {import('node:net').Socket} Socket
 *
 * @typedef {object} Client - of node:http or node:https
 * @property {string} scheme
 * @property {typeof http.request} request
 * @property {(options: object) => http.Agent} agent
 * @property {(socket: Socket, options: object) => Socket} secured - what is to be used in place of a socket with its line
 */

/**
 * A requestor's side of HTTP/1.1: connections that stay open, each with an agent of its own, so that it is known which are idle.
 *
 * @param {Client} client
 * @returns {import('./way.js').WayModule['client']}
 */
const clientOf =
  ({ scheme, request, agent: newAgent, secured }) =>
  async ({ host, port }, { line, peer = '', connections = 0 }) => {
    const base = `${scheme}://${hostInUrl(host)}:${port}`
    /** @param {Set<Socket>} sockets - those of the agent are added */
    const agentOf = sockets => {
      const createConnection = (
        /** @type {object} */ options,
        /** @type {(error: Error | null, socket?: any) => void} */ done
      ) =>
        void lineConnection(options, line, (error, socket) => {
          if (error !== null) return done(error)
          sockets.add(socket)
          done(null, secured(socket, options))
        })
      return Object.assign(newAgent({ keepAlive: true, maxSockets: 1 }), { createConnection })
    }
    /** @param {string} path @param {{ agent: http.Agent, signal?: AbortSignal }} how */
    const get = async (path, how) => {
      const [response] = await once(request(`${base}${path}`, how).end(), 'response')
      return /** @type {IncomingMessage} */ (response)
    }
    return {
      async connect(signal) {
        /** @type {Set<Socket>} */
        const sockets = new Set()
        /** @type {http.Agent[]} */
        const all = []
        /** @type {http.Agent[]} */
        const idle = []
        /** An agent whose connection is open. @param {AbortSignal} [signal] */
        const taken = async signal => {
          const known = idle.pop()
          if (known !== undefined) return known
          const agent = agentOf(sockets)
          all.push(agent)
          await ended(await get('/', { agent, signal }))
          return agent
        }
        const close = () => {
          for (const agent of all) agent.destroy()
        }
        try {
          idle.push(...(await Promise.all(Array.from({ length: connections }, () => taken(signal)))))
        } catch (error) {
          close()
          throw error
        }
        return {
          async roundTrip() {
            const agent = await taken()
            await ended(await get('/', { agent }))
            idle.push(agent)
          },
          async fetch({ root }, transfer, receiving, signal) {
            const agent = await taken(signal)
            receiving.asked()
            const path = `/${root}?${new URLSearchParams({ transfer, peer })}`
            const response = await get(path, { agent, signal })
            if (response.statusCode !== 200)
              throw new TransferError('REFUSED', `the provider answered with status ${response.statusCode}`)
            await takeCar(response, receiving)
            idle.push(agent)
          },
          async open(signal) {
            const agent = await taken(signal)
            return async amounts => {
              const { uploadBytes, downloadBytes } = amounts
              const headers = { 'content-length': uploadBytes }
              const sending = request(`${base}/${downloadBytes}`, { agent, method: 'POST', headers })
              const exchanged = await exchange(sending, replyOf(sending), amounts)
              idle.push(agent)
              return exchanged
            }
          },
          wireBytes: () =>
            [...sockets].reduce((sum, socket) => sum + socket.bytesRead + socket.bytesWritten, 0),
          close
        }
      },
      stop: () => {}
    }
  }

/** @param {http.Server | https.Server} server @param {Served} served @param {import('./way.js').Between} between */
export function providing(server, served, between) {
  // connections are the requestors': one that is closed as idle when it is needed would break its transfer
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  server.on('request', answering(served))
  return listening(server, between)
}

/** HTTP: HTTP/1.1, a file as a CAR. @type {import('./way.js').WayModule} */
export const HTTP = {
  provide: async (served, settings) => providing(http.createServer(), served, settings),
  client: clientOf({
    scheme: 'http',
    request: http.request,
    agent: options => new http.Agent(options),
    secured: socket => socket
  })
}

/** HTTPS: the same over TLS. The certificate is made for the run alone, and not looked at. @type {import('./way.js').WayModule} */
export const HTTPS = {
  provide: async (served, settings) => providing(https.createServer(await selfSigned()), served, settings),
  client: clientOf({
    scheme: 'https',
    request: https.request,
    agent: options => new https.Agent(options),
    secured: (socket, options) => tlsOver({ ...options, socket, rejectUnauthorized: false })
  })
}

/** HTTP2: HTTP/2 without TLS, streams of one connection. @type {import('./way.js').WayModule} */
export const HTTP2 = {
  provide: async (served, settings) => listening(createServer2(answering(served)), settings),
  client: async (address, { line }) => ({
    async connect(signal) {
      const socket = await dialled(address, line, signal)
      const session = connect('http://127.0.0.1', { createConnection: () => socket })
      // each exchange tells of what breaks it
      session.on('error', () => {})
      await once(session, 'remoteSettings', { signal })
      return {
        open: async () => amounts => {
          const stream = session.request({ ':method': 'POST', ':path': `/${amounts.downloadBytes}` })
          return exchange(
            stream,
            replyOf(stream).then(() => stream),
            amounts
          )
        },
        close: () => session.destroy()
      }
    },
    stop: () => {}
  })
}
