// Transfer protocols without libp2p, as baselines: TCP, TLS, HTTP, HTTPS, HTTP/2.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import * as http from 'node:http'
import { connect, createServer as createServer2 } from 'node:http2'
import * as https from 'node:https'
import { createServer } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import * as x509 from '@peculiar/x509'
import { CID } from 'multiformats/cid'
import { raceSignal } from 'race-signal'
import { formatUrlHost } from '../../../kit/host-address.js'
import { delayServer, dialDelayed } from '../../../libp2p/line-socket.js'
import { admitOnlyPeers } from '../../../run/fleet.js'
import { TransferError } from '../plan/transfer-plan.js'
import { receiveCar, writeCar } from './blocks.js'

/**
 * @typedef {import('./protocol.js').ExchangeAmounts} ExchangeAmounts
 * @typedef {import('./protocol.js').ExchangeSummary} ExchangeSummary
 * @typedef {import('./protocol.js').ProviderContent} ProviderContent
 * @typedef {import('node:net').Socket} Socket
 */

/** An exchange on a plain socket begins with two numbers: the bytes that follow, the bytes of the reply. */
const HEAD_BYTES = 16
const BLOCK = Buffer.alloc(64 << 10)

/** @param {Writable} writable @param {number} count */
async function sendZeros(writable, count) {
  for (let left = count; left > 0; left -= BLOCK.length)
    if (!writable.write(left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK)) await once(writable, 'drain')
}

/**
 * serveFramed answers exchanges on a socket, one after the other. It reads an exchange to its end, then sends the zeros of the reply, at
 * least one byte.
 *
 * @param {Socket} socket
 * @param {Pick<ProviderContent, 'onReceived' | 'onSent'>} served
 */
export function serveFramed(socket, { onReceived, onSent }) {
  let head = Buffer.alloc(0)
  let left = 0
  let wanted = 0
  socket.setNoDelay(true)
  socket.on('data', chunk => {
    let at = 0
    if (head.length < HEAD_BYTES) {
      at = Math.min(chunk.length, HEAD_BYTES - head.length)
      head = Buffer.concat([head, chunk.subarray(0, at)])
      if (head.length < HEAD_BYTES) return
      left = Number(head.readBigUInt64BE(0))
      wanted = Number(head.readBigUInt64BE(8))
    }
    left -= chunk.length - at
    if (chunk.length > at) onReceived(chunk.length - at)
    if (left > 0) return
    head = Buffer.alloc(0)
    sendZeros(socket, Math.max(1, wanted)).then(
      () => onSent(wanted),
      () => {}
    )
  })
  socket.on('error', () => socket.destroy())
}

/**
 * exchangeFramed makes one exchange on a socket.
 *
 * @param {Socket} socket
 * @param {ExchangeAmounts} amounts
 * @returns {Promise<ExchangeSummary>}
 */
export function exchangeFramed(socket, { uploadBytes, downloadBytes, signal, onReceived = () => {} }) {
  const { promise, resolve, reject } = Promise.withResolvers()
  let receivedBytes = 0
  /** @type {bigint | null} */
  let firstByteNs = null
  const onData = (/** @type {Buffer} */ { length }) => {
    firstByteNs ??= process.hrtime.bigint()
    receivedBytes += length
    onReceived(length)
    if (receivedBytes >= Math.max(1, downloadBytes))
      resolve({
        receivedBytes: downloadBytes === 0 ? receivedBytes - 1 : receivedBytes,
        firstByteNs,
        endedNs: process.hrtime.bigint()
      })
  }
  const onEnd = (/** @type {Error | boolean | undefined} */ error) =>
    reject(
      error instanceof Error ? error : new Error(`the connection was closed after ${receivedBytes} bytes`)
    )
  const onAbort = () => reject(signal.reason)
  socket.on('data', onData).once('error', onEnd).once('close', onEnd)
  signal.addEventListener('abort', onAbort, { once: true })
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeBigUInt64BE(BigInt(uploadBytes), 0)
  head.writeBigUInt64BE(BigInt(downloadBytes), 8)
  socket.write(head)
  sendZeros(socket, uploadBytes).catch(reject)
  return promise.finally(() => {
    socket.off('data', onData).off('error', onEnd).off('close', onEnd)
    signal.removeEventListener('abort', onAbort)
  })
}

/** @typedef {import('./protocol.js').ProtocolModule} ProtocolModule */

/**
 * listenOnFreePort starts a server on a free port. Its listeners of connections must exist.
 *
 * @param {import('node:net').Server} server
 * @param {import('./protocol.js').SideConnection} between
 * @returns {Promise<import('./protocol.js').OpenProvider>}
 */
export async function listenOnFreePort(server, { host, peers = null, line }) {
  admitOnlyPeers(delayServer(server, line), { host, peers })
  /** @type {Set<Socket>} */
  const sockets = new Set()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    address: { host, port },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}

/**
 * dialLine opens a socket behind a line.
 *
 * @param {{ host: string, port: number }} address
 * @param {import('./protocol.js').SideConnection['line']} line
 * @param {AbortSignal} signal
 * @returns {Promise<Socket>}
 */
export async function dialLine(address, line, signal) {
  /** @type {PromiseWithResolvers<Socket>} */
  const { promise, resolve, reject } = Promise.withResolvers()
  dialDelayed({ ...address, noDelay: true }, line, (error, socket) =>
    error === null ? resolve(socket) : reject(error)
  )
  return raceSignal(promise, signal)
}

/**
 * Each stream is a connection of its own. The first stream takes the connection that was opened first.
 *
 * @param {(signal: AbortSignal) => Promise<Socket>} connect
 * @returns {Promise<import('./protocol.js').ProtocolClient>}
 */
const makeFramedClient = async connect => ({
  async connect(signal) {
    const idle = [await connect(signal)]
    const all = [...idle]
    return {
      async open(signal) {
        const socket = idle.pop() ?? (await connect(signal))
        if (!all.includes(socket)) all.push(socket)
        return async amounts => {
          const exchanged = await exchangeFramed(socket, amounts)
          idle.push(socket)
          return exchanged
        }
      },
      close: () => {
        for (const socket of all) socket.destroy()
      }
    }
  },
  stop: () => {}
})

/** TCP is the protocol of plain sockets. @type {ProtocolModule} */
export const TCP = {
  provide: async (served, settings) =>
    listenOnFreePort(
      createServer(socket => serveFramed(socket, served)),
      settings
    ),
  client: (address, { line }) => makeFramedClient(signal => dialLine(address, line, signal))
}

/** TLS is the protocol of sockets with TLS 1.3. @type {ProtocolModule} */
export const TLS = {
  async provide(served, settings) {
    const server = createTlsServer(
      { ...(await makeSelfSignedCertificate()), minVersion: 'TLSv1.3' },
      socket => serveFramed(socket, served)
    )
    server.on('tlsClientError', () => {})
    return listenOnFreePort(server, settings)
  },
  client: (address, { line }) =>
    makeFramedClient(async signal => {
      const socket = await dialLine(address, line, signal)
      // the certificate is self-signed
      const secured = connectTls({ socket, rejectUnauthorized: false })
      await once(secured, 'secureConnect', { signal })
      return secured
    })
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/**
 * makeSelfSignedCertificate makes a key with a self-signed certificate, for one run.
 *
 * @param {{ now?: () => number, addresses?: readonly string[] }} [parts] - `now`: ms since 1970
 * @returns {Promise<{ key: string, cert: string }>} PEM; of localhost and the addresses, valid from a day ago for 30 days
 */
export async function makeSelfSignedCertificate({ now = Date.now, addresses = ['127.0.0.1', '::1'] } = {}) {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=localhost',
      notBefore: new Date(now() - DAY_MS),
      notAfter: new Date(now() + 30 * DAY_MS),
      signingAlgorithm: ALGORITHM,
      keys: /** @type {any} */ (keys),
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          ...addresses.map(value => /** @type {const} */ ({ type: 'ip', value }))
        ])
      ]
    },
    /** @type {any} */ (webcrypto)
  )
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: certificate.toString('pem') }
}

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {import('node:stream').Readable} Readable
 * @typedef {import('node:stream').Writable} Writable
 */

/** Media type of a CAR. */
const CAR_TYPE = 'application/vnd.ipld.car'

/**
 * makeRequestListener answers three kinds of requests: a file, `GET /<root>?transfer=<name>&peer=<name>`; a round trip, `GET /`; zeros, `POST /<bytes
 * of the reply>`, which are sent when the request was read to its end.
 *
 * @param {ProviderContent} served
 * @returns {(request: any, response: any) => void}
 */
const makeRequestListener =
  ({ blocks, onReceived, onSent }) =>
  (request, response) => {
    if (request.method !== 'POST') return void answerFile(request, response, blocks)
    const wanted = Number(request.url.slice(1))
    request.on('data', (/** @type {Buffer} */ { length }) => onReceived(length))
    request.on('end', async () => {
      response.writeHead(200, { 'content-length': wanted })
      await endWithZeros(response, wanted).then(
        () => onSent(wanted),
        () => {}
      )
    })
  }

/** @param {Writable} writable @param {number} count */
async function endWithZeros(writable, count) {
  await sendZeros(writable, count)
  writable.end()
}

/** @param {IncomingMessage} request @param {ServerResponse} response @param {import('./protocol.js').Serve} serve */
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
    for await (const parts of writeCar(CID.parse(root), blocks)) await writeParts(response, parts)
    response.end()
  } catch {
    // the requestor notices what is missing
    response.destroy()
  }
}

/** @param {ServerResponse} response @param {readonly Uint8Array[]} parts */
async function writeParts(response, parts) {
  // Parts of one turn of the event loop leave together: node:http holds back the writes of its socket until the turn ends. (Its own `cork`
  // loses a drain, Node 24)
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
 * @param {ExchangeAmounts} amounts
 * @returns {Promise<import('./protocol.js').ExchangeSummary>}
 */
async function exchangeHttp(sending, replying, { uploadBytes, signal, onReceived = () => {} }) {
  let receivedBytes = 0
  const onAbort = () => sending.destroy(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    endWithZeros(sending, uploadBytes).catch(() => {})
    const reply = await replying
    // the head of a reply counts: the reply to an upload has no body
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

/** @param {import('node:events').EventEmitter} sending @returns {Promise<any>} the reply, when its head has arrived */
async function waitForReply(sending) {
  // later errors are reported by the reply
  sending.on('error', () => {})
  const [reply] = await once(sending, 'response')
  return reply
}

/** @param {IncomingMessage} response */
async function waitForEnd(response) {
  response.resume()
  await once(response, 'end')
}

/**
 * @typedef {object} HttpFlavour - of node:http or node:https
 * @property {string} scheme
 * @property {typeof http.request} request
 * @property {(options: object) => http.Agent} agent
 * @property {(socket: Socket, options: object) => Socket} secured - adds TLS to a socket, where the protocol has it
 */

/**
 * A requestor's side of HTTP/1.1. Connections stay open. Each has an agent of its own, so that idle ones are known.
 *
 * @param {HttpFlavour} client
 * @returns {import('./protocol.js').ProtocolModule['client']}
 */
const makeHttpClient =
  ({ scheme, request, agent: newAgent, secured }) =>
  async ({ host, port }, { line, peer = '', connections = 0 }) => {
    const base = `${scheme}://${formatUrlHost(host)}:${port}`
    /** @param {Set<Socket>} sockets - those of the agent are added */
    const agentOf = sockets => {
      const createConnection = (
        /** @type {object} */ options,
        /** @type {(error: Error | null, socket?: any) => void} */ done
      ) =>
        void dialDelayed(options, line, (error, socket) => {
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
          await waitForEnd(await get('/', { agent, signal }))
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
            await waitForEnd(await get('/', { agent }))
            idle.push(agent)
          },
          async fetch({ root }, transfer, receiving, signal) {
            const agent = await taken(signal)
            receiving.asked()
            const path = `/${root}?${new URLSearchParams({ transfer, peer })}`
            const response = await get(path, { agent, signal })
            if (response.statusCode !== 200)
              throw new TransferError('REFUSED', `the provider answered with status ${response.statusCode}`)
            await receiveCar(response, receiving)
            idle.push(agent)
          },
          async open(signal) {
            const agent = await taken(signal)
            return async amounts => {
              const { uploadBytes, downloadBytes } = amounts
              const headers = { 'content-length': uploadBytes }
              const sending = request(`${base}/${downloadBytes}`, { agent, method: 'POST', headers })
              const exchanged = await exchangeHttp(sending, waitForReply(sending), amounts)
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

/** @param {http.Server | https.Server} server @param {ProviderContent} served @param {import('./protocol.js').SideConnection} between */
export function provideHttp(server, served, between) {
  // only requestors close connections: a timeout of an idle connection could break the next transfer
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  server.on('request', makeRequestListener(served))
  return listenOnFreePort(server, between)
}

/** HTTP is HTTP/1.1 of Node; a file is a CAR. @type {import('./protocol.js').ProtocolModule} */
export const HTTP = {
  provide: async (served, settings) => provideHttp(http.createServer(), served, settings),
  client: makeHttpClient({
    scheme: 'http',
    request: http.request,
    agent: options => new http.Agent(options),
    secured: socket => socket
  })
}

/** HTTPS is the same over TLS. The certificate is made for one run; the client accepts any. @type {import('./protocol.js').ProtocolModule} */
export const HTTPS = {
  provide: async (served, settings) =>
    provideHttp(https.createServer(await makeSelfSignedCertificate()), served, settings),
  client: makeHttpClient({
    scheme: 'https',
    request: https.request,
    agent: options => new https.Agent(options),
    secured: (socket, options) => connectTls({ ...options, socket, rejectUnauthorized: false })
  })
}

/** HTTP2 is HTTP/2 without TLS: all streams share one connection. @type {import('./protocol.js').ProtocolModule} */
export const HTTP2 = {
  provide: async (served, settings) => listenOnFreePort(createServer2(makeRequestListener(served)), settings),
  client: async (address, { line }) => ({
    async connect(signal) {
      const socket = await dialLine(address, line, signal)
      const session = connect('http://127.0.0.1', { createConnection: () => socket })
      // each exchange reports its own errors
      session.on('error', () => {})
      await once(session, 'remoteSettings', { signal })
      return {
        open: async () => amounts => {
          const stream = session.request({ ':method': 'POST', ':path': `/${amounts.downloadBytes}` })
          return exchangeHttp(
            stream,
            waitForReply(stream).then(() => stream),
            amounts
          )
        },
        close: () => session.destroy()
      }
    },
    stop: () => {}
  })
}
