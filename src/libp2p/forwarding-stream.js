// Base classes of stream wrappers, which pass everything on to another stream. Two of them report when bytes are sent or
// received.
/**
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 */

/**
 * makeForwardingClass makes a class whose objects pass some members on to another object.
 *
 * @param {string} field - in which the other object is kept
 * @param {readonly string[]} values - members that are values
 * @param {readonly string[]} methods
 * @returns {any} a class that is constructed with the other object
 */
export function makeForwardingClass(field, values, methods) {
  class Forwarding {
    /** @param {object} inner */
    constructor(inner) {
      Object.defineProperty(this, field, { value: inner, writable: true, enumerable: true })
    }
  }
  const { prototype } = Forwarding
  for (const name of values)
    Object.defineProperty(prototype, name, {
      /** @this {any} */
      get() {
        return this[field][name]
      },
      /** @this {any} @param {unknown} value */
      set(value) {
        this[field][name] = value
      }
    })
  for (const name of methods)
    Object.defineProperty(prototype, name, {
      /** @this {any} @param {unknown[]} args */
      value(...args) {
        return this[field][name](...args)
      },
      writable: true
    })
  return Forwarding
}

/** @type {new (stream: MessageStream) => MessageStream & { stream: MessageStream }} */
const Forwarding = makeForwardingClass(
  'stream',
  [
    ...['status', 'timeline', 'log', 'direction', 'maxReadBufferLength', 'maxWriteBufferLength'],
    ...['inactivityTimeout', 'writableNeedsDrain', 'readableEnded', 'readBufferLength', 'writeBufferLength']
  ],
  [
    ...['close', 'abort', 'pause', 'resume', 'push', 'unshift', 'onDrain'],
    ...['addEventListener', 'removeEventListener', 'listenerCount', 'dispatchEvent', 'safeDispatchEvent']
  ]
)

/**
 * ForwardingStream is a message stream that passes everything on to another one. Listeners are added to that other stream
 * itself, so that reading costs nothing more. Extend it to change how data are sent.
 *
 * @implements {MessageStream}
 */
export class ForwardingStream extends Forwarding {
  /** @param {Uint8Array | Uint8ArrayList} data */
  send(data) {
    return this.stream.send(data)
  }

  [Symbol.asyncIterator]() {
    return this.stream[Symbol.asyncIterator]()
  }
}

/**
 * @typedef {import('./layers/node-parts.js').WireListener} WireListener
 */

/** ReportingStream is a stream that tells when bytes have come, before whoever reads them has them, and when bytes were sent. */
export class ReportingStream extends ForwardingStream {
  #wire
  /** what listens in the place of a reader @type {WeakMap<object, (event: any) => void>} */
  #reportingListeners = new WeakMap()

  /** @param {MessageStream} stream @param {WireListener} [wire] - default: nobody is told */
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
    const reporting =
      this.#reportingListeners.get(listener) ??
      (event => {
        wire.read()
        listener(event)
      })
    this.#reportingListeners.set(listener, reporting)
    return reporting
  }
}

/** ReportingConnection is the same of a connection. */
export class ReportingConnection extends ReportingStream {
  /** @param {import('@libp2p/interface').MultiaddrConnection} connection @param {WireListener} wire */
  constructor(connection, wire) {
    super(connection, wire)
    this.remoteAddr = connection.remoteAddr
  }
}
