import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect as tlsOver } from 'node:tls'
import { lineConnection } from '../../../../line/line-socket.js'
import { takeCar } from '../take-car.js'
import { TransferError } from '../walk.js'

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
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

/** httpRequestor is the requestor's side of HTTP. */
export const httpRequestor = requestorOf(HTTP)

/** httpsRequestor is that of HTTP over TLS. */
export const httpsRequestor = requestorOf(HTTPS)
