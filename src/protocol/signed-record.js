import { createHash } from 'node:crypto'
import { publicKeyToProtobuf } from '@libp2p/crypto/keys'
import {
  domainOf,
  InvalidSignedRecordError,
  marshalEnvelope,
  marshalPeerRecord,
  PAYLOAD_TYPES,
  RecordDomain,
  readEnvelope,
  readPeerRecord,
  sameBytes,
  signedBytes
} from './envelope.js'
import { isSignedBy, UnusableKeyError } from './signature.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('./envelope.js').Envelope} Envelope
 *
 * @typedef {object} Signer
 * @property {Uint8Array} publicKey - the public key as libp2p's protobuf
 * @property {(message: Uint8Array) => Uint8Array | Promise<Uint8Array>} sign
 *
 * @typedef {object} SignedRecord
 * @property {Uint8Array} peerId - multihash bytes
 * @property {bigint} seq
 * @property {Uint8Array[]} addresses - multiaddr bytes, as signed; not parsed
 * @property {string} domain - one of RecordDomain
 * @property {Uint8Array} publicKey - of the peer, as libp2p's protobuf
 *
 * @typedef {Omit<SignedRecord, 'addresses'>} Claim
 */

export { InvalidSignedRecordError, RecordDomain }

// libp2p's protobuf of an Ed25519 public key: type 1, then 32 bytes of data
const ED25519_KEY = Uint8Array.of(0x08, 0x01, 0x12, 0x20)
const ED25519_KEY_BYTES = ED25519_KEY.length + 32
// keys up to this size are their own peer id (identity multihash), larger ones are hashed with SHA-256
const MAX_INLINE_KEY_BYTES = 42

/**
 * signerOf makes a signer of a libp2p private key of any type. For bulk work with Ed25519 keys a signer over a
 * `KeyObject` of node:crypto saves importing the key each time.
 *
 * @param {PrivateKey} privateKey
 * @returns {Signer}
 */
export const signerOf = privateKey => ({
  publicKey: publicKeyToProtobuf(privateKey.publicKey),
  sign: message => privateKey.sign(message)
})

/**
 * ed25519KeyProtobuf wraps a raw Ed25519 public key as libp2p's protobuf.
 *
 * @param {Uint8Array} raw - 32 bytes
 */
export function ed25519KeyProtobuf(raw) {
  const bytes = new Uint8Array(ED25519_KEY_BYTES)
  bytes.set(ED25519_KEY)
  bytes.set(raw, ED25519_KEY.length)
  return bytes
}

/**
 * peerIdOfKey derives the multihash bytes of the peer id that belongs to a public key.
 *
 * @param {Uint8Array} publicKey - as libp2p's protobuf
 * @returns {Uint8Array}
 */
export function peerIdOfKey(publicKey) {
  const inline = publicKey.length <= MAX_INLINE_KEY_BYTES
  const digest = inline ? publicKey : createHash('sha256').update(publicKey).digest()
  const id = new Uint8Array(2 + digest.length)
  id[0] = inline ? 0x00 : 0x12
  id[1] = digest.length
  id.set(digest, 2)
  return id
}

/**
 * sealPeerRecord signs a peer record and marshals the envelope (RFC 0002 and 0003). Apart from the domain the bytes
 * equal those of `@libp2p/peer-record`.
 *
 * @param {object} record
 * @param {PrivateKey | Signer} record.privateKey
 * @param {Array<Uint8Array | { bytes: Uint8Array }>} record.addresses - multiaddrs or their bytes
 * @param {number | bigint} record.seq - grows with every change of the addresses
 * @param {string} [record.domain] - one of RecordDomain
 * @returns {Promise<Uint8Array>}
 */
export async function sealPeerRecord({ privateKey, addresses, seq, domain = RecordDomain.PEER_RECORD }) {
  const signer = privateKey.publicKey instanceof Uint8Array ? /** @type {Signer} */ (privateKey) : null
  const { publicKey, sign } = signer ?? signerOf(/** @type {PrivateKey} */ (privateKey))
  const payloadType = PAYLOAD_TYPES[domain]
  if (payloadType == null) throw new TypeError(`unknown record domain ${domain}`)
  const payload = marshalPeerRecord(peerIdOfKey(publicKey), BigInt(seq), addresses)
  const signature = await sign(signedBytes(domain, payloadType, payload))
  return marshalEnvelope({ publicKey, payloadType, payload, signature })
}

/**
 * openSignedRecord checks a marshalled envelope: it holds a peer record under one of the two domains, the signature is
 * right, and the key that signed is the one the record's peer id stands for.
 *
 * @param {Uint8Array} bytes
 * @returns {Promise<SignedRecord>}
 * @throws {InvalidSignedRecordError}
 */
export async function openSignedRecord(bytes) {
  const { envelope, record } = readRecord(bytes)
  await verify(envelope, record.domain)
  return record
}

/**
 * readClaim reads what an envelope claims, and leaves it to the caller when to check the signature, which costs a hundred times
 * as much. Addresses are looked at, and not kept: a record of 14 kB can hold 1,350 of them.
 *
 * @param {Uint8Array} bytes
 * @returns {{ record: Claim, verify: () => Promise<void> }} `verify` throws an InvalidSignedRecordError when the signature does
 *   not fit
 * @throws {InvalidSignedRecordError} when the bytes are no envelope, or key and peer id differ
 */
export function readClaim(bytes) {
  const { envelope, record } = readRecord(bytes, { keep: false })
  return { record, verify: () => verify(envelope, record.domain) }
}

/** @param {Envelope} envelope @param {string} domain */
async function verify({ publicKey, payloadType, payload, signature }, domain) {
  let fits
  try {
    const fitting = isSignedBy(publicKey, signedBytes(domain, payloadType, payload), signature)
    fits = typeof fitting === 'boolean' ? fitting : await fitting
  } catch (cause) {
    if (!(cause instanceof UnusableKeyError)) throw cause
    throw new InvalidSignedRecordError('envelope has an unusable key', { cause })
  }
  if (!fits) throw new InvalidSignedRecordError('signature does not fit key and record')
}

/**
 * readSignedRecordUnverified reads what an envelope claims, at a small part of the cost and **without checking the
 * signature**: for records that are known to be good, as those a load tester made itself.
 *
 * @param {Uint8Array} bytes
 * @returns {SignedRecord}
 * @throws {InvalidSignedRecordError} when the bytes are no envelope, or key and peer id differ
 */
export function readSignedRecordUnverified(bytes) {
  return readRecord(bytes).record
}

/**
 * readSignerUnverified derives the peer id from the key in an envelope and looks at nothing else.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} multihash bytes
 * @throws {InvalidSignedRecordError} when the bytes are no envelope
 */
export function readSignerUnverified(bytes) {
  const { publicKey } = readingEnvelope(() => readEnvelope(bytes))
  if (publicKey.length === 0) throw new InvalidSignedRecordError('signed record has no key')
  return peerIdOfKey(publicKey)
}

/** @param {Uint8Array} bytes @param {{ keep?: boolean }} [addresses] @returns {{ envelope: Envelope, record: SignedRecord }} */
function readRecord(bytes, { keep = true } = {}) {
  return readingEnvelope(() => {
    const envelope = readEnvelope(bytes)
    const domain = domainOf(envelope.payloadType)
    const record = readPeerRecord(envelope.payload, keep)
    if (!sameBytes(record.peerId, peerIdOfKey(envelope.publicKey))) {
      throw new InvalidSignedRecordError('record was signed by another peer')
    }
    return { envelope, record: { ...record, domain, publicKey: envelope.publicKey } }
  })
}

/**
 * @template T
 * @param {() => T} read
 * @returns {T}
 */
function readingEnvelope(read) {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof InvalidSignedRecordError) throw cause
    throw new InvalidSignedRecordError('not a signed peer record', { cause })
  }
}
