import { once } from 'node:events'
import { createServer } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { raceSignal } from 'race-signal'
import { lineConnection, lineServer } from '../../../../line/line-socket.js'
import { selfSigned } from '../../../../protocol/self-signed.js'
import { onlyPeers } from '../../../listening-at.js'
import { exchangeFramed, serveFramed } from './framed-socket.js'

/**
 * @typedef {import('./types.js').Ends} Ends
 * @typedef {import('./types.js').Line} Line
 * @typedef {import('node:net').Socket} Socket
 */

/**
 * listening starts a server on a free port.
 *
 * @param {import('node:net').Server} server - with its listeners of connections
 * @param {import('../../../listening-at.js').At} at
 */
export async function listening(server, at) {
  const { host } = at
  onlyPeers(server, at)
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
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}

/**
 * dialled opens a socket with its line.
 *
 * @param {{ host: string, port: number }} address
 * @param {Line | null} line
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
 * @returns {Promise<import('./types.js').WayClient>}
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

/** TCP are both ends of a plain socket. @type {Ends} */
export const TCP = {
  async serve({ at, line, served }) {
    const server = createServer(socket => serveFramed(socket, served))
    return listening(lineServer(server, line), at)
  },
  client: ({ address, line }) => framedClient(signal => dialled(address, line, signal))
}

/** TLS are both ends of a secured socket, TLS 1.3. @type {Ends} */
export const TLS = {
  async serve({ at, line, served }) {
    const server = createTlsServer({ ...(await selfSigned()), minVersion: 'TLSv1.3' }, socket =>
      serveFramed(socket, served)
    )
    server.on('tlsClientError', () => {})
    return listening(lineServer(server, line), at)
  },
  client: ({ address, line }) =>
    framedClient(async signal => {
      const socket = await dialled(address, line, signal)
      // the server is of this run: nobody else is to be kept out
      const secured = connectTls({ socket, rejectUnauthorized: false })
      await once(secured, 'secureConnect', { signal })
      return secured
    })
}
