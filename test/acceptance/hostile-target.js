import '../../src/kit/runtime.js'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import {
  decodeMessage,
  encodeDiscoverResponse,
  encodeFrame,
  encodeRegisterBody,
  encodeRegisterResponse,
  FrameDecoder
} from '../../src/protocol/rendezvous.js'

/**
 * @typedef {import('../../src/protocol/rendezvous.js').Message} Message
 * @typedef {import('../../src/protocol/rendezvous.js').Register} Register
 * @typedef {import('@libp2p/interface').Stream} Stream
 *
 * @typedef {object} Asked
 * @property {Message} message - the request
 * @property {string} peer - who asks
 * @property {Stream} stream - to write raw bytes to
 * @property {() => Uint8Array | null} honestly - the reply, encoded without its length prefix, of a server that keeps the protocol;
 *   null: there is none
 *
 * @typedef {(asked: Asked) => void} Behaviour
 */

/** reply sends one message, framed. @param {Stream} stream @param {Uint8Array | null} message */
export const reply = (stream, message) => {
  if (message !== null) stream.send(encodeFrame(message))
}

/** @type {Behaviour} */
export const honest = ({ stream, honestly }) => reply(stream, honestly())

/** A rendezvous server in a few lines: what is registered, in the order it came. */
class Registrations {
  /** @type {Map<string, Map<string, Register>>} by namespace and peer */
  #spaces = new Map()

  /** @param {string} peer @param {Message} message @returns {Uint8Array | null} */
  answer(peer, { register, unregister, discover }) {
    if (register !== undefined) {
      const { ns = '', ttl = 7200 } = register
      this.in(ns).set(peer, { ...register, ttl })
      return encodeRegisterResponse({ status: 0, ttl })
    }
    if (unregister !== undefined) this.in(unregister.ns ?? '').delete(peer)
    if (discover === undefined) return null
    const from = discover.cookie === undefined ? 0 : Number(Buffer.from(discover.cookie).toString())
    const found = [...this.in(discover.ns ?? '').values()].slice(
      from,
      from + Math.min(discover.limit ?? 100, 100)
    )
    return encodeDiscoverResponse({
      status: 0,
      bodies: found.map(encodeRegisterBody),
      cookie: Buffer.from(String(from + found.length))
    })
  }

  /** How many there are. */
  get size() {
    return [...this.#spaces.values()].reduce((sum, space) => sum + space.size, 0)
  }

  /** @param {string} ns */
  in(ns) {
    const space = this.#spaces.get(ns) ?? new Map()
    this.#spaces.set(ns, space)
    return space
  }
}

/**
 * startHostileTarget starts a rendezvous server in this process that answers each request as it is told.
 *
 * @param {Behaviour} behave
 */
export async function startHostileTarget(behave) {
  const registrations = new Registrations()
  /** @type {Message[]} */
  const requests = []
  const node = await createLibp2p({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionManager: { inboundConnectionThreshold: 10_000, maxConnections: 10_000 }
  })
  await node.handle(
    '/rendezvous/1.0.0',
    (stream, connection) => {
      const decoder = new FrameDecoder()
      const peer = connection.remotePeer.toString()
      stream.addEventListener('message', ({ data }) => {
        for (const frame of decoder.push(data)) {
          const message = decodeMessage(frame)
          requests.push(message)
          behave({ message, peer, stream, honestly: () => registrations.answer(peer, message) })
        }
      })
      stream.addEventListener('remoteCloseWrite', () => void stream.close().catch(() => {}))
    },
    { maxInboundStreams: 10_000 }
  )
  return {
    multiaddr: `${node.getMultiaddrs()[0]}`,
    requests,
    registrations,
    stop: () => node.stop()
  }
}
