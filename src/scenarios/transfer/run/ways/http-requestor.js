import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { lineConnection } from '../../../../line/line-socket.js'
import { takeCar } from '../take-car.js'
import { TransferError } from '../walk.js'
import { lineOfEach } from './line-of-each.js'

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:net').Socket} Socket
 *
 * @typedef {object} Client - of node:http or node:https
 * @property {typeof get} get
 * @property {(sockets: Set<Socket>, line: import('./way.js').NodeSettings['line']) => Agent} agent - keeps connections; its sockets are
 *   added
 */

/** @type {Client} */
const HTTP = Object.freeze({
  get,
  agent: (sockets, line) =>
    keepAlive(new Agent({ keepAlive: true, maxFreeSockets: 10_000 }), (options, done) =>
      lineConnection(options, line, (error, socket) => {
        if (socket !== undefined) sockets.add(socket)
        done(error, socket)
      })
    )
})

/**
 * keepAlive gives an agent whose connections are made by a function.
 *
 * @template {Agent} T
 * @param {T} agent
 * @param {(options: any, done: (error: Error | null, socket?: any) => void) => void} connect
 * @returns {T}
 */
export const keepAlive = (agent, connect) =>
  Object.assign(agent, {
    createConnection: (/** @type {any} */ options, /** @type {any} */ done) => void connect(options, done)
  })

/**
 * requestorOf gives the requestor's side of HTTP: as many connections as there are transfers at once are open before the first one.
 *
 * @param {Client} client
 * @returns {import('./way.js').WayRequestor['connect']}
 */
export const requestorOf =
  client =>
  async (address, { settings, peer, signal }) => {
    /** @type {Set<Socket>} */
    const sockets = new Set()
    const agent = client.agent(sockets, lineOfEach(settings))
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
