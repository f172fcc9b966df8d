import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { encodeFrame } from '../../../src/protocol/framing.js'
import { encodeDiscover, encodeRegister } from '../../../src/protocol/messages.js'
import { sealPeerRecord } from '../../../src/protocol/signed-record.js'
import { dialAfterNoise } from '../../../test/server/after-noise.js'
import { FLOODS } from '../../../test/server/yamux-frames.js'
import { ADDRESS } from '../registrations.js'
import { connectRaw, Peer } from './peers.js'

/**
 * @typedef {object} Target
 * @property {string} multiaddr
 * @property {string} http
 *
 * @typedef {object} Abuse
 * @property {string} what - at its own rate, for a table
 * @property {(target: Target, times: number) => Promise<(run: Run) => Promise<unknown>>} prepare - connects, and gives what does it
 *   until it is aborted, at so many times its rate
 *
 * @typedef {object} Run
 * @property {AbortSignal} signal
 * @property {{ due: number, skipped: number }} tally - what was due, and what of it was not done because this process was late
 */

/** LARGE_RECORD_ADDRESSES make a signed record of 14 kB. */
export const LARGE_RECORD_ADDRESSES = Object.freeze(Array(1350).fill(ADDRESS))
/** LARGE_NAMESPACE is what the server is loaded with, so that there are replies of 1 MiB. */
export const LARGE_NAMESPACE = 'large'

const TTL = 7200
const HOSTS_OF_HANDSHAKES = 20
const STREAMS_OF_SILENT = 250
const STORE_PEERS = 25

/** @param {string} multiaddr */
function hostAndPort(multiaddr) {
  const [, host, port] = /** @type {RegExpExecArray} */ (/\/ip4\/([\d.]+)\/tcp\/(\d+)/.exec(multiaddr))
  return { host, port: Number(port) }
}

/**
 * Does something so often a second; what is late is done at once, up to a tenth of a second of it.
 *
 * @param {number} perSecond
 * @param {Run} run
 * @param {(index: number) => unknown} act
 */
async function often(perSecond, { signal, tally }, act) {
  const began = performance.now()
  for (let done = 0; !signal.aborted; await sleep(Math.min(10, 1000 / perSecond))) {
    const due = ((performance.now() - began) * perSecond) / 1000
    const skipped = Math.max(0, Math.floor(due - perSecond / 10) - done)
    tally.skipped += skipped
    tally.due += skipped
    for (done += skipped; done < due && !signal.aborted; done++, tally.due++) act(done)
  }
}

/** Does something again and again; whoever is thrown out comes back a little later. @param {AbortSignal} signal @param {() => Promise<unknown>} act */
async function again(signal, act) {
  while (!signal.aborted) {
    await act().catch(() => {})
    await sleep(100)
  }
}

/**
 * A peer that sends pieces over one stream after the other, without waiting for what is answered.
 *
 * @param {Peer} peer
 * @param {number} perSecond
 * @param {Run} run
 * @param {(index: number) => Uint8Array} piece
 */
async function sendOften(peer, perSecond, run, piece) {
  /** @type {import('@libp2p/interface').Stream | undefined} */
  let stream
  const opening = again(run.signal, async () => {
    if (stream?.status === 'open') return
    const opened = await peer.stream()
    opened.addEventListener('message', () => {})
    stream = opened
  })
  await often(perSecond, run, index => {
    if (stream?.status === 'open' && !stream.writableNeedsDrain) stream.send(piece(index))
  })
  await opening
  stream?.abort(new Error('over'))
}

/** @param {Peer} peer @param {AbortSignal} signal */
async function neverRead(peer, signal) {
  const ask = encodeFrame(encodeDiscover({ ns: LARGE_NAMESPACE }))
  await again(signal, async () => {
    const streams = []
    while (!signal.aborted && streams.length < STREAMS_OF_SILENT) {
      const stream = await peer.stream()
      stream.pause()
      stream.send(ask)
      streams.push(stream)
    }
    while (!signal.aborted && streams.some(({ status }) => status === 'open')) await sleep(50)
    for (const stream of streams) stream.abort(new Error('over'))
  })
}

/** @param {string} multiaddr @param {number} count @param {number} network - third number of their addresses */
const peersAt = (multiaddr, count, network) =>
  Promise.all(Array.from({ length: count }, (_, i) => Peer.at(multiaddr, `127.0.${network}.${i + 1}`)))

const MULTISTREAM = '\x13/multistream/1.0.0\n\x07/noise\n'
/** @type {Array<() => Uint8Array | undefined>} */
const HANDSHAKES = [
  () => undefined,
  () => randomBytes(10_000),
  () => Buffer.concat([Buffer.from(MULTISTREAM), Uint8Array.of(0, 32), randomBytes(32)])
]

/**
 * @param {Uint8Array} flood
 * @param {{ multiaddr: string, localAddress: string, perSecond: number }} how
 * @param {Run} run
 */
async function floodWith(flood, { multiaddr, localAddress, perSecond }, run) {
  const { stream, stop } = await dialAfterNoise(multiaddr, localAddress)
  const over = new AbortController()
  stream.addEventListener('message', () => {})
  stream.addEventListener('close', () => over.abort())
  const signal = AbortSignal.any([run.signal, over.signal])
  await often(perSecond, { ...run, signal }, () => {
    if (stream.status === 'open' && !stream.writableNeedsDrain) stream.send(flood)
  })
  await stop()
}

/** ABUSES are those of docs/security.md, by name. @type {Readonly<Record<string, Abuse>>} */
export const ABUSES = Object.freeze({
  http: {
    what: '20 broken requests a second at the second port',
    async prepare({ http }, times) {
      const { hostname, port } = new URL(http)
      const target = { host: hostname, port: Number(port) }
      const lines = ['GET //', 'GET http://[', 'GET //:99999/'].map(
        line => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`
      )
      return run =>
        often(20 * times, run, index => connectRaw(target, undefined, lines[index % lines.length]))
    }
  },
  requests: {
    what: 'each second 60,000 empty frames in one piece, and 20,000 DISCOVERs of 3 bytes',
    async prepare({ multiaddr }, times) {
      const pieces = [Buffer.alloc(60_000), Buffer.concat(Array(20_000).fill(Uint8Array.of(2, 8, 3)))]
      const [peer] = await peersAt(multiaddr, 1, 9)
      return run => sendOften(peer, 2 * times, run, index => pieces[index % 2])
    }
  },
  unread: {
    what: '2 clients with 250 streams each, a reply of 1 MiB asked for on each, which read nothing',
    async prepare({ multiaddr }, times) {
      const peers = await peersAt(multiaddr, 2 * times, 1)
      return ({ signal }) => Promise.all(peers.map(peer => neverRead(peer, signal)))
    }
  },
  store: {
    what: '25 peers, each 10 registrations of 14 kB a second, in 1,000 namespaces each',
    async prepare({ multiaddr }, times) {
      const addresses = [...LARGE_RECORD_ADDRESSES]
      const peers = await Promise.all(
        (await peersAt(multiaddr, STORE_PEERS, 2)).map(async peer => {
          const { privateKey } = peer
          return { peer, signedPeerRecord: await sealPeerRecord({ privateKey, addresses, seq: 1 }) }
        })
      )
      return run =>
        Promise.all(
          peers.map(({ peer, signedPeerRecord }) =>
            sendOften(peer, 10 * times, run, index =>
              encodeFrame(encodeRegister({ ns: `store-${index % 1000}`, signedPeerRecord, ttl: TTL }))
            )
          )
        )
    }
  },
  records: {
    what: "one stream, 200 replays a second of somebody's record signed with secp256k1",
    async prepare({ multiaddr }, times) {
      const privateKey = await generateKeyPair('secp256k1')
      const signedPeerRecord = await sealPeerRecord({ privateKey, addresses: [ADDRESS], seq: 1 })
      const replay = encodeFrame(encodeRegister({ ns: 'replayed', signedPeerRecord, ttl: TTL }))
      const [peer] = await peersAt(multiaddr, 1, 9)
      return run => sendOften(peer, 200 * times, run, () => replay)
    }
  },
  handshakes: {
    what: '100 connections a second from 20 addresses: silent, noise, or half a handshake',
    async prepare({ multiaddr }, times) {
      const target = hostAndPort(multiaddr)
      return async run => {
        /** @type {Set<import('node:net').Socket>} */
        const sockets = new Set()
        await often(100 * times, run, index => {
          const bytes = HANDSHAKES[index % HANDSHAKES.length]()
          const socket = connectRaw(target, `127.0.3.${1 + (index % HOSTS_OF_HANDSHAKES)}`, bytes)
          sockets.add(socket)
          socket.on('close', () => sockets.delete(socket))
        })
        for (const socket of sockets) socket.destroy()
      }
    }
  },
  frames: {
    what: '6 connections, each 2 pieces a second of 5,000 Yamux frames that carry nothing, or of 15,000 to 30,000 lines that ask for protocols',
    async prepare({ multiaddr }, times) {
      return run =>
        Promise.all(
          Object.values(FLOODS).map((flood, index) => {
            const how = { multiaddr, localAddress: `127.0.4.${index + 1}`, perSecond: 2 * times }
            return again(run.signal, () => floodWith(flood, how, run))
          })
        )
    }
  }
})
