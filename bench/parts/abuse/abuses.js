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
 * @property {(target: Target, times: number, signal: AbortSignal) => Promise<unknown>} run - until it is aborted, at so many times its
 *   rate
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
 * @param {AbortSignal} signal
 * @param {(index: number) => unknown} act
 */
async function often(perSecond, signal, act) {
  const began = performance.now()
  for (let done = 0; !signal.aborted; await sleep(Math.min(10, 1000 / perSecond))) {
    const due = ((performance.now() - began) * perSecond) / 1000
    done = Math.max(done, Math.floor(due - perSecond / 10))
    for (; done < due && !signal.aborted; done++) act(done)
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
 * @param {AbortSignal} signal
 * @param {(index: number) => Uint8Array} piece
 */
async function sendOften(peer, perSecond, signal, piece) {
  /** @type {import('@libp2p/interface').Stream | undefined} */
  let stream
  const opening = again(signal, async () => {
    if (stream?.status === 'open') return
    const opened = await peer.stream()
    opened.addEventListener('message', () => {})
    stream = opened
  })
  await often(perSecond, signal, index => {
    if (stream?.status === 'open' && !stream.writableNeedsDrain) stream.send(piece(index))
  })
  await opening
  await peer.stop()
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
  })
  await peer.stop()
}

/** @param {Peer} peer @param {AbortSignal} signal @param {number} perSecond */
async function registerOften(peer, signal, perSecond) {
  const signedPeerRecord = await sealPeerRecord({
    privateKey: peer.privateKey,
    addresses: [...LARGE_RECORD_ADDRESSES],
    seq: 1
  })
  await sendOften(peer, perSecond, signal, index =>
    encodeFrame(encodeRegister({ ns: `store-${index % 1000}`, signedPeerRecord, ttl: TTL }))
  )
}

const MULTISTREAM = '\x13/multistream/1.0.0\n\x07/noise\n'
/** @type {Array<() => Uint8Array | undefined>} */
const HANDSHAKES = [
  () => undefined,
  () => randomBytes(10_000),
  () => Buffer.concat([Buffer.from(MULTISTREAM), Uint8Array.of(0, 32), randomBytes(32)])
]

/** ABUSES are those of docs/security.md, by name. @type {Readonly<Record<string, Abuse>>} */
export const ABUSES = Object.freeze({
  http: {
    what: '20 broken requests a second at the second port',
    async run({ http }, times, signal) {
      const { hostname, port } = new URL(http)
      const lines = ['GET //', 'GET http://[', 'GET //:99999/'].map(
        line => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`
      )
      await often(20 * times, signal, index =>
        connectRaw({ host: hostname, port: Number(port) }, undefined, lines[index % lines.length])
      )
    }
  },
  requests: {
    what: 'each second 60,000 empty frames in one piece, and 20,000 DISCOVERs of 3 bytes',
    async run({ multiaddr }, times, signal) {
      const pieces = [Buffer.alloc(60_000), Buffer.concat(Array(20_000).fill(Uint8Array.of(2, 8, 3)))]
      const peer = await Peer.at(multiaddr, '127.0.0.9')
      await sendOften(peer, 2 * times, signal, index => pieces[index % 2])
    }
  },
  unread: {
    what: '2 clients with 250 streams each, a reply of 1 MiB asked for on each, which read nothing',
    async run({ multiaddr }, times, signal) {
      const hosts = Array.from({ length: 2 * times }, (_, i) => `127.0.1.${i + 1}`)
      await Promise.all(hosts.map(async host => neverRead(await Peer.at(multiaddr, host), signal)))
    }
  },
  store: {
    what: '25 peers, each 10 registrations of 14 kB a second, in 1,000 namespaces each',
    async run({ multiaddr }, times, signal) {
      const hosts = Array.from({ length: STORE_PEERS }, (_, i) => `127.0.2.${i + 1}`)
      await Promise.all(
        hosts.map(async host => registerOften(await Peer.at(multiaddr, host), signal, 10 * times))
      )
    }
  },
  records: {
    what: "one stream, 200 replays a second of somebody's record signed with secp256k1",
    async run({ multiaddr }, times, signal) {
      const privateKey = await generateKeyPair('secp256k1')
      const signer = { publicKey: privateKey.publicKey, sign: privateKey.sign.bind(privateKey) }
      const signedPeerRecord = await sealPeerRecord({
        privateKey: /** @type {any} */ (signer),
        addresses: [ADDRESS],
        seq: 1
      })
      const replay = encodeFrame(encodeRegister({ ns: 'replayed', signedPeerRecord, ttl: TTL }))
      await sendOften(await Peer.at(multiaddr, '127.0.0.9'), 200 * times, signal, () => replay)
    }
  },
  handshakes: {
    what: '100 connections a second from 20 addresses: silent, noise, or half a handshake',
    async run({ multiaddr }, times, signal) {
      const target = hostAndPort(multiaddr)
      /** @type {Set<import('node:net').Socket>} */
      const sockets = new Set()
      await often(100 * times, signal, index => {
        const socket = connectRaw(
          target,
          `127.0.3.${1 + (index % HOSTS_OF_HANDSHAKES)}`,
          HANDSHAKES[index % HANDSHAKES.length]()
        )
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
      })
      for (const socket of sockets) socket.destroy()
    }
  },
  frames: {
    what: '6 connections, each 2 pieces a second of 5,000 Yamux frames that carry nothing, or of 20,000 lines that ask for protocols',
    async run({ multiaddr }, times, signal) {
      await Promise.all(
        Object.values(FLOODS).map((flood, index) =>
          again(signal, async () => {
            const { stream, stop } = await dialAfterNoise(multiaddr, `127.0.4.${index + 1}`)
            const over = new AbortController()
            stream.addEventListener('message', () => {})
            stream.addEventListener('close', () => over.abort())
            await often(2 * times, AbortSignal.any([signal, over.signal]), () => {
              if (stream.status === 'open' && !stream.writableNeedsDrain) stream.send(flood)
            })
            await stop()
          })
        )
      )
    }
  }
})
