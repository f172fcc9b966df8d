import { generateKeyPair } from '@libp2p/crypto/keys'
import { encodeFrame } from '../../../../protocol/framing.js'
import { encodeRegister } from '../../../../protocol/messages.js'
import { sealPeerRecord } from '../../../../protocol/signed-record.js'
import { ADDRESS, LARGE_RECORD_ADDRESSES } from '../held.js'
import { sendOften } from './pace.js'
import { Peer, peersAt } from './peers.js'

/**
 * @typedef {import('./peers.js').Target} Target
 * @typedef {(target: Target, times: number) => Promise<import('./pace.js').Act>} Prepare
 */

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
