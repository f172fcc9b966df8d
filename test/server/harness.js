import '../../src/kit/runtime.js'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { streamPair } from '@libp2p/utils'
import { multiaddr } from '@multiformats/multiaddr'
import { decodeMessage, encodeFrame, FrameDecoder } from '../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../src/protocol/signed-record.js'
import { rendezvousServer } from '../../src/server/rendezvous-server.js'
import { FakeStream } from './fake-stream.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('../../src/protocol/rendezvous.js').Message} Message
 *
 * @typedef {{ id: import('@libp2p/interface').PeerId, address?: string }} Peer - `address`: multiaddr it comes from
 */

const ADDRESS = Uint8Array.of(4, 127, 0, 0, 1, 6, 0x0f, 0xa1)
const REPLY_TIMEOUT_MS = 60_000

/** makePeer is somebody with a key and a signed record of it. */
export async function makePeer() {
  const privateKey = await generateKeyPair('Ed25519')
  const id = peerIdFromPrivateKey(privateKey)
  const record = await sealPeerRecord({ privateKey, addresses: [ADDRESS], seq: 1 })
  return { privateKey, id, record }
}

/**
 * startService starts the service alone, without a node. An address may ask as fast as it likes, unless told otherwise.
 *
 * @param {import('../../src/server/rendezvous-server.js').RendezvousServerInit} [init]
 */
export async function startService(init = {}) {
  const clock = { now: 0 }
  /** @type {any} */
  let handler
  /** @type {{ operations: Array<[string, number]>, refused: Error[], failures: unknown[] }} */
  const seen = { operations: [], refused: [], failures: [] }
  const registrar = {
    handle: async (/** @type {unknown} */ _, /** @type {unknown} */ serve) => {
      handler = serve
    },
    unhandle: async () => {}
  }
  const service = rendezvousServer({
    now: () => clock.now,
    onOperation: (operation, status) => seen.operations.push([operation, status]),
    onRefused: error => seen.refused.push(error),
    onFailure: error => seen.failures.push(error),
    maxAddressRequestsPerSecond: Infinity,
    maxAddressReplyBytesPerSecond: Infinity,
    maxGroupRequestBytesPerSecond: Infinity,
    maxGroupLoopMsPerSecond: Infinity,
    ...init
  })(/** @type {any} */ ({ registrar }))
  await service.start()
  return {
    service,
    clock,
    seen,
    /** @param {Peer} peer @param {object} [options] */
    async open(peer, options) {
      const [mine, theirs] = await streamPair({ delay: 0, ...options })
      handler(theirs, connectionOf(peer))
      return new Client(mine, theirs)
    },
    /** openFake is a stream whose client is played by the test. @param {Peer} peer */
    openFake(peer) {
      const stream = new FakeStream()
      handler(stream, connectionOf(peer))
      return stream
    }
  }
}

/** @type {WeakMap<object, object>} */
const connections = new WeakMap()

/** Streams of one peer share a connection. @param {Peer} peer */
function connectionOf(peer) {
  const connection =
    connections.get(peer) ??
    Object.assign(new EventTarget(), {
      remotePeer: peer.id,
      remoteAddr: multiaddr(peer.address ?? '/ip4/127.0.0.1/tcp/1'),
      abort: () => {}
    })
  connections.set(peer, connection)
  return connection
}

/** Client speaks raw frames on a stream. */
export class Client {
  /** @type {Message[]} */
  #replies = []
  /** @type {Array<() => void>} */
  #waiting = []
  ended = false

  /** @param {Stream} stream @param {Stream} [served] - the other end */
  constructor(stream, served) {
    this.stream = stream
    this.served = served
    this.bytes = 0
    const decoder = new FrameDecoder(1 << 24)
    const wake = () => {
      for (const resolve of this.#waiting.splice(0)) resolve()
    }
    stream.addEventListener('message', ({ data }) => {
      this.bytes += data.byteLength
      for (const frame of decoder.push(data)) this.#replies.push(decodeMessage(frame.slice()))
      wake()
    })
    for (const event of /** @type {const} */ (['close', 'end', 'remoteCloseWrite'])) {
      stream.addEventListener(event, () => {
        this.ended = true
        wake()
      })
    }
  }

  /** @param {...Uint8Array} messages */
  send(...messages) {
    this.stream.send(Buffer.concat(messages.map(encodeFrame)))
    return this
  }

  /** reply is the next reply, or undefined when the stream ends without one. */
  async reply() {
    const late = setTimeout(() => {
      this.stream.abort(new Error('no reply in time'))
    }, REPLY_TIMEOUT_MS)
    while (this.#replies.length === 0 && !this.ended) {
      await new Promise(resolve => this.#waiting.push(() => resolve(undefined)))
    }
    clearTimeout(late)
    return this.#replies.shift()
  }

  /** @param {Uint8Array} message */
  async ask(message) {
    return this.send(message).reply()
  }
}
