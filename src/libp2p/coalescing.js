import { serviceCapabilities } from '@libp2p/interface'
import { DirectHandlers } from './direct-handlers.js'
import { ForwardingStream } from './forwarding-stream.js'
import { HeldUpdates } from './held-updates.js'
import { QuickNegotiation } from './quick-negotiation.js'
import { ToldStream } from './told-stream.js'
import { GO_AWAY, TYPE_AT } from './yamux-header.js'

/**
 * @typedef {import('@libp2p/interface').ConnectionEncrypter} ConnectionEncrypter
 * @typedef {import('@libp2p/interface').MessageStream} MessageStream
 * @typedef {import('@libp2p/interface').StreamMuxerFactory} StreamMuxerFactory
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {import('./types.js').Guard} Guard
 * @typedef {import('./types.js').Wire} Wire
 */

// a Noise message holds 65,519 bytes
const FULL_BYTES = 65_519

/**
 * coalescingMuxer makes a Yamux that sends what it produces in one turn as one message: a window update and the reply
 * that follows it are then encrypted once and written once, instead of twice. Frames and their order stay the same but for updates of
 * windows (HeldUpdates), and nothing else waits longer than for the promises of the present turn. Its streams agree on their protocol
 * without libp2p where that goes the usual way (QuickNegotiation), and go to who handles it (DirectHandlers). It serves servers and clients
 * alike, of nodes whose peer store keeps nothing.
 *
 *     streamMuxers: [coalescingMuxer(yamux())]
 *
 * @template {import('./direct-handlers.js').Components} C
 * @param {(components: C) => StreamMuxerFactory} muxer
 * @param {Guard} [guard]
 * @returns {(components: C) => StreamMuxerFactory}
 */
export const coalescingMuxer = (muxer, guard) => components => {
  const factory = muxer(components)
  const handlers = new DirectHandlers(components)
  return {
    ...described(factory),
    protocol: factory.protocol,
    createStreamMuxer(connection) {
      const guarded = guard?.muxed(connection, () => made) ?? connection
      const made = factory.createStreamMuxer(new CoalescingStream(guarded))
      return new QuickNegotiation(
        made,
        () => components.registrar.getProtocols(),
        (stream, streams) => handlers.hand(stream, streams)
      )
    }
  }
}

/**
 * coalescingEncrypter makes a Noise that writes each message in one piece. By itself it passes length and ciphertext on
 * as a list, and the TCP transport calls the system for each of its parts. It serves servers and clients alike.
 *
 *     connectionEncrypters: [coalescingEncrypter(noise())]
 *
 * @template C
 * @param {(components: C) => ConnectionEncrypter} encrypter
 * @param {{ guard?: Guard, wire?: Wire }} [told]
 * @returns {(components: C) => ConnectionEncrypter}
 */
export const coalescingEncrypter =
  (encrypter, { guard, wire } = {}) =>
  components => {
    const inner = encrypter(components)
    return {
      ...described(inner),
      protocol: inner.protocol,
      async secureInbound(connection, options) {
        const secured = await inner.secureInbound(new OnePieceStream(connection), options)
        guard?.secured(connection, secured)
        return secured
      },
      secureOutbound: (connection, options) =>
        inner.secureOutbound(new OnePieceStream(connection, wire), options)
    }
  }

/** What libp2p asks of a component besides its work. @param {any} component */
const described = component => ({
  [Symbol.toStringTag]: component[Symbol.toStringTag],
  [serviceCapabilities]: component[serviceCapabilities] ?? []
})

/** OnePieceStream hands lists of chunks on as one chunk. */
class OnePieceStream extends ToldStream {
  /** @param {Uint8Array | Uint8ArrayList} data */
  send(data) {
    return super.send(data.subarray())
  }
}

/** CoalescingStream gathers what is sent in one turn. */
export class CoalescingStream extends ForwardingStream {
  /** @type {Uint8Array[]} */
  #gathered = []
  #gatheredBytes = 0
  #scheduled = false
  #updates = new HeldUpdates()

  /** @param {Uint8Array | Uint8ArrayList} frame */
  send(frame) {
    const data = this.#updates.pass(frame)
    if (data === undefined) return !this.stream.writableNeedsDrain
    const chunks = data instanceof Uint8Array ? [data] : data
    for (const chunk of chunks) this.#gathered.push(chunk)
    this.#gatheredBytes += data.byteLength
    // after GoAway the connection is closed without asking here
    if (this.#gatheredBytes >= FULL_BYTES || typeOf(data) === GO_AWAY) return this.#flush()
    if (!this.#scheduled) this.#schedule()
    return !this.stream.writableNeedsDrain
  }

  /** @param {import('@libp2p/interface').AbortOptions} [options] */
  close(options) {
    this.#flush()
    return super.close(options)
  }

  /** Ticks run before microtasks; one queued from a microtask runs when all the promises of this turn have settled. */
  #schedule() {
    this.#scheduled = true
    queueMicrotask(() => process.nextTick(this.#flushLater))
  }

  #flushLater = () => {
    this.#scheduled = false
    this.#flush()
  }

  #flush() {
    if (this.#gathered.length === 0) return !this.stream.writableNeedsDrain
    const data = Buffer.concat(this.#gathered, this.#gatheredBytes)
    this.#gathered = []
    this.#gatheredBytes = 0
    try {
      return this.stream.send(data)
    } catch (error) {
      // the connection is closed: the muxer is told by its event
      this.log.trace('dropping %d bytes - %e', data.byteLength, error)
      return false
    }
  }
}

/** @param {Uint8Array | Uint8ArrayList} data */
const typeOf = data => (data instanceof Uint8Array ? data[TYPE_AT] : data.get(TYPE_AT))
