import { generateKeyPair } from '@libp2p/crypto/keys'
import { encodeFrame } from '../../../protocol/framing.js'
import { encodeDiscover, encodeRegister } from '../../../protocol/messages.js'
import { sealPeerRecord } from '../../../protocol/signed-record.js'
import { ADDRESS, LARGE_NAMESPACE, LARGE_RECORD_ADDRESSES } from './large-registrations.js'
import { bounded, holdStreams, often, sendOften } from './pace.js'
import { Peer, peersAt } from './peers.js'

/**
 * @typedef {import('./peers.js').Target} Target
 * @typedef {(target: Target, times: number) => Promise<import('./pace.js').Act>} Prepare - connects peers; `times`: their usual rate
 */

const STREAMS_OF_SILENT = 250
const STREAMS_OF_SLOW = 100
const IDENTITIES = 20
const STREAMS_BEING_OPENED = 200
const SLOW_EVERY_MS = 1000

/** requests is of frames that are tiny. @type {Prepare} */
export async function requests(target, times) {
  const pieces = [Buffer.alloc(60_000), Buffer.concat(Array(20_000).fill(Uint8Array.of(2, 8, 3)))]
  const peer = await Peer.at(target, '127.0.9.1')
  return run => sendOften(peer, 2 * times, run, index => pieces[index % 2])
}

/** unread is of replies that nobody reads: of a server of others the largest there are. @type {Prepare} */
export async function unread(target, times) {
  const ask = encodeFrame(encodeDiscover(target.http === null ? {} : { ns: LARGE_NAMESPACE }))
  const peers = await peersAt(target, 2 * times, 1)
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

/** slow is of requests that come a byte at a time. @type {Prepare} */
export async function slow(target, times) {
  const request = encodeFrame(new Uint8Array(1000))
  const peers = await peersAt(target, 2 * times, 11)
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

/** streams is of streams that are opened for nothing. @type {Prepare} */
export async function streams(target, times) {
  const peer = await Peer.at(target, '127.0.10.1')
  const openOne = bounded(STREAMS_BEING_OPENED, async () => {
    const stream = await peer.stream()
    stream.abort(new Error('over'))
  })
  return run => often(200 * times, run, openOne)
}

/** identities is of many peers at one address. @type {Prepare} */
export async function identities(target, times) {
  const ask = encodeFrame(encodeDiscover({ limit: 20 }))
  const peers = await Promise.all(Array.from({ length: IDENTITIES }, () => Peer.apart(target, '127.0.7.1')))
  return run => Promise.all(peers.map(peer => sendOften(peer, 20 * times, run, () => ask)))
}

const TTL = 7200
const STORE_PEERS = 25
const STORE_NAMESPACES = 1000

/** store is of registrations that are good and large. @type {Prepare} */
export async function store(target, times) {
  const addresses = [...LARGE_RECORD_ADDRESSES]
  const peers = await Promise.all(
    (await peersAt(target, STORE_PEERS, 2)).map(async peer => {
      const { privateKey } = peer
      return { peer, signedPeerRecord: await sealPeerRecord({ privateKey, addresses, seq: 1 }) }
    })
  )
  return run =>
    Promise.all(
      peers.map(({ peer, signedPeerRecord }) =>
        sendOften(peer, 10 * times, run, index =>
          encodeFrame(encodeRegister({ ns: `store-${index % STORE_NAMESPACES}`, signedPeerRecord, ttl: TTL }))
        )
      )
    )
}

/** records is of one record of somebody else, dear to check. @type {Prepare} */
export async function records(target, times) {
  const privateKey = await generateKeyPair('secp256k1')
  const signedPeerRecord = await sealPeerRecord({ privateKey, addresses: [ADDRESS], seq: 1 })
  const replay = encodeFrame(encodeRegister({ ns: 'replayed', signedPeerRecord, ttl: TTL }))
  const peer = await Peer.at(target, '127.0.9.1')
  return run => sendOften(peer, 200 * times, run, () => replay)
}

/** The signature stands at the end of an envelope. @param {Uint8Array} record */
function withoutFit(record) {
  const changed = Uint8Array.from(record)
  changed[changed.length - 1] ^= 1
  return changed
}

/** invalid is of registrations that must be refused, each for another reason. @type {Prepare} */
export async function invalid(target, times) {
  const peer = await Peer.at(target, '127.0.6.1')
  const of = (/** @type {import('@libp2p/interface').PrivateKey} */ privateKey) =>
    sealPeerRecord({ privateKey, addresses: [ADDRESS], seq: 1 })
  const own = await of(peer.privateKey)
  const ns = 'invalid'
  const pieces = [
    { ns, signedPeerRecord: withoutFit(own), ttl: TTL },
    { ns, signedPeerRecord: await of(await generateKeyPair('Ed25519')), ttl: TTL },
    { ns, signedPeerRecord: own, ttl: Number.MAX_SAFE_INTEGER },
    { ns, ttl: TTL }
  ].map(register => encodeFrame(encodeRegister(register)))
  return run => sendOften(peer, 400 * times, run, index => pieces[index % pieces.length])
}
