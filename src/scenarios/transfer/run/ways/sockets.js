import { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { raceSignal } from 'race-signal'
import { lineConnection, lineServer } from '../../../../line/line-socket.js'
import { onlyPeers } from '../../../listening-at.js'

/**
 * @typedef {import('./way.js').Amounts} Amounts
 * @typedef {import('./way.js').Exchanged} Exchanged
 * @typedef {import('./way.js').Served} Served
 * @typedef {import('node:net').Socket} Socket
 */

/** An exchange on a plain socket begins with two numbers: how many bytes follow, and how many are wanted back. */
const HEAD_BYTES = 16
const BLOCK = Buffer.alloc(64 << 10)

/** @param {Socket} socket @param {number} count */
async function sendZeros(socket, count) {
  for (let left = count; left > 0; left -= BLOCK.length)
    if (!socket.write(left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK)) await once(socket, 'drain')
}

/**
 * serveFramed answers exchanges on a socket, one after the other: it reads one to its end, and then sends what is wanted, or a byte
 * where nothing is.
 *
 * @param {Socket} socket
 * @param {Pick<Served, 'onReceived' | 'onSent'>} served
 */
export function serveFramed(socket, { onReceived, onSent }) {
  let head = Buffer.alloc(0)
  let left = 0
  let wanted = 0
  const reply = async () => {
    await sendZeros(socket, Math.max(1, wanted))
    onSent(wanted)
  }
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
    reply().catch(() => {})
  })
  socket.on('error', () => socket.destroy())
}

/**
 * exchangeFramed makes one exchange on a socket.
 *
 * @param {Socket} socket
 * @param {Amounts} amounts
 * @returns {Promise<Exchanged>}
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

/** @typedef {import('./way.js').WayModule} WayModule */

/**
 * listening starts a server on a free port.
 *
 * @param {import('node:net').Server} server - with its listeners of connections
 * @param {import('./way.js').Between} between
 * @returns {Promise<import('./way.js').Provided>}
 */
export async function listening(server, { host, peers = null, line }) {
  onlyPeers(lineServer(server, line), { host, peers })
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
 * dialled opens a socket with its line.
 *
 * @param {{ host: string, port: number }} address
 * @param {import('./way.js').Between['line']} line
 * @param {AbortSignal} signal
 * @returns {Promise<Socket>}
 */
export async function dialled(address, line, signal) {
  /** @type {PromiseWithResolvers<Socket>} */
  const { promise, resolve, reject } = Promise.withResolvers()
  lineConnection({ ...address, noDelay: true }, line, (error, socket) =>
    error === null ? resolve(socket) : reject(error)
  )
  return raceSignal(promise, signal)
}

/**
 * Each stream is a connection of its own; the first is the one that was dialled.
 *
 * @param {(signal: AbortSignal) => Promise<Socket>} connect
 * @returns {Promise<import('./way.js').WayClient>}
 */
const framedClient = async connect => ({
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

/** TCP are both ends of a plain socket. @type {WayModule} */
export const TCP = {
  provide: async (served, settings) =>
    listening(
      createServer(socket => serveFramed(socket, served)),
      settings
    ),
  client: (address, { line }) => framedClient(signal => dialled(address, line, signal))
}

/** TLS are both ends of a secured socket, TLS 1.3. @type {WayModule} */
export const TLS = {
  async provide(served, settings) {
    const server = createTlsServer({ ...(await selfSigned()), minVersion: 'TLSv1.3' }, socket =>
      serveFramed(socket, served)
    )
    server.on('tlsClientError', () => {})
    return listening(server, settings)
  },
  client: (address, { line }) =>
    framedClient(async signal => {
      const socket = await dialled(address, line, signal)
      // the server is of this run: nobody else is to be kept out
      const secured = connectTls({ socket, rejectUnauthorized: false })
      await once(secured, 'secureConnect', { signal })
      return secured
    })
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

/**
 * selfSigned makes a key and a certificate that it signed itself, for a server that nobody need tell from others: it is thrown away with
 * the run.
 *
 * @param {{ now?: () => number, addresses?: readonly string[] }} [parts] - `now`: ms since 1970
 * @returns {Promise<{ key: string, cert: string }>} PEM; of localhost and the addresses, from a day ago on for 30 days
 */
export async function selfSigned({ now = Date.now, addresses = ['127.0.0.1', '::1'] } = {}) {
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
