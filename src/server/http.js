// An HTTP server that bounds what each client may take of it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { Uint8ArrayList } from 'uint8arraylist'
import { hostInUrl, plainAddress } from '../kit/host-address.js'
import { AddressSlots, groupOf, networkOf } from './admission/address-groups.js'
import { afterPromises, pacedTurns, Turns, UNTIMED } from './admission/fair-share.js'

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 *
 * @typedef {object} Answer
 * @property {number} [status] - default 200
 * @property {string} [type] - content type
 * @property {string} body - what a stream begins with, where there is one
 * @property {Readonly<Record<string, string>>} [headers] - further ones
 * @property {(response: import('node:http').ServerResponse) => void} [stream] - takes the answer on, and ends it
 *
 * @typedef {(request: IncomingMessage) => Promise<Answer> | Answer} Handler
 *
 * @typedef {object} HttpBounds
 * @property {number} [headersTimeoutMs] - until the headers of a request are there
 * @property {number} [requestTimeoutMs] - until its body is there too
 * @property {number} [maxConnections] - more are closed at once, but for one of an address that has fewer than another: that gives one up
 * @property {import('./admission/connection-guard.js').Guard['shareOf']} [shareOf] - what an address has of the event loop; default: nobody is limited
 */

const MAX_HEADER_BYTES = 8192

/** Who may ask for what begins so. @type {readonly { under: string, admits: typeof isFromTool, refusal: string }[]} */
const DOORS = [
  {
    // what is under it can add registrations
    under: '/control/',
    admits: isFromTool,
    refusal: '/control/ is not for web pages: ask by address, without Origin'
  },
  {
    under: '/live/',
    admits: isFromOwnPage,
    refusal: '/live/ is not for pages of others: ask by address'
  }
]

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
 * startHttp serves routes. Those under /control/ are refused to pages of browsers, those under /live/ to pages of others.
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
    const answer = await answerTo(request, served, host)
    const { status = 200, type = 'text/plain; charset=utf-8', body, headers, stream } = answer
    // the rest of a request that was refused is not read
    const more = status === 200 ? headers : { connection: 'close' }
    response.writeHead(status, { 'content-type': type, ...more })
    if (stream === undefined) return void response.end(body)
    response.write(body)
    stream(response)
  })
  const door = new HttpGuard(maxConnections, shareOf)
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
    url: `http://${hostInUrl(host)}:${actual}`,
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
    const door = DOORS.find(({ under }) => path.startsWith(under))
    if (door !== undefined && !door.admits(request, name, host)) return refusal(403, door.refusal)
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
 * isByAddress says whether a server is asked by an address, or by a name that nobody else can make point here (DNS rebinding).
 *
 * @param {string} name - of the host that is asked, with or without port
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
 * isFromTool says whether a request comes from a program rather than from a page in a browser. Pages cannot leave out or choose
 * these headers: a page elsewhere sends its Origin or Sec-Fetch-Site, and one whose name was made to point here sends that name as
 * Host.
 *
 * @param {Pick<IncomingMessage, 'headers'>} request
 * @param {string} name - of the host that is asked, with or without port
 * @param {string} listensOn - name or address that the server listens on
 */
function isFromTool({ headers }, name, listensOn) {
  const { origin, 'sec-fetch-site': site = 'none' } = headers
  return isByAddress(name, listensOn) && origin === undefined && site === 'none'
}

/**
 * isFromOwnPage says whether a request comes from a program, from who typed its address, or from a page that was served here.
 *
 * @type {typeof isFromTool}
 */
function isFromOwnPage({ headers }, name, listensOn) {
  const { origin = `http://${name}`, 'sec-fetch-site': site = 'none' } = headers
  return isByAddress(name, listensOn) && origin === `http://${name}` && ['none', 'same-origin'].includes(site)
}

const STALL_TIMEOUT_MS = 10_000

/**
 * HttpGuard bounds what comes to a port of HTTP before it is a request: connections, and what is sent over them without end.
 */
class HttpGuard {
  #turns = new Turns()
  /** @type {AddressSlots<import('node:net').Socket>} */
  #room
  #shareOf

  /**
   * @param {number} maxConnections
   * @param {import('./admission/connection-guard.js').Guard['shareOf']} [shareOf] - what an address has of the event loop; default: nobody is limited
   */
  constructor(maxConnections, shareOf = () => UNTIMED) {
    this.#room = new AddressSlots({ each: maxConnections, all: maxConnections }, socket => socket.destroy())
    this.#shareOf = shareOf
  }

  /**
   * enter is asked for each connection.
   *
   * @param {import('node:net').Socket} socket
   * @returns {import('node:stream').Duplex | undefined} to be used instead; undefined: it is refused
   */
  enter(socket) {
    const host = plainAddress(socket.remoteAddress ?? '')
    const address = networkOf(host)
    if (!this.#room.add(address, socket)) {
      socket.destroy()
      return
    }
    socket.once('close', () => this.#room.remove(address, socket))
    const share = this.#shareOf(host, { addEventListener: (type, listener) => socket.once(type, listener) })
    if (share === UNTIMED) return socket
    const caller = { group: groupOf(address), address, peer: String(socket.remotePort) }
    const pace = pacedTurns({
      take: () => this.#turns.take(caller),
      give: () => this.#turns.done(),
      share,
      atOnce: () => false,
      stallTimeoutMs: STALL_TIMEOUT_MS
    })
    return new PacedSocket(socket, pace)
  }
}

// some thirty requests of HTTP, as short as there are
const PIECE_BYTES = 1024
const NOTHING = new Uint8ArrayList()

/**
 * PacedSocket hands what arrives on in pieces, each when it is its turn. Meanwhile no more is read.
 *
 *     http.emit('connection', new PacedSocket(socket, pace))
 */
export class PacedSocket extends Duplex {
  #socket
  #pace
  #wanted = false
  #working = false

  /** @param {import('node:net').Socket} socket @param {Omit<import('./admission/connection-guard.js').Pace, 'cut'>} pace */
  constructor(socket, pace) {
    super({ readableHighWaterMark: PIECE_BYTES })
    this.#socket = socket
    this.#pace = pace
    socket.on('readable', this.#handOn)
    socket.once('end', () => this.push(null))
    socket.once('close', () => this.destroy())
    socket.on('error', error => this.destroy(error))
    socket.on('timeout', () => this.emit('timeout'))
  }

  _read() {
    this.#wanted = true
    this.#handOn()
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

  /** Of sockets, asked for behind the last answer: whether the other side ends it too is not waited for. */
  destroySoon() {
    this.end(() => this.destroy())
  }

  /** Of sockets, asked for between two requests. @param {number} ms */
  setTimeout(ms) {
    this.#socket.setTimeout(ms)
    return this
  }

  #handOn = async () => {
    if (this.#working) return
    this.#working = true
    try {
      while (this.#wanted && this.#socket.readableLength > 0) {
        const wait = this.#pace.turn(NOTHING)
        if (wait !== undefined) await wait
        this.#handOnPiece()
        await new Promise(resolve => afterPromises(() => resolve(undefined)))
      }
    } catch (error) {
      this.destroy(/** @type {Error} */ (error))
    }
    this.#working = false
  }

  #handOnPiece() {
    this.#pace.began()
    const piece = this.#socket.read(Math.min(PIECE_BYTES, this.#socket.readableLength))
    if (piece !== null) this.#wanted = this.push(piece)
    this.#pace.done(this.#socket.readableLength === 0)
  }
}
