import { ForwardingStream } from './forwarding-stream.js'

/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {import('./types.js').Wire} Wire
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
