// HTTP server with guards: limits for each client, control routes refused to web pages. Rendezvous servers and the live
// dashboard use it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { Uint8ArrayList } from 'uint8arraylist'
import { formatUrlHost, unmapAddress } from '../kit/host-address.js'
import { AddressSlots, getAddressGroup, getHostNetwork } from './admission/address-groups.js'
import { callAfterPromises, makePacing, RequestScheduler, UNLIMITED_SHARE } from './admission/fair-share.js'

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 *
 * @typedef {object} Answer
 * @property {number} [status] - default 200
 * @property {string} [type] - content type
 * @property {string} body - the whole body, or what is sent before `stream` takes over
 * @property {Readonly<Record<string, string>>} [headers] - further headers
 * @property {(response: import('node:http').ServerResponse) => void} [stream] - continues the answer, and ends it
 *
 * @typedef {(request: IncomingMessage) => Promise<Answer> | Answer} Handler
 *
 * @typedef {object} HttpBounds
 * @property {number} [headersTimeoutMs] - until the headers of a request have arrived
 * @property {number} [requestTimeoutMs] - until its body has arrived as well
 * @property {number} [maxConnections] - beyond, a new connection is closed at once, or replaces one of an address that has more
 * @property {import('./admission/connection-guard.js').Guard['shareOf']} [shareOf] - share of the event loop of an address; default: no
 *   address is limited
 */

const MAX_HEADER_BYTES = 8192

/** Access rules by path prefix. @type {readonly { prefix: string, admits: typeof isFromTool, refusal: string }[]} */
const ACCESS_RULES = [
  {
    // its routes can add registrations
    prefix: '/control/',
    admits: isFromTool,
    refusal: '/control/ is not for web pages: request it by address, without an Origin header'
  },
  {
    prefix: '/live/',
    admits: isFromOwnPage,
    refusal: '/live/ is not for pages of other sites: request it by address'
  }
]

/**
 * makeJsonAnswer makes an answer in JSON.
 *
 * @param {unknown} value
 * @returns {Answer}
 */
export const makeJsonAnswer = value => ({ type: 'application/json', body: JSON.stringify(value) })

/** @param {number} status @param {string} body @returns {Answer} */
const makeRefusalAnswer = (status, body) => ({ status, body: `${body}\n` })

/**
 * startHttp serves routes. Routes under /control/ are refused to web pages, routes under /live/ to web pages of other servers.
 *
 * @param {{ host: string, port: number, existing?: import('node:net').Server }} where - port 0: a free one; `existing`: a listening server to use
 * @param {Record<string, Handler>} routes - by method and path, for example `GET /metrics`; a body is taken with POST only
 * @param {HttpBounds} [bounds]
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startHttp(
  { host, port, existing },
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
    const answer = await answerTo(request, served, host)
    const { status = 200, type = 'text/plain; charset=utf-8', body, headers, stream } = answer
    // the rest of a refused request is not read
    const more = status === 200 ? headers : { connection: 'close' }
    response.writeHead(status, { 'content-type': type, ...more })
    if (stream === undefined) return void response.end(body)
    response.write(body)
    stream(response)
  })
  const admit = makeConnectionLimiter(maxConnections, shareOf)
  const [serve] = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', socket => {
    const admitted = admit(socket)
    if (admitted !== undefined) serve.call(server, admitted)
  })
  if (existing === undefined) server.listen(port, host)
  else server.listen(existing)
  await once(server, 'listening')
  const { port: actual } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://${formatUrlHost(host)}:${actual}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/**
 * Never throws: nothing would catch it.
 *
 * @param {IncomingMessage} request
 * @param {Map<string, Handler>} routes
 * @param {string} host - that the server listens on
 * @returns {Promise<Answer>}
 */
async function answerTo(request, routes, host) {
  try {
    const { path, name } = readRequestTarget(request)
    const handler = routes.get(`${request.method} ${path}`)
    if (handler === undefined) return makeRefusalAnswer(404, 'not found')
    const rule = ACCESS_RULES.find(({ prefix }) => path.startsWith(prefix))
    if (rule !== undefined && !rule.admits(request, name, host)) return makeRefusalAnswer(403, rule.refusal)
    const { 'transfer-encoding': encoding, 'content-length': length = 0 } = request.headers
    const hasBody = encoding !== undefined || Number(length) > 0
    if (request.method !== 'POST' && hasBody) return makeRefusalAnswer(413, 'no body is taken here')
    return await handler(request)
  } catch (error) {
    return makeRefusalAnswer(400, /** @type {Error} */ (error).message)
  }
}

/**
 * The request target is a path, or a whole URL (RFC 9112, 3.2.2), whose host takes precedence over the Host header. A path may begin with
 * `//`, which URL would read as the beginning of a host.
 *
 * @param {IncomingMessage} request
 */
function readRequestTarget({ url = '', headers }) {
  if (url.startsWith('/')) return { path: url.split('?', 1)[0], name: headers.host ?? '' }
  if (!URL.canParse(url)) return { path: '', name: '' }
  const { pathname, host } = new URL(url)
  return { path: pathname, name: host }
}

/**
 * isByAddress says whether a request names the server by an address, or by a name that no attacker can point to it (DNS rebinding).
 *
 * @param {string} name - host that the request names, with or without port
 * @param {string} listensOn - name or address that the server listens on
 */
function isByAddress(name, listensOn) {
  const host = name
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || host === 'localhost' || (host !== '' && host === listensOn.toLowerCase())
}

/**
 * isFromTool says whether a request comes from a program, not from a web page. A web page can neither omit nor choose these headers: a page
 * of another server sends its Origin or Sec-Fetch-Site, and a page whose host name was pointed to this server sends that name as Host.
 *
 * @param {Pick<IncomingMessage, 'headers'>} request
 * @param {string} name - host that the request names, with or without port
 * @param {string} listensOn - name or address that the server listens on
 */
function isFromTool({ headers }, name, listensOn) {
  const { origin, 'sec-fetch-site': site = 'none' } = headers
  return isByAddress(name, listensOn) && origin === undefined && site === 'none'
}

/**
 * isFromOwnPage says whether a request comes from a program, from the address bar of a browser, or from a page of this server.
 *
 * @type {typeof isFromTool}
 */
function isFromOwnPage({ headers }, name, listensOn) {
  const { origin = `http://${name}`, 'sec-fetch-site': site = 'none' } = headers
  return isByAddress(name, listensOn) && origin === `http://${name}` && ['none', 'same-origin'].includes(site)
}

const STALL_TIMEOUT_MS = 10_000

/**
 * makeConnectionLimiter bounds what clients send to an HTTP port before it is a request: connections, and bytes without end.
 *
 * @param {number} maxConnections
 * @param {import('./admission/connection-guard.js').Guard['shareOf']} [shareOf]
 */
function makeConnectionLimiter(maxConnections, shareOf = () => UNLIMITED_SHARE) {
  const turns = new RequestScheduler()
  /** @type {AddressSlots<import('node:net').Socket>} */
  const slots = new AddressSlots({ each: maxConnections, all: maxConnections }, socket => socket.destroy())

  /**
   * @param {import('node:net').Socket} socket
   * @returns {Duplex | undefined} to be used in its place; undefined: the connection is refused
   */
  return socket => {
    const host = unmapAddress(socket.remoteAddress ?? '')
    const address = getHostNetwork(host)
    if (!slots.add(address, socket)) {
      socket.destroy()
      return
    }
    socket.once('close', () => slots.remove(address, socket))
    const share = shareOf(host, { addEventListener: (type, listener) => socket.once(type, listener) })
    if (share === UNLIMITED_SHARE) return socket
    const caller = { group: getAddressGroup(address), address, peer: String(socket.remotePort) }
    return new PacedSocket(socket, makePacing({ turns, caller, share, stallTimeoutMs: STALL_TIMEOUT_MS }))
  }
}

// about thirty HTTP requests of the shortest kind
const PIECE_BYTES = 1024
const NOTHING = new Uint8ArrayList()

/**
 * PacedSocket delivers received bytes in pieces, one piece per turn. Between pieces nothing is read from the socket.
 *
 *     http.emit('connection', new PacedSocket(socket, pace))
 */
export class PacedSocket extends Duplex {
  #socket
  #pace
  #wanted = false
  #delivering = false

  /** @param {import('node:net').Socket} socket @param {Omit<import('./admission/connection-guard.js').StreamPacing, 'cut'>} pace */
  constructor(socket, pace) {
    super({ readableHighWaterMark: PIECE_BYTES })
    this.#socket = socket
    this.#pace = pace
    socket.on('readable', this.#deliver)
    socket.once('end', () => this.push(null))
    socket.once('close', () => this.destroy())
    socket.on('error', error => this.destroy(error))
    socket.on('timeout', () => this.emit('timeout'))
  }

  _read() {
    this.#wanted = true
    this.#deliver()
  }

  /** @param {Uint8Array} bytes @param {BufferEncoding} _encoding @param {(error?: Error | null) => void} done */
  _write(bytes, _encoding, done) {
    this.#socket.write(bytes, done)
  }

  /** @param {() => void} done */
  _final(done) {
    this.#socket.end(done)
  }

  /** @param {Error | null} error @param {(error?: Error | null) => void} done */
  _destroy(error, done) {
    this.#socket.destroy()
    done(error)
  }

  /** A method of sockets that node:http calls after the last answer. It does not wait for the other side to end. */
  destroySoon() {
    this.end(() => this.destroy())
  }

  /** A method of sockets that node:http calls between two requests. @param {number} ms */
  setTimeout(ms) {
    this.#socket.setTimeout(ms)
    return this
  }

  #deliver = async () => {
    if (this.#delivering) return
    this.#delivering = true
    try {
      while (this.#wanted && this.#socket.readableLength > 0) {
        const turn = this.#pace.turn(NOTHING)
        if (turn !== undefined) await turn
        this.#pace.began()
        const piece = this.#socket.read(Math.min(PIECE_BYTES, this.#socket.readableLength))
        if (piece !== null) this.#wanted = this.push(piece)
        this.#pace.done(this.#socket.readableLength === 0)
        await new Promise(resolve => callAfterPromises(() => resolve(undefined)))
      }
    } catch (error) {
      this.destroy(/** @type {Error} */ (error))
    }
    this.#delivering = false
  }
}
