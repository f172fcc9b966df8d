// Derives keys, addresses and signed peer records of simulated peers from the seed of a plan.
import '../kit/runtime.js'
import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { privateKeyFromRaw } from '@libp2p/crypto/keys'
import { encodeEd25519Key, sealPeerRecord } from '../protocol/signed-record.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('../protocol/signed-record.js').Signer} Signer
 */

/**
 * Purpose names the sub-streams of identities: an index of one purpose never gives the same peer as an index of
 * another.
 */
export const Purpose = {
  CLIENT: 'client',
  REGISTRANT: 'registrant',
  ABILITIES: 'abilities',
  LOOK_UP: 'look-up',
  SERVER: 'server'
}

/**
 * deriveIdentitySeed derives an Ed25519 seed: HMAC-SHA256 of purpose and index, keyed by the plan's seed. Each index can be
 * derived by itself, in any process.
 *
 * @param {number} seed - of the plan
 * @param {string} purpose - one of Purpose, or a name of your own
 * @param {number} index
 * @returns {Buffer} 32 bytes
 */
export const deriveIdentitySeed = (seed, purpose, index) =>
  createHmac('sha256', `libp2p-loadtest/${seed}`).update(`${purpose}/${index}`).digest()

/**
 * derivePrivateKey makes the libp2p key of an identity: the seed with the public key after it. The public key comes from node:crypto: libp2p
 * derives it in JavaScript, whose tables take 50 ms at the start of a process.
 *
 * @param {number} seed - of the plan
 * @param {string} purpose
 * @param {number} index
 * @returns {Promise<PrivateKey>}
 */
export async function derivePrivateKey(seed, purpose, index) {
  const secret = deriveIdentitySeed(seed, purpose, index)
  return privateKeyFromRaw(Buffer.concat([secret, publicKeyOf(importEd25519Seed(secret))]))
}

/**
 * makeIdentitySigner makes a signer with the same key as derivePrivateKey, over node:crypto: several times faster for sealing many records.
 *
 * @param {number} seed - of the plan
 * @param {string} purpose
 * @param {number} index
 * @returns {Signer}
 */
export function makeIdentitySigner(seed, purpose, index) {
  const key = importEd25519Seed(deriveIdentitySeed(seed, purpose, index))
  return { publicKey: encodeEd25519Key(publicKeyOf(key)), sign: message => sign(null, message, key) }
}

/** @param {import('node:crypto').KeyObject} key - private @returns {Buffer} 32 bytes */
const publicKeyOf = key => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')

// a private JWK must have an x, but the public key is derived from d alone, so any x will do
const ANY_X = Buffer.alloc(32).toString('base64url')

/**
 * As JWK, because Node 20 takes 27 µs for it and 300 µs for DER.
 *
 * @param {Buffer} seed - 32 bytes
 */
const importEd25519Seed = seed =>
  createPrivateKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x: ANY_X }
  })

/**
 * @typedef {object} RecordSource - what a registrant's record depends on, beside its index
 * @property {number} seed - of the plan
 * @property {string} domain - one of RecordDomain
 */

const CODE_IP4 = 4
const CODE_TCP = 6
const PORT = 4001
// a fixed sequence number: the same plan gives the same bytes
const SEQ = 1
// records made in one turn of the event loop
const PER_TURN = 20

/**
 * makeRegistrantAddress gives the multiaddr a registrant claims to listen at: /ip4/10.x.y.z/tcp/4001, distinct up to 16.7
 * million, and always of the same length.
 *
 * @param {number} index
 * @returns {Uint8Array} multiaddr bytes
 */
export const makeRegistrantAddress = index =>
  Uint8Array.of(CODE_IP4, 10, index >> 16, index >> 8, index, CODE_TCP, PORT >> 8, PORT)

/**
 * deriveRegistrantKey gives the libp2p key of a registrant, to connect as that peer.
 *
 * @param {number} seed - of the plan
 * @param {number} index
 */
export const deriveRegistrantKey = (seed, index) => derivePrivateKey(seed, Purpose.REGISTRANT, index)

/**
 * sealRegistrantRecord seals the peer record of one registrant.
 *
 * @param {RecordSource} source
 * @param {number} index
 * @returns {Promise<Uint8Array>} marshalled envelope
 */
export const sealRegistrantRecord = ({ seed, domain }, index) =>
  sealPeerRecord({
    privateKey: makeIdentitySigner(seed, Purpose.REGISTRANT, index),
    addresses: [makeRegistrantAddress(index)],
    seq: SEQ,
    domain
  })

/**
 * makeRecords seals the records of a range of registrants, in several turns of the event loop.
 *
 * @param {RecordSource} source
 * @param {{ from: number, to: number, signal?: AbortSignal }} range - `to` exclusive
 * @returns {Promise<Buffer>} the records one after another, all of the same length
 */
export async function makeRecords(source, { from, to, signal }) {
  const records = []
  for (let index = from; index < to; index++) {
    records.push(await sealRegistrantRecord(source, index))
    if (index % PER_TURN === 0) await setImmediate(undefined, { signal })
  }
  return Buffer.concat(records)
}
