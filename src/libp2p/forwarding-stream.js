// A stream that passes everything on to another one, for others to change a part of it.
/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 */

/**
 * ForwardingStream is a message stream that hands everything on to another one. Listeners are added to that other stream
 * itself, so that reading costs nothing more. Extend it to change how data are sent.
 *
 * @implements {MessageStream}
 */
export class ForwardingStream {
  /** @param {MessageStream} stream */
  constructor(stream) {
    this.stream = stream
  }

  get status() {
    return this.stream.status
  }

  get timeline() {
    return this.stream.timeline
  }

  get log() {
    return this.stream.log
  }

  set log(log) {
    this.stream.log = log
  }

  get direction() {
    return this.stream.direction
  }

  get maxReadBufferLength() {
    return this.stream.maxReadBufferLength
  }

  get maxWriteBufferLength() {
    return this.stream.maxWriteBufferLength
  }

  get inactivityTimeout() {
    return this.stream.inactivityTimeout
  }

  get writableNeedsDrain() {
    return this.stream.writableNeedsDrain
  }

  get readableEnded() {
    return this.stream.readableEnded
  }

  get readBufferLength() {
    return this.stream.readBufferLength
  }

  get writeBufferLength() {
    return this.stream.writeBufferLength
  }

  /** @param {Uint8Array | Uint8ArrayList} data */
  send(data) {
    return this.stream.send(data)
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  close(options) {
    return this.stream.close(options)
  }

  /** @param {Error} error */
  abort(error) {
    this.stream.abort(error)
  }

  pause() {
    this.stream.pause()
  }

  resume() {
    this.stream.resume()
  }

  /** @param {Uint8Array | Uint8ArrayList} data */
  push(data) {
    this.stream.push(data)
  }

  /** @param {Uint8Array | Uint8ArrayList} data */
  unshift(data) {
    this.stream.unshift(data)
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  onDrain(options) {
    return this.stream.onDrain(options)
  }

  [Symbol.asyncIterator]() {
    return this.stream[Symbol.asyncIterator]()
  }

  /** @param {Parameters<MessageStream['addEventListener']>} args */
  addEventListener(...args) {
    this.stream.addEventListener(...args)
  }

  /** @param {Parameters<MessageStream['removeEventListener']>} args */
  removeEventListener(...args) {
    this.stream.removeEventListener(...args)
  }

  /** @param {string} type */
  listenerCount(type) {
    return this.stream.listenerCount(type)
  }

  /** @param {Event} event */
  dispatchEvent(event) {
    return this.stream.dispatchEvent(event)
  }

  /** @param {Parameters<MessageStream['safeDispatchEvent']>} args */
  safeDispatchEvent(...args) {
    return this.stream.safeDispatchEvent(...args)
  }
}

/**
 * @typedef {import('./layers/node-parts.js').Wire} Wire
 */

/** ToldStream is a stream that tells when bytes have come, before whoever reads them has them, and when bytes were sent. */
export class ToldStream extends ForwardingStream {
  #wire
  /** what listens in the place of a reader @type {WeakMap<object, (event: any) => void>} */
  #told = new WeakMap()

  /** @param {MessageStream} stream @param {Wire} [wire] - default: nobody is told */
  constructor(stream, wire) {
    super(stream)
    this.#wire = wire
  }

  /** @param {Uint8Array | Uint8ArrayList} data */
  send(data) {
    if (this.#wire === undefined) return super.send(data)
    const beganNs = process.hrtime.bigint()
    const takesMore = super.send(data)
    this.#wire.wrote(Number(process.hrtime.bigint() - beganNs))
    return takesMore
  }

  /** @param {Parameters<MessageStream['addEventListener']>} args */
  addEventListener(...[type, listener, options]) {
    super.addEventListener(type, type === 'message' ? this.#reading(listener) : listener, options)
  }

  /** @param {Parameters<MessageStream['removeEventListener']>} args */
  removeEventListener(...[type, listener, options]) {
    super.removeEventListener(type, type === 'message' ? this.#reading(listener) : listener, options)
  }

  /** @param {any} listener @returns {any} the same one for the same listener */
  #reading(listener) {
    const wire = this.#wire
    if (wire === undefined || typeof listener !== 'function') return listener
    const told =
      this.#told.get(listener) ??
      (event => {
        wire.read()
        listener(event)
      })
    this.#told.set(listener, told)
    return told
  }
}

/** ToldConnection is the same of a connection. */
export class ToldConnection extends ToldStream {
  /** @param {import('@libp2p/interface').MultiaddrConnection} connection @param {Wire} wire */
  constructor(connection, wire) {
    super(connection, wire)
    this.remoteAddr = connection.remoteAddr
  }
}
