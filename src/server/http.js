import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { HttpDoor } from './guard/http-door.js'

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 *
 * @typedef {object} Answer
 * @property {number} [status] - default 200
 * @property {string} [type] - content type
 * @property {string} body
 *
 * @typedef {(request: IncomingMessage) => Promise<Answer> | Answer} Handler
 *
 * @typedef {object} HttpBounds
 * @property {number} [headersTimeoutMs] - until the headers of a request are there
 * @property {number} [requestTimeoutMs] - until its body is there too
 * @property {number} [maxConnections] - more are closed at once, but for one of an address that has fewer than another: that gives one up
 * @property {import('./guard/guard.js').Guard['shareOf']} [shareOf] - what an address has of the event loop; default: nobody is limited
 */

const MAX_HEADER_BYTES = 8192
// what is under it can add registrations
const FOR_TOOLS = '/control/'

/**
 * json is an answer in JSON.
 *
 * @param {unknown} value
 * @returns {Answer}
 */
export const json = value => ({ type: 'application/json', body: JSON.stringify(value) })

/** @param {number} status @param {string} body @returns {Answer} */
const refusal = (status, body) => ({ status, body: `${body}\n` })

/**
 * startHttp serves routes. Those under /control/ are refused to pages of browsers.
 *
 * @param {{ host: string, port: number, given?: import('node:net').Server }} where - port 0: a free one; `given`: it listens already
 * @param {Record<string, Handler>} routes - by method and path, for example `GET /metrics`; a body is taken with POST only
 * @param {HttpBounds} [bounds]
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startHttp(
  { host, port, given },
  routes,
  { headersTimeoutMs = 10_000, requestTimeoutMs = 300_000, maxConnections = 100, shareOf } = {}
) {
  const bounds = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs)
  }
  const served = new Map(Object.entries(routes))
  const server = createServer(bounds, async (request, response) => {
    const { status = 200, type = 'text/plain; charset=utf-8', body } = await answerTo(request, served, host)
    // the rest of a request that was refused is not read
    const more = status === 200 ? {} : { connection: 'close' }
    response.writeHead(status, { 'content-type': type, ...more }).end(body)
  })
  const door = new HttpDoor(maxConnections, shareOf)
  const [serve] = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', socket => {
    const admitted = door.enter(socket)
    if (admitted !== undefined) serve.call(server, admitted)
  })
  if (given === undefined) server.listen(port, host)
  else server.listen(given)
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

/**
 * Never throws: nothing catches what comes out of a listener.
 *
 * @param {IncomingMessage} request
 * @param {Map<string, Handler>} routes
 * @param {string} host - that the server listens on
 * @returns {Promise<Answer>}
 */
async function answerTo(request, routes, host) {
  try {
    const { path, name } = targetOf(request)
    const handler = routes.get(`${request.method} ${path}`)
    if (handler === undefined) return refusal(404, 'not found')
    if (path.startsWith(FOR_TOOLS) && !isFromTool(request, name, host)) {
      return refusal(403, `${FOR_TOOLS} is not for web pages: ask by address, without Origin`)
    }
    if (request.method !== 'POST' && hasBody(request)) return refusal(413, 'no body is taken here')
    return await handler(request)
  } catch (error) {
    return refusal(400, /** @type {Error} */ (error).message)
  }
}

/**
 * A target is a path, or a whole URL (RFC 9112, 3.2.2), whose host then goes before the header; `//` begins a path here, while
 * URL would take what follows for a host.
 *
 * @param {IncomingMessage} request
 */
function targetOf({ url = '', headers }) {
  if (url.startsWith('/')) return { path: url.split('?', 1)[0], name: headers.host ?? '' }
  if (!URL.canParse(url)) return { path: '', name: '' }
  const { pathname, host } = new URL(url)
  return { path: pathname, name: host }
}

/** @param {IncomingMessage} request */
const hasBody = ({ headers }) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * isFromTool says whether a request comes from a program rather than from a page in a browser. Pages cannot leave out or choose
 * these headers: a page elsewhere sends its Origin or Sec-Fetch-Site, and one whose name was made to point here (DNS
 * rebinding) sends that name as Host.
 *
 * @param {Pick<import('node:http').IncomingMessage, 'headers'>} request
 * @param {string} name - of the host that is asked, with or without port
 * @param {string} listensOn - name or address that the server listens on
 */
function isFromTool({ headers }, name, listensOn) {
  const host = name
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  const known = isIP(host) > 0 || host === 'localhost' || (host !== '' && host === listensOn.toLowerCase())
  const { origin, 'sec-fetch-site': site = 'none' } = headers
  return known && origin === undefined && site === 'none'
}
