// Signs, encodes, reads and verifies signed peer records (RFC 0002, RFC 0003).

import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { publicKeyFromProtobuf, publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { reader, writer } from 'protons-runtime'
import { countPrefixBytes, writePrefix } from './rendezvous.js'

/**
 * @typedef {import('protons-runtime').Reader} Reader
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
export const RecordDomain = { PEER_RECORD: 'libp2p-peer-record', ROUTING_STATE: 'libp2p-routing-state' }

/** PAYLOAD_TYPES of peer records, by domain. @type {Record<string, Uint8Array>} */
const PAYLOAD_TYPES = {
  [RecordDomain.PEER_RECORD]: Uint8Array.of(0x03, 0x01),
  [RecordDomain.ROUTING_STATE]: new TextEncoder().encode('/libp2p/routing-state-record')
}

/** @type {Uint8Array} */
const EMPTY = new Uint8Array(0)

/** InvalidSignedRecordError is thrown for bytes that are no peer record with a valid signature of its peer. */
export class InvalidSignedRecordError extends Error {
  name = 'InvalidSignedRecordError'
  code = 'ERR_INVALID_SIGNED_RECORD'
}

/** marshalEnvelope writes an envelope (RFC 0002). @param {Envelope} envelope */
function marshalEnvelope({ publicKey, payloadType, payload, signature }) {
  const w = writer().uint32(10).bytes(publicKey).uint32(18).bytes(payloadType)
  return w.uint32(26).bytes(payload).uint32(42).bytes(signature).finish()
}

/**
 * marshalPeerRecord writes the payload (RFC 0003).
 *
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
 * encodeSignedBytes makes the bytes that an envelope signs: domain, payload type and payload, each with its length before it.
 *
 * @param {string} domain
 * @param {Uint8Array} payloadType
 * @param {Uint8Array} payload
 */
function encodeSignedBytes(domain, payloadType, payload) {
  const parts = [new TextEncoder().encode(domain), payloadType, payload]
  const bytes = new Uint8Array(
    parts.reduce((sum, part) => sum + countPrefixBytes(part.length) + part.length, 0)
  )
  let at = 0
  for (const part of parts) {
    at = writePrefix(bytes, at, part.length)
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** readEnvelope reads the parts of an envelope, without checks. @param {Uint8Array} bytes @returns {Envelope} */
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

/** readPeerRecord reads the payload. @param {Uint8Array} bytes @param {boolean} keep - whether addresses are returned */
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

/** Reads an AddressInfo with the reader of the record: a reader for each would cost more than everything else. @param {Reader} r @param {Uint8Array[] | null} addresses */
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
 * findDomain finds the domain of a payload type.
 *
 * @param {Uint8Array} payloadType
 * @throws {InvalidSignedRecordError} when it is no peer record
 */
function findDomain(payloadType) {
  for (const domain in PAYLOAD_TYPES) {
    if (areEqualBytes(PAYLOAD_TYPES[domain], payloadType)) return domain
  }
  throw new InvalidSignedRecordError('envelope holds something other than a peer record')
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const areEqualBytes = (a, b) => a.length === b.length && Buffer.compare(a, b) === 0

/**
 * @typedef {import('node:crypto').KeyObject} KeyObject
 *
 * @typedef {object} FixedKey - a key type whose keys all have one size
 * @property {Uint8Array} prefix - first bytes of libp2p's protobuf
 * @property {number} bytes - of the whole protobuf
 * @property {string | null} digest - that is signed; null: implied by the key type
 * @property {(raw: Buffer) => KeyObject} import
 */

// RSA with 8192 bits, the largest key that libp2p takes
const MAX_KEY_BYTES = 1100
const MAX_RSA_EXPONENT_BYTES = 4
const MAX_IMPORTED = 1000

// the bytes before a compressed point in a SubjectPublicKeyInfo
const SECP256K1_SPKI = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')

/**
 * As JWK, because on Node 20 its import costs 4 to 8 µs, against 63 µs for DER, which OpenSSL 3 decodes slowly.
 *
 * @type {FixedKey}
 */
const ED25519 = {
  // type 1, then 32 bytes of data
  prefix: Uint8Array.of(0x08, 0x01, 0x12, 0x20),
  bytes: 36,
  digest: null,
  import: raw =>
    createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } })
}

/** With OpenSSL, which takes an eighth of the time of libp2p's library. @type {FixedKey} */
const SECP256K1 = {
  prefix: Uint8Array.of(0x08, 0x02, 0x12, 0x21),
  bytes: 37,
  digest: 'sha256',
  import: raw => createPublicKey({ format: 'der', type: 'spki', key: Buffer.concat([SECP256K1_SPKI, raw]) })
}

/** UnusableKeyError is thrown for bytes that are no key, or for a key that makes checking a signature expensive. */
class UnusableKeyError extends Error {
  name = 'UnusableKeyError'
  code = 'ERR_UNUSABLE_KEY'
}

/**
 * isSignedBy checks a signature. Its cost is bounded, whatever the key: 80 µs for Ed25519, half a millisecond for secp256k1, and less than
 * one millisecond in another thread for RSA and ECDSA.
 *
 * @param {Uint8Array} publicKey - as libp2p's protobuf
 * @param {Uint8Array} message
 * @param {Uint8Array} signature
 * @returns {boolean | Promise<boolean>}
 * @throws {UnusableKeyError} at once, or as rejection
 */
function isSignedBy(publicKey, message, signature) {
  const type = [ED25519, SECP256K1].find(
    ({ prefix, bytes }) => publicKey.length === bytes && prefix.every((byte, at) => publicKey[at] === byte)
  )
  if (type === undefined) return isSignedByLargeKey(publicKey, message, signature)
  return verifySignature(type.digest, message, importKey(type, publicKey), signature)
}

/** @param {Uint8Array} publicKey @param {Uint8Array} message @param {Uint8Array} signature */
async function isSignedByLargeKey(publicKey, message, signature) {
  if (publicKey.length > MAX_KEY_BYTES) throw new UnusableKeyError(`a key has at most ${MAX_KEY_BYTES} bytes`)
  try {
    const key = publicKeyFromProtobuf(publicKey)
    if (key.type === 'RSA' && Buffer.from(key.jwk.e ?? '', 'base64url').length > MAX_RSA_EXPONENT_BYTES)
      throw new UnusableKeyError(`an exponent of RSA has at most ${MAX_RSA_EXPONENT_BYTES} bytes`)
    return await key.verify(message, signature)
  } catch (cause) {
    throw cause instanceof UnusableKeyError ? cause : new UnusableKeyError('not a key', { cause })
  }
}

/**
 * A cache of imported keys: a peer that registers in several namespaces sends its key each time.
 *
 * @type {Map<string, KeyObject>}
 */
const keys = new Map()

/** @param {FixedKey} type @param {Uint8Array} key - as libp2p's protobuf */
function importKey(type, key) {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.length)
  const name = bytes.toString('latin1')
  const known = keys.get(name)
  if (known !== undefined) return known
  try {
    const made = type.import(bytes.subarray(type.prefix.length))
    if (keys.size === MAX_IMPORTED) keys.clear()
    keys.set(name, made)
    return made
  } catch (cause) {
    throw new UnusableKeyError('not a key', { cause })
  }
}

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
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

// keys up to this size are their own peer id (identity multihash), larger ones are hashed with SHA-256
const MAX_INLINE_KEY_BYTES = 42

/**
 * makeSigner makes a signer of a libp2p private key of any type. For bulk work with Ed25519 keys a signer over a
 * `KeyObject` of node:crypto saves importing the key each time.
 *
 * @param {PrivateKey} privateKey
 * @returns {Signer}
 */
export const makeSigner = privateKey => ({
  publicKey: publicKeyToProtobuf(privateKey.publicKey),
  sign: message => privateKey.sign(message)
})

/**
 * encodeEd25519Key wraps a raw Ed25519 public key as libp2p's protobuf.
 *
 * @param {Uint8Array} raw - 32 bytes
 */
export function encodeEd25519Key(raw) {
  const bytes = new Uint8Array(ED25519.bytes)
  bytes.set(ED25519.prefix)
  bytes.set(raw, ED25519.prefix.length)
  return bytes
}

/**
 * derivePeerId derives the multihash bytes of the peer id that belongs to a public key.
 *
 * @param {Uint8Array} publicKey - as libp2p's protobuf
 * @returns {Uint8Array}
 */
export function derivePeerId(publicKey) {
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
  const { publicKey, sign } = signer ?? makeSigner(/** @type {PrivateKey} */ (privateKey))
  const payloadType = PAYLOAD_TYPES[domain]
  if (payloadType == null) throw new TypeError(`unknown record domain ${domain}`)
  const payload = marshalPeerRecord(derivePeerId(publicKey), BigInt(seq), addresses)
  const signature = await sign(encodeSignedBytes(domain, payloadType, payload))
  return marshalEnvelope({ publicKey, payloadType, payload, signature })
}

/**
 * openSignedRecord checks a marshalled envelope: it must hold a peer record under one of the two domains, its signature must be valid, and
 * the record's peer id must belong to the key that signed.
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
 * readClaim reads an envelope and leaves it to the caller when to check the signature, which costs a hundred times as much. Addresses are
 * checked, but not returned: a record of 14 kB can hold 1,350 of them.
 *
 * @param {Uint8Array} bytes
 * @returns {{ record: Claim, verify: () => Promise<void> }} `verify` throws an InvalidSignedRecordError for an invalid
 *   signature
 * @throws {InvalidSignedRecordError} when the bytes are no envelope, or the peer id does not belong to the key
 */
export function readClaim(bytes) {
  const { envelope, record } = readRecord(bytes, { keep: false })
  return { record, verify: () => verify(envelope, record.domain) }
}

/** @param {Envelope} envelope @param {string} domain */
async function verify({ publicKey, payloadType, payload, signature }, domain) {
  let isValid
  try {
    const result = isSignedBy(publicKey, encodeSignedBytes(domain, payloadType, payload), signature)
    isValid = typeof result === 'boolean' ? result : await result
  } catch (cause) {
    if (!(cause instanceof UnusableKeyError)) throw cause
    throw new InvalidSignedRecordError('envelope has an unusable key', { cause })
  }
  if (!isValid) throw new InvalidSignedRecordError('signature does not fit key and record')
}

/**
 * readSignedRecordUnverified reads an envelope at a small part of the cost and **without checking the signature**: for records that are
 * known to be valid, as those of the load tester itself.
 *
 * @param {Uint8Array} bytes
 * @returns {SignedRecord}
 * @throws {InvalidSignedRecordError} when the bytes are no envelope, or the peer id does not belong to the key
 */
export function readSignedRecordUnverified(bytes) {
  return readRecord(bytes).record
}

/**
 * readSignerUnverified derives the peer id from the key in an envelope and reads nothing else.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} multihash bytes
 * @throws {InvalidSignedRecordError} when the bytes are no envelope
 */
export function readSignerUnverified(bytes) {
  const { publicKey } = rethrowInvalid(() => readEnvelope(bytes))
  if (publicKey.length === 0) throw new InvalidSignedRecordError('signed record has no key')
  return derivePeerId(publicKey)
}

/** @param {Uint8Array} bytes @param {{ keep?: boolean }} [addresses] @returns {{ envelope: Envelope, record: SignedRecord }} */
function readRecord(bytes, { keep = true } = {}) {
  return rethrowInvalid(() => {
    const envelope = readEnvelope(bytes)
    const domain = findDomain(envelope.payloadType)
    const record = readPeerRecord(envelope.payload, keep)
    if (!areEqualBytes(record.peerId, derivePeerId(envelope.publicKey))) {
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
function rethrowInvalid(read) {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof InvalidSignedRecordError) throw cause
    throw new InvalidSignedRecordError('not a signed peer record', { cause })
  }
}
