import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 *
 * @typedef {object} Answer
 * @property {string} [type] - content type
 * @property {string} body
 *
 * @typedef {(request: IncomingMessage) => Promise<Answer> | Answer} Handler
 */

/**
 * json is an answer in JSON.
 *
 * @param {unknown} value
 * @returns {Answer}
 */
export const json = value => ({ type: 'application/json', body: JSON.stringify(value) })

/**
 * startHttp serves routes.
 *
 * @param {{ host: string, port: number }} where - port 0: a free one
 * @param {Record<string, Handler>} routes - by method and path, for example `GET /metrics`
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startHttp({ host, port }, routes) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const handler = routes[`${request.method} ${path}`]
    if (handler === undefined) {
      response.writeHead(404).end('not found\n')
      return
    }
    try {
      const { type = 'text/plain; charset=utf-8', body } = await handler(request)
      response.writeHead(200, { 'content-type': type }).end(body)
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      // the rest of a request that was refused is not read
      response.writeHead(400, { connection: 'close' }).end(`${message}\n`)
    }
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: actual } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
