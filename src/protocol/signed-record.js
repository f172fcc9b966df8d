import { createHash } from 'node:crypto'
import { publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { reader, writer } from 'protons-runtime'
import { prefixBytes, writePrefix } from './framing.js'
import { isSignedBy, UnusableKeyError } from './signature.js'

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('protons-runtime').Reader} Reader
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
 *
 * @typedef {object} Envelope - RFC 0002
 * @property {Uint8Array} publicKey
 * @property {Uint8Array} payloadType
 * @property {Uint8Array} payload
 * @property {Uint8Array} signature
 */

/**
 * RecordDomain holds the two domains under which peer records are sealed: the one JavaScript and Go use, and the older
 * one of RFC 0003 that rust implementations use.
 */
export const RecordDomain = {
  PEER_RECORD: 'libp2p-peer-record',
  ROUTING_STATE: 'libp2p-routing-state'
}

/** @type {Record<string, Uint8Array>} */
const PAYLOAD_TYPES = {
  [RecordDomain.PEER_RECORD]: Uint8Array.of(0x03, 0x01),
  [RecordDomain.ROUTING_STATE]: new TextEncoder().encode('/libp2p/routing-state-record')
}

// libp2p's protobuf of an Ed25519 public key: type 1, then 32 bytes of data
const ED25519_KEY = Uint8Array.of(0x08, 0x01, 0x12, 0x20)
const ED25519_KEY_BYTES = ED25519_KEY.length + 32
/** @type {Uint8Array} */
const EMPTY = new Uint8Array(0)
// keys up to this size are their own peer id (identity multihash), larger ones are hashed with SHA-256
const MAX_INLINE_KEY_BYTES = 42

/** InvalidSignedRecordError is thrown for bytes that are no peer record properly signed by its peer. */
export class InvalidSignedRecordError extends Error {
  name = 'InvalidSignedRecordError'
  code = 'ERR_INVALID_SIGNED_RECORD'
}

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
  return writer()
    .uint32(10)
    .bytes(publicKey)
    .uint32(18)
    .bytes(payloadType)
    .uint32(26)
    .bytes(payload)
    .uint32(42)
    .bytes(signature)
    .finish()
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

/** @param {Uint8Array} payloadType */
function domainOf(payloadType) {
  for (const domain in PAYLOAD_TYPES) {
    if (sameBytes(PAYLOAD_TYPES[domain], payloadType)) return domain
  }
  throw new InvalidSignedRecordError('envelope holds something other than a peer record')
}

/** @param {Uint8Array} bytes @returns {Envelope} */
function readEnvelope(bytes) {
  const r = reader(bytes)
  /** @type {Envelope} */
  const envelope = { publicKey: EMPTY, payloadType: EMPTY, payload: EMPTY, signature: EMPTY }
  while (r.pos < r.len) {
    const tag = r.uint32()
    if (tag === 10) envelope.publicKey = r.bytes()
    else if (tag === 18) envelope.payloadType = r.bytes()
    else if (tag === 26) envelope.payload = r.bytes()
    else if (tag === 42) envelope.signature = r.bytes()
    else r.skipType(tag & 7)
  }
  return envelope
}

/** @param {Uint8Array} bytes @param {boolean} keep - addresses */
function readPeerRecord(bytes, keep) {
  const r = reader(bytes)
  let peerId = EMPTY
  let seq = 0n
  /** @type {Uint8Array[]} */
  const addresses = []
  while (r.pos < r.len) {
    const tag = r.uint32()
    if (tag === 10) peerId = r.bytes()
    else if (tag === 16) seq = r.uint64()
    else if (tag === 26) readAddress(r, keep ? addresses : null)
    else r.skipType(tag & 7)
  }
  return { peerId, seq, addresses }
}

/** An AddressInfo, read where it stands: a reader of its own for each costs more than all else. @param {Reader} r @param {Uint8Array[] | null} addresses */
function readAddress(r, addresses) {
  const length = r.uint32()
  const end = r.pos + length
  let address = EMPTY
  while (r.pos < end) {
    const tag = r.uint32()
    if (tag === 10 && addresses !== null) address = r.bytes()
    else r.skipType(tag & 7)
  }
  if (r.pos !== end) throw new InvalidSignedRecordError('an address of the record is cut off')
  addresses?.push(address)
}

/**
 * @param {Uint8Array} peerId
 * @param {bigint} seq
 * @param {Array<Uint8Array | { bytes: Uint8Array }>} addresses
 */
function marshalPeerRecord(peerId, seq, addresses) {
  const w = writer().uint32(10).bytes(peerId)
  if (seq !== 0n) w.uint32(16).uint64(seq)
  for (const address of addresses) {
    const bytes = address instanceof Uint8Array ? address : address.bytes
    w.uint32(26).fork().uint32(10).bytes(bytes).ldelim()
  }
  return w.finish()
}

/**
 * The bytes an envelope signs: domain, payload type and payload, each behind its length.
 *
 * @param {string} domain
 * @param {Uint8Array} payloadType
 * @param {Uint8Array} payload
 */
function signedBytes(domain, payloadType, payload) {
  const parts = [new TextEncoder().encode(domain), payloadType, payload]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + prefixBytes(part.length) + part.length, 0))
  let at = 0
  for (const part of parts) {
    at = writePrefix(bytes, at, part.length)
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const sameBytes = (a, b) => a.length === b.length && Buffer.compare(a, b) === 0
