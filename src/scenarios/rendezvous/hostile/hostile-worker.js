// Implements each kind of hostile peer, such as unfinished handshakes, floods of Yamux frames or broken HTTP requests.
import '../../../kit/runtime.js'
import { once, setMaxListeners } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { makeSubStream } from '../../../kit/random.js'
import {
  DATA,
  FLAGS_AT,
  HEADER_BYTES,
  LENGTH_AT,
  PING,
  RST,
  STREAM_AT,
  SYN,
  TYPE_AT,
  WINDOW_UPDATE
} from '../../../libp2p/yamux.js'
import { encodeDiscover, encodeFrame, encodeRegister, PROTOCOL } from '../../../protocol/rendezvous.js'
import { sealPeerRecord } from '../../../protocol/signed-record.js'
import { LARGE_NAMESPACE, LARGE_RECORD_ADDRESSES, LOOPBACK_ADDRESS_BYTES } from './large-registrations.js'

/**
 * @typedef {(target: Target, times: number) => Promise<Act>} Prepare - connects peers of a kind; `times`: multiple of their usual rate
 */

const STREAMS_OF_SILENT = 250
const STREAMS_OF_SLOW = 100
const IDENTITIES = 20
const STREAMS_BEING_OPENED = 200
const SLOW_EVERY_MS = 1000

/** Sends tiny frames. @type {Prepare} */
async function requests(target, times) {
  const pieces = [Buffer.alloc(60_000), Buffer.concat(Array(20_000).fill(Uint8Array.of(2, 8, 3)))]
  const peer = await Peer.at(target, '127.0.9.1')
  return run => sendAtRate(peer, 2 * times, run, index => pieces[index % 2])
}

/** Asks for large replies, and reads none. @type {Prepare} */
async function unread(target, times) {
  const ask = encodeFrame(encodeDiscover(target.http === null ? {} : { ns: LARGE_NAMESPACE }))
  const peers = await connectPeers(target, 2 * times, 1)
  return ({ signal }) =>
    Promise.all(
      peers.map(peer =>
        holdStreams(peer, STREAMS_OF_SILENT, signal, {
          begin(stream) {
            stream.pause()
            stream.send(ask)
          }
        })
      )
    )
}

/** Sends requests byte by byte. @type {Prepare} */
async function slow(target, times) {
  const request = encodeFrame(new Uint8Array(1000))
  const peers = await connectPeers(target, 2 * times, 11)
  const byte = request.subarray(-1)
  return ({ signal }) =>
    Promise.all(
      peers.map(peer =>
        holdStreams(peer, STREAMS_OF_SLOW, signal, {
          begin: stream => stream.send(request.subarray(0, 3)),
          goOn: stream => stream.send(byte),
          everyMs: SLOW_EVERY_MS
        })
      )
    )
}

/** Opens streams, and resets them at once. @type {Prepare} */
async function streams(target, times) {
  const peer = await Peer.at(target, '127.0.10.1')
  const openOne = limitConcurrency(STREAMS_BEING_OPENED, async () => {
    const stream = await peer.stream()
    stream.abort(new Error('over'))
  })
  return run => repeatAtRate(200 * times, run, openOne)
}

/** Many peers at one address. @type {Prepare} */
async function identities(target, times) {
  const ask = encodeFrame(encodeDiscover({ limit: 20 }))
  const peers = await Promise.all(Array.from({ length: IDENTITIES }, () => Peer.apart(target, '127.0.7.1')))
  return run => Promise.all(peers.map(peer => sendAtRate(peer, 20 * times, run, () => ask)))
}

const TTL = 7200
const STORE_PEERS = 25
const STORE_NAMESPACES = 1000

/** Fills the store with valid, large registrations. @type {Prepare} */
async function store(target, times) {
  const addresses = [...LARGE_RECORD_ADDRESSES]
  const peers = await Promise.all(
    (await connectPeers(target, STORE_PEERS, 2)).map(async peer => {
      const { privateKey } = peer
      return { peer, signedPeerRecord: await sealPeerRecord({ privateKey, addresses, seq: 1 }) }
    })
  )
  return run =>
    Promise.all(
      peers.map(({ peer, signedPeerRecord }) =>
        sendAtRate(peer, 10 * times, run, index =>
          encodeFrame(encodeRegister({ ns: `store-${index % STORE_NAMESPACES}`, signedPeerRecord, ttl: TTL }))
        )
      )
    )
}

/** Replays the record of another peer, whose signature is expensive to verify. @type {Prepare} */
async function records(target, times) {
  const privateKey = await generateKeyPair('secp256k1')
  const signedPeerRecord = await sealPeerRecord({ privateKey, addresses: [LOOPBACK_ADDRESS_BYTES], seq: 1 })
  const replay = encodeFrame(encodeRegister({ ns: 'replayed', signedPeerRecord, ttl: TTL }))
  const peer = await Peer.at(target, '127.0.9.1')
  return run => sendAtRate(peer, 200 * times, run, () => replay)
}

/** Registers what must be refused, each for another reason. @type {Prepare} */
async function invalid(target, times) {
  const peer = await Peer.at(target, '127.0.6.1')
  const of = (/** @type {import('@libp2p/interface').PrivateKey} */ privateKey) =>
    sealPeerRecord({ privateKey, addresses: [LOOPBACK_ADDRESS_BYTES], seq: 1 })
  const own = await of(peer.privateKey)
  const forged = Uint8Array.from(own)
  // the signature is the end of an envelope
  forged[forged.length - 1] ^= 1
  const ns = 'invalid'
  const pieces = [
    { ns, signedPeerRecord: forged, ttl: TTL },
    { ns, signedPeerRecord: await of(await generateKeyPair('Ed25519')), ttl: TTL },
    { ns, signedPeerRecord: own, ttl: Number.MAX_SAFE_INTEGER },
    { ns, ttl: TTL }
  ].map(register => encodeFrame(encodeRegister(register)))
  return run => sendAtRate(peer, 400 * times, run, index => pieces[index % pieces.length])
}

const MAX_STREAMS = 300

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} Target - of hostile peers
 * @property {string} multiaddr
 * @property {string | null} http - URL of the second port of our own server; null: it is a server of others
 * @property {boolean} spreads - peers can connect from different addresses of 127.0.0.0/8
 * @property {number} seed - of random bytes they send
 * @property {Set<Peer>} peers - all peers with a node; each adds itself
 */

/** Peer is a plain libp2p node at an address of its own, which connects again after each disconnection. */
class Peer {
  #target
  #node
  /** @type {Connection | undefined} */
  #connection

  /** @param {Target} target @param {string} localAddress @param {import('@libp2p/interface').PrivateKey} privateKey */
  constructor({ multiaddr: address, spreads, peers }, localAddress, privateKey) {
    const dialOpts = /** @type {any} */ (spreads ? { localAddress } : {})
    this.#target = multiaddr(address)
    this.privateKey = privateKey
    peers.add(this)
    this.#node = createLibp2p({
      privateKey,
      transports: [tcp({ dialOpts })],
      connectionEncrypters: [noise()],
      // the smallest windows: larger ones would hold a whole unread reply
      streamMuxers: [
        yamux({ maxOutboundStreams: MAX_STREAMS, streamOptions: { maxStreamWindowSize: 262_144 } })
      ],
      connectionMonitor: { enabled: false }
    })
  }

  /** apart makes one that is not connected yet. @param {Target} target @param {string} localAddress */
  static apart = async (target, localAddress) =>
    new Peer(target, localAddress, await generateKeyPair('Ed25519'))

  /** at makes one, and connects it. @param {Target} target @param {string} localAddress */
  static async at(target, localAddress) {
    const peer = await Peer.apart(target, localAddress)
    await retryConnection(() => peer.#connect())
    return peer
  }

  /** stream opens a stream. @param {AbortSignal} [signal] @returns {Promise<Stream>} */
  async stream(signal) {
    const connection = await this.#connect()
    return connection.newStream(PROTOCOL, { maxOutboundStreams: MAX_STREAMS, signal })
  }

  /** further opens one more connection. @returns {Promise<Connection>} */
  async further() {
    return (await this.#node).dial(this.#target, { force: true })
  }

  /** stop ends the node with all its connections. */
  async stop() {
    await (await this.#node).stop()
  }

  async #connect() {
    if (this.#connection?.status !== 'open') this.#connection = await (await this.#node).dial(this.#target)
    return this.#connection
  }
}

/**
 * connectPeers connects peers whose addresses differ in the last number. If all share one address, they connect in turn: a server admits few
 * connections of an address at once.
 *
 * @param {Target} target
 * @param {number} count
 * @param {number} network - third number of their addresses
 */
export async function connectPeers(target, count, network) {
  const addresses = Array.from({ length: count }, (_, i) => `127.0.${network}.${i + 1}`)
  if (target.spreads) return Promise.all(addresses.map(address => Peer.at(target, address)))
  const peers = []
  for (const address of addresses) peers.push(await Peer.at(target, address))
  return peers
}

/** readHostAndPort reads the address that a target listens on. @param {string} address - multiaddr */
export function readHostAndPort(address) {
  const [, host, port] = /** @type {RegExpExecArray} */ (
    /^\/(?:ip4|ip6|dns|dns4|dns6)\/([^/]+)\/tcp\/(\d+)/.exec(address)
  )
  return { host, port: Number(port) }
}

/**
 * Opens a connection and sends some bytes; errors are ignored.
 *
 * @param {{ host: string, port: number }} where
 * @param {string} [localAddress]
 * @param {string | Uint8Array} [bytes]
 */
function connectRaw(where, localAddress, bytes) {
  const socket = net.connect({ ...where, localAddress }).on('error', () => {})
  socket.resume()
  if (bytes !== undefined)
    once(socket, 'connect').then(
      () => socket.write(bytes),
      () => {}
    )
  return socket
}

/** A server admits few connections a second of one address. */
const TRIES = 20
const TRY_AGAIN_AFTER_MS = 250

/**
 * retryConnection repeats an act that needs a connection until the server admits it, for a limited number of times.
 *
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function retryConnection(act) {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (tries === TRIES) throw error
      await sleep(TRY_AGAIN_AFTER_MS)
    }
  }
}

/**
 * dialAfterNoise connects to a server and completes the Noise handshake. The caller then writes the bytes of the muxer itself.
 *
 * @param {string} address
 * @param {string} [localAddress] - to connect from; default: the system chooses
 */
export async function dialAfterNoise(address, localAddress) {
  /** @type {any} */
  let inside
  const muxer = () => ({
    protocol: '/yamux/1.0.0',
    createStreamMuxer: (/** @type {any} */ stream) => {
      inside = stream
      return Object.assign(new EventTarget(), {
        ...{ protocol: '/yamux/1.0.0', status: 'open', streams: [] },
        ...{ close: async () => {}, abort: () => {} }
      })
    }
  })
  const node = await createLibp2p({
    transports: [tcp({ dialOpts: /** @type {any} */ ({ localAddress }) })],
    connectionEncrypters: [noise()],
    streamMuxers: [/** @type {any} */ (muxer)],
    connectionMonitor: { enabled: false }
  })
  await node.dial(multiaddr(address))
  return {
    /** the encrypted connection @type {import('@libp2p/interface').MessageStream} */
    stream: inside,
    stop: () => node.stop()
  }
}

/**
 * @typedef {object} Run - of hostile peers
 * @property {AbortSignal} signal - ends it
 * @property {{ due: number, skipped: number }} tally - actions that were due, and those skipped because this process was late
 *
 * @typedef {(run: Run) => Promise<unknown>} Act - acts until the run is aborted
 */

const AGAIN_AFTER_MS = 100

/**
 * repeatAtRate calls a function at a rate. Late calls are made at once, if no later than a tenth of a second; others are skipped.
 *
 * @param {number} perSecond
 * @param {Run} run
 * @param {(index: number) => unknown} act
 */
export async function repeatAtRate(perSecond, { signal, tally }, act) {
  const began = performance.now()
  for (let done = 0; !signal.aborted; await sleep(Math.min(10, 1000 / perSecond))) {
    const due = ((performance.now() - began) * perSecond) / 1000
    const skipped = Math.max(0, Math.floor(due - perSecond / 10) - done)
    tally.skipped += skipped
    tally.due += skipped
    for (done += skipped; done < due && !signal.aborted; done++, tally.due++) act(done)
  }
}

/**
 * Repeats an act with pauses, whether it succeeds or not.
 *
 * @param {AbortSignal} signal
 * @param {() => Promise<unknown>} act
 */
async function repeatUntilAborted(signal, act) {
  while (!signal.aborted) {
    await act().catch(() => {})
    await sleep(AGAIN_AFTER_MS)
  }
}

/**
 * sendAtRate sends messages at a rate over one stream, without waiting for replies, and opens another stream after each that ends.
 *
 * @param {Peer} peer
 * @param {number} perSecond
 * @param {Run} run
 * @param {(index: number) => Uint8Array} piece
 */
export async function sendAtRate(peer, perSecond, run, piece) {
  /** @type {import('@libp2p/interface').Stream | undefined} */
  let stream
  const opening = repeatUntilAborted(run.signal, async () => {
    if (stream?.status === 'open') return
    const opened = await peer.stream()
    opened.addEventListener('message', () => {})
    stream = opened
  })
  await repeatAtRate(perSecond, run, index => {
    if (stream?.status === 'open' && !stream.writableNeedsDrain) stream.send(piece(index))
  })
  await opening
  stream?.abort(new Error('over'))
}

/**
 * holdStreams opens streams all at once, and holds them. When all have ended it opens as many again.
 *
 * @param {Peer} peer
 * @param {number} count
 * @param {AbortSignal} signal
 * @param {object} how
 * @param {(stream: import('@libp2p/interface').Stream) => unknown} how.begin - with each stream
 * @param {(stream: import('@libp2p/interface').Stream) => unknown} [how.goOn] - with each that is open, again and again
 * @param {number} [how.everyMs]
 */
export async function holdStreams(peer, count, signal, { begin, goOn = () => {}, everyMs = 50 }) {
  setMaxListeners(0, signal) // each stream that is being opened
  await repeatUntilAborted(signal, async () => {
    /** @type {import('@libp2p/interface').Stream[]} */
    const streams = []
    const openOne = async () => {
      const stream = await peer.stream(signal)
      streams.push(stream)
      begin(stream)
    }
    // the others then share its connection
    await openOne()
    let opening = true
    const opened = Promise.allSettled(Array.from({ length: count - 1 }, openOne)).finally(() => {
      opening = false
    })
    const open = () => streams.filter(({ status }) => status === 'open')
    while (!signal.aborted && (opening || open().length > 0)) {
      await sleep(everyMs)
      for (const stream of open()) goOn(stream)
    }
    await opened
    for (const stream of streams) stream.abort(new Error('over'))
  })
}

/**
 * limitConcurrency starts an act only while fewer than so many are under way.
 *
 * @param {number} max
 * @param {(index: number) => Promise<unknown>} act
 * @returns {(index: number) => void}
 */
export function limitConcurrency(max, act) {
  let underWay = 0
  return index => {
    if (underWay >= max) return
    underWay++
    act(index)
      .catch(() => {})
      .finally(() => underWay--)
  }
}

const ADDRESSES = 20
/** A process can hold this many; a server admits far fewer. */
const MAX_SOCKETS = 4000
const MAX_CONNECTIONS = 200
const MAX_DIALS = 100
const NOISE_BYTES = 10_000

const MULTISTREAM = '\x13/multistream/1.0.0\n\x07/noise\n'

/** @param {number} seed @param {number} length */
function noiseBytes(seed, length) {
  const random = makeSubStream(seed, 'noise', length)
  return Buffer.from(Array.from({ length }, () => Math.floor(256 * random())))
}

/** A set that closes its oldest item when it is full. @template T @param {number} max @param {(item: T) => unknown} close */
function boundedSet(max, close) {
  /** @type {Set<T>} */
  const items = new Set()
  return {
    /** @param {T} item */
    add(item) {
      items.add(item)
      const [oldest] = items
      if (items.size <= max) return
      items.delete(oldest)
      close(oldest)
    },
    /** @param {T} item */
    delete: item => items.delete(item),
    closeAll() {
      for (const item of items) close(item)
    }
  }
}

/** prepareHttp sends broken HTTP requests. @type {Prepare} */
export async function prepareHttp({ http, spreads }, times) {
  const { hostname, port } = new URL(String(http))
  const where = { host: hostname, port: Number(port) }
  const lines = ['GET //', 'GET http://[', 'GET //:99999/'].map(line => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`)
  const from = spreads ? '127.0.5.1' : undefined
  return run => repeatAtRate(20 * times, run, index => connectRaw(where, from, lines[index % lines.length]))
}

/** prepareHandshakes opens connections without completing their handshake. @type {Prepare} */
export async function prepareHandshakes({ multiaddr, spreads, seed }, times) {
  const where = readHostAndPort(multiaddr)
  const first = [
    undefined,
    noiseBytes(seed, NOISE_BYTES),
    Buffer.concat([Buffer.from(MULTISTREAM), Uint8Array.of(0, 32), noiseBytes(seed, 32)])
  ]
  return async run => {
    const sockets = boundedSet(MAX_SOCKETS, (/** @type {import('node:net').Socket} */ socket) =>
      socket.destroy()
    )
    await repeatAtRate(100 * times, run, index => {
      const from = spreads ? `127.0.3.${1 + (index % ADDRESSES)}` : undefined
      const socket = connectRaw(where, from, first[index % first.length])
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    sockets.closeAll()
  }
}

/** Opens connections, and does not use them. @type {Prepare} */
async function connections(target, times) {
  const peers = await Promise.all(
    Array.from({ length: ADDRESSES }, (_, i) => Peer.apart(target, `127.0.8.${i + 1}`))
  )
  return async run => {
    const open = boundedSet(
      MAX_CONNECTIONS,
      (/** @type {import('@libp2p/interface').Connection} */ connection) =>
        connection.abort(new Error('over'))
    )
    const dialOne = limitConcurrency(MAX_DIALS, async index => {
      const connection = await peers[index % peers.length].further()
      open.add(connection)
      connection.addEventListener('close', () => open.delete(connection))
      // a late dial may succeed after the end
      if (run.signal.aborted) open.closeAll()
    })
    await repeatAtRate(20 * times, run, dialOne)
    open.closeAll()
  }
}

/**
 * encodeYamuxFrame encodes a Yamux frame.
 *
 * @param {number} type
 * @param {number} flags
 * @param {number} stream
 * @param {number} length - of data: of the body, or a pretended one
 * @param {Uint8Array} [body]
 */
export function encodeYamuxFrame(type, flags, stream, length, body = new Uint8Array(0)) {
  const bytes = Buffer.alloc(HEADER_BYTES + body.length)
  bytes.writeUInt8(type, TYPE_AT)
  bytes.writeUInt16BE(flags, FLAGS_AT)
  bytes.writeUInt32BE(stream, STREAM_AT)
  bytes.writeUInt32BE(length, LENGTH_AT)
  bytes.set(body, HEADER_BYTES)
  return bytes
}

const LINE_BYTES = 60_000

/** @param {string} line - of multistream-select */
function lines(line) {
  const body = Buffer.from(line.repeat(LINE_BYTES / line.length))
  return encodeYamuxFrame(DATA, SYN, 1, body.length, body)
}

/**
 * FLOODS are about 64 kB each of frames without content, or of lines that ask for protocols. Each can be sent repeatedly.
 *
 * @type {Readonly<Record<string, Buffer>>}
 */
export const FLOODS = Object.freeze({
  pings: Buffer.concat(Array.from({ length: 5000 }, (_, id) => encodeYamuxFrame(PING, SYN, 0, id))),
  'window updates': Buffer.concat(Array(5000).fill(encodeYamuxFrame(WINDOW_UPDATE, 0, 99, 1))),
  'streams that are opened': Buffer.concat(
    Array.from({ length: 5000 }, (_, i) => encodeYamuxFrame(WINDOW_UPDATE, SYN, 1 + 2 * i, 0))
  ),
  'streams that are opened and reset': Buffer.concat(
    Array.from({ length: 2500 }, (_, i) => [
      encodeYamuxFrame(WINDOW_UPDATE, SYN, 1 + 2 * i, 0),
      encodeYamuxFrame(WINDOW_UPDATE, RST, 1 + 2 * i, 0)
    ]).flat()
  ),
  'lines that ask what there is': lines('\x03ls\n'),
  'lines that ask for what is not there': lines('\x01\n')
})

/** prepareFrames sends Yamux frames and lines of multistream-select without content. @type {Prepare} */
export async function prepareFrames({ multiaddr, spreads }, times) {
  /** @param {Uint8Array} bytes @param {string | undefined} localAddress @param {Run} run */
  const flood = async (bytes, localAddress, run) => {
    const { stream, stop } = await dialAfterNoise(multiaddr, localAddress)
    const over = new AbortController()
    stream.addEventListener('message', () => {})
    stream.addEventListener('close', () => over.abort())
    const signal = AbortSignal.any([run.signal, over.signal])
    await repeatAtRate(2 * times, { ...run, signal }, () => {
      if (stream.status === 'open' && !stream.writableNeedsDrain) stream.send(bytes)
    })
    await stop()
  }
  return run =>
    Promise.all(
      Object.values(FLOODS).map((bytes, index) =>
        repeatUntilAborted(run.signal, () => flood(bytes, spreads ? `127.0.4.${index + 1}` : undefined, run))
      )
    )
}

/** HOSTILE_BEHAVIOURS has the behaviour of each kind. @type {Readonly<Record<string, Prepare>>} */
export const HOSTILE_BEHAVIOURS = Object.freeze({
  ...{ http: prepareHttp, requests, unread, store, records, handshakes: prepareHandshakes },
  ...{ frames: prepareFrames, invalid, connections, streams, slow, identities }
})

/**
 * @typedef {object} Done - of a stretch
 * @property {number} notSent - share of due actions that this process was too late for
 * @property {string | null} failure - why hostile peers stopped early
 *
 * @typedef {{ end: AbortController, ended: Promise<string | null>, tally: Run['tally'] }} Running
 */

/** HostileWorker starts and stops hostile peers of some kinds, any number of times. */
export class HostileWorker {
  #target
  #hostile
  /** @type {Act[] | undefined} */
  #acts
  /** @type {Running | undefined} */
  #running

  /** @param {{ target: Omit<Target, 'peers'>, hostile: Readonly<Record<string, number>> }} setup - `hostile`: multiple of their usual rate, by kind */
  constructor({ target, hostile }) {
    this.#target = { ...target, peers: new Set() }
    this.#hostile = hostile
  }

  /** prepare connects the peers of the kinds that need connections from the start. */
  async prepare() {
    this.#acts = []
    for (const [kind, times] of Object.entries(this.#hostile))
      this.#acts.push(await HOSTILE_BEHAVIOURS[kind](this.#target, times))
  }

  begin() {
    if (this.#acts === undefined) throw new Error('hostile peers are prepared before they begin')
    const end = new AbortController()
    const tally = { due: 0, skipped: 0 }
    const ended = Promise.all(this.#acts.map(act => act({ signal: end.signal, tally }))).then(
      () => null,
      error => String(error?.stack ?? error)
    )
    this.#running = { end, ended, tally }
  }

  /** end stops them. @returns {Promise<Done>} */
  async end() {
    if (this.#running === undefined) return { notSent: 0, failure: null }
    const { end, ended, tally } = this.#running
    this.#running = undefined
    end.abort()
    const failure = await ended
    return { notSent: tally.due === 0 ? 0 : tally.skipped / tally.due, failure }
  }

  /** stop ends them with all their connections; the process can then be used further. */
  async stop() {
    await this.end()
    await Promise.all([...this.#target.peers].map(peer => peer.stop()))
  }

  close() {
    this.#running?.end.abort()
  }
}
