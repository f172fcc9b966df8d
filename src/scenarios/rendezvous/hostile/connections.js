import { subStream } from '../../../kit/random.js'
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
} from '../../../libp2p/yamux-header.js'
import { again, bounded, often } from './pace.js'
import { connectRaw, dialAfterNoise, hostAndPort, Peer } from './peers.js'

/**
 * @typedef {import('./requests.js').Prepare} Prepare
 * @typedef {import('./peers.js').Target} Target
 */

const ADDRESSES = 20
/** What a process can hold, and well above what a server admits. */
const MOST_SOCKETS = 4000
const MOST_CONNECTIONS = 200
const MOST_DIALS = 100
const NOISE_BYTES = 10_000

const MULTISTREAM = '\x13/multistream/1.0.0\n\x07/noise\n'

/** @param {number} seed @param {number} length */
function noise(seed, length) {
  const random = subStream(seed, 'noise', length)
  return Buffer.from(Array.from({ length }, () => Math.floor(256 * random())))
}

/** A set that closes its oldest when it holds too many. @template T @param {number} most @param {(item: T) => unknown} close */
function kept(most, close) {
  /** @type {Set<T>} */
  const items = new Set()
  return {
    /** @param {T} item */
    add(item) {
      items.add(item)
      const [oldest] = items
      if (items.size <= most) return
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

/** http is of requests that are none. @type {Prepare} */
export async function http({ http, spreads }, times) {
  const { hostname, port } = new URL(String(http))
  const where = { host: hostname, port: Number(port) }
  const lines = ['GET //', 'GET http://[', 'GET //:99999/'].map(line => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`)
  const from = spreads ? '127.0.5.1' : undefined
  return run => often(20 * times, run, index => connectRaw(where, from, lines[index % lines.length]))
}

/** handshakes is of connections that never become one. @type {Prepare} */
export async function handshakes({ multiaddr, spreads, seed }, times) {
  const where = hostAndPort(multiaddr)
  const first = [
    undefined,
    noise(seed, NOISE_BYTES),
    Buffer.concat([Buffer.from(MULTISTREAM), Uint8Array.of(0, 32), noise(seed, 32)])
  ]
  return async run => {
    const sockets = kept(MOST_SOCKETS, (/** @type {import('node:net').Socket} */ socket) => socket.destroy())
    await often(100 * times, run, index => {
      const from = spreads ? `127.0.3.${1 + (index % ADDRESSES)}` : undefined
      const socket = connectRaw(where, from, first[index % first.length])
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    sockets.closeAll()
  }
}

/** connections is of those that are made and not used. @type {Prepare} */
export async function connections(target, times) {
  const peers = await Promise.all(
    Array.from({ length: ADDRESSES }, (_, i) => Peer.apart(target, `127.0.8.${i + 1}`))
  )
  return async run => {
    const open = kept(MOST_CONNECTIONS, (/** @type {import('@libp2p/interface').Connection} */ connection) =>
      connection.abort(new Error('over'))
    )
    const dialOne = bounded(MOST_DIALS, async index => {
      const connection = await peers[index % peers.length].further()
      open.add(connection)
      connection.addEventListener('close', () => open.delete(connection))
      // who was late may come behind the end
      if (run.signal.aborted) open.closeAll()
    })
    await often(20 * times, run, dialOne)
    open.closeAll()
  }
}

/**
 * @param {Uint8Array} flood
 * @param {{ target: Target, localAddress: string | undefined, perSecond: number }} how
 * @param {import('./pace.js').Run} run
 */
async function floodWith(flood, { target, localAddress, perSecond }, run) {
  const { stream, stop } = await dialAfterNoise(target.multiaddr, localAddress)
  const over = new AbortController()
  stream.addEventListener('message', () => {})
  stream.addEventListener('close', () => over.abort())
  const signal = AbortSignal.any([run.signal, over.signal])
  await often(perSecond, { ...run, signal }, () => {
    if (stream.status === 'open' && !stream.writableNeedsDrain) stream.send(flood)
  })
  await stop()
}

/**
 * frame is one of Yamux.
 *
 * @param {number} type
 * @param {number} flags
 * @param {number} stream
 * @param {number} length - of data: of the body, or of what it pretends to be
 * @param {Uint8Array} [body]
 */
export function frame(type, flags, stream, length, body = new Uint8Array(0)) {
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
  return frame(DATA, SYN, 1, body.length, body)
}

/**
 * FLOODS are about 64 kB each of frames that carry nothing, and of lines that ask for protocols. Each may be sent again and again.
 *
 * @type {Readonly<Record<string, Buffer>>}
 */
export const FLOODS = Object.freeze({
  pings: Buffer.concat(Array.from({ length: 5000 }, (_, id) => frame(PING, SYN, 0, id))),
  'window updates': Buffer.concat(Array(5000).fill(frame(WINDOW_UPDATE, 0, 99, 1))),
  'streams that are opened': Buffer.concat(
    Array.from({ length: 5000 }, (_, i) => frame(WINDOW_UPDATE, SYN, 1 + 2 * i, 0))
  ),
  'streams that are opened and reset': Buffer.concat(
    Array.from({ length: 2500 }, (_, i) => [
      frame(WINDOW_UPDATE, SYN, 1 + 2 * i, 0),
      frame(WINDOW_UPDATE, RST, 1 + 2 * i, 0)
    ]).flat()
  ),
  'lines that ask what there is': lines('\x03ls\n'),
  'lines that ask for what is not there': lines('\x01\n')
})

/** frames is of Yamux frames and lines of multistream-select that carry nothing. @type {Prepare} */
export async function frames(target, times) {
  return run =>
    Promise.all(
      Object.values(FLOODS).map((flood, index) => {
        const localAddress = target.spreads ? `127.0.4.${index + 1}` : undefined
        return again(run.signal, () => floodWith(flood, { target, localAddress, perSecond: 2 * times }, run))
      })
    )
}
