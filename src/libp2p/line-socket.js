// Sockets of Node behind a line, which emulates latency and bandwidth.
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import { DelayedLine } from './line.js'

/**
 * @typedef {import('./line.js').LineSpec} LineSpec
 * @typedef {import('node:net').Socket} Socket
 */

/**
 * delaySocket puts a line behind a socket: what is written to what it gives, its end and its reset reach the socket itself when they
 * have gone over the line. It is for whoever takes a stream for a socket: node:http, https, http2 and tls do. Nobody else may read or
 * write the socket, and nothing may have been read.
 *
 * TCP below sees a short way: there is no slow start, no window of TCP, no round trip for its handshake. A socket that is destroyed
 * is gone at once for this end; for the other one when the line's latency is over.
 *
 * @param {Socket} socket
 * @param {LineSpec | null} line - null: none, and the socket itself is given
 * @returns {Socket} has of it what servers and clients of Node use
 */
export function delaySocket(socket, line) {
  if (line === null) return socket
  return /** @type {Socket} */ (/** @type {unknown} */ (new DelayedSocket(socket, line)))
}

/**
 * dialDelayed dials, and gives the socket with its line. With an agent of node:http:
 *
 *     agent.createConnection = (options, done) => dialDelayed(options, line, done)
 *
 * @param {any} options - of `net.connect` with a host and a port; what else there is, such as the path of a request, is left alone
 * @param {LineSpec | null} line
 * @param {(error: Error | null, socket?: any) => void} done - once; the error is that of the dial
 */
export function dialDelayed({ path: _, ...options }, line, done) {
  const socket = connect({ ...options, allowHalfOpen: options.allowHalfOpen ?? false })
  const failed = (/** @type {Error} */ error) => done(error)
  socket.once('error', failed)
  socket.once('connect', () => {
    socket.removeListener('error', failed)
    done(null, delaySocket(socket, line))
  })
}

/**
 * delayServer puts the line behind every socket that a server accepts: of net, http, https, http2 or tls. It is called once the server
 * has its listeners of connections.
 *
 * @template {import('node:net').Server} T
 * @param {T} server
 * @param {LineSpec | null} line
 * @returns {T} the server
 */
export function delayServer(server, line) {
  if (line === null) return server
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', socket => {
    const lined = delaySocket(socket, line)
    for (const listener of listeners) listener.call(server, lined)
  })
  return server
}

/** DelayedSocket is a socket as its user sees it; the line is between it and the real one. */
class DelayedSocket extends Duplex {
  #socket
  #sent
  /** @type {DelayedLine | null} */
  #received
  /** @type {(() => void) | null} a write waits for room */
  #written = null
  #isReset = false

  /** @param {Socket} socket @param {LineSpec} line */
  constructor(socket, line) {
    super({ allowHalfOpen: socket.allowHalfOpen })
    this.#socket = socket
    // the end of reading must not end writing before the line has brought what it holds
    socket.allowHalfOpen = true
    const onDrain = () => {
      const written = this.#written
      this.#written = null
      written?.()
    }
    this.#sent = new DelayedLine(line, { deliver: chunk => this.#write(chunk), onDrain })
    this.#received = line.both
      ? new DelayedLine(line, { deliver: chunk => this.push(chunk), onDrain: () => void socket.resume() })
      : null
    socket.on('data', chunk => {
      if (this.destroyed) return
      const takesMore = this.#received === null ? this.push(chunk) : this.#received.send(chunk)
      if (!takesMore) socket.pause()
    })
    socket.on('drain', () => this.#sent.resume())
    socket.on('timeout', () => this.emit('timeout'))
    socket.on('end', () => this.#arriving(() => this.push(null)))
    socket.on('error', error => this.#arriving(() => this.destroy(error)))
    socket.on('close', () => this.#arriving(() => this.destroy()))
  }

  get remoteAddress() {
    return this.#socket.remoteAddress
  }

  get remoteFamily() {
    return this.#socket.remoteFamily
  }

  get remotePort() {
    return this.#socket.remotePort
  }

  get localAddress() {
    return this.#socket.localAddress
  }

  get localPort() {
    return this.#socket.localPort
  }

  /** bytesWritten is what has gone over the line. */
  get bytesWritten() {
    return this.#socket.bytesWritten
  }

  get bytesRead() {
    return this.#socket.bytesRead
  }

  get timeout() {
    return this.#socket.timeout
  }

  address() {
    return this.#socket.address()
  }

  /** @param {number} ms @param {() => void} [onTimeout] */
  setTimeout(ms, onTimeout) {
    this.#socket.setTimeout(ms)
    if (onTimeout !== undefined) this.once('timeout', onTimeout)
    return this
  }

  /** @param {Parameters<Socket['setKeepAlive']>} args */
  setKeepAlive(...args) {
    this.#socket.setKeepAlive(...args)
    return this
  }

  /** @param {boolean} [noDelay] */
  setNoDelay(noDelay) {
    this.#socket.setNoDelay(noDelay)
    return this
  }

  ref() {
    this.#socket.ref()
    return this
  }

  unref() {
    this.#socket.unref()
    return this
  }

  /** destroySoon ends writing, and destroys the socket when what was written has gone. */
  destroySoon() {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  /** resetAndDestroy resets the connection, instead of ending it. */
  resetAndDestroy() {
    this.#isReset = true
    return this.destroy()
  }

  /** @param {Buffer} chunk @param {BufferEncoding} _encoding @param {() => void} written */
  _write(chunk, _encoding, written) {
    if (this.#sent.send(chunk)) written()
    else this.#written = written
  }

  /** @param {() => void} ended */
  _final(ended) {
    this.#sent.mark(() => this.#socket.end(() => ended()))
  }

  _read() {
    if (this.#received === null) this.#socket.resume()
    else this.#received.resume()
  }

  /** @param {Error | null} error @param {(error: Error | null) => void} destroyed */
  _destroy(error, destroyed) {
    this.#received?.stop()
    this.#socket.resume()
    if (this.writableFinished || this.#socket.destroyed) this.#end()
    else this.#sent.abandon(() => this.#end())
    destroyed(error)
  }

  #end() {
    this.#sent.stop()
    if (this.#isReset && !this.#socket.writableEnded) this.#socket.resetAndDestroy()
    else this.#socket.destroy()
  }

  /** What the line brings in one go is written in one go. @param {Uint8Array} chunk */
  #write(chunk) {
    const socket = this.#socket
    // the other end has closed: what comes now gets lost on the way
    if (!socket.writable) return true
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return socket.write(chunk)
  }

  /** What happens to the socket, behind what it has received. @param {() => void} happen */
  #arriving(happen) {
    const happens = () => {
      if (!this.destroyed) happen()
    }
    if (this.#received === null) happens()
    else this.#received.mark(happens)
  }
}
