import { createPublicKey, verify } from 'node:crypto'
import { publicKeyFromProtobuf } from '@libp2p/crypto/keys'

/**
 * @typedef {import('node:crypto').KeyObject} KeyObject
 *
 * @typedef {object} FixedKey - a key type whose keys all have one size
 * @property {Uint8Array} prefix - what libp2p's protobuf begins with
 * @property {number} bytes - of the whole protobuf
 * @property {string | null} digest - that is signed; null: the key type says
 * @property {(raw: Buffer) => KeyObject} import
 */

// RSA with 8192 bits, the largest key that libp2p takes
const MAX_KEY_BYTES = 1100
const MAX_RSA_EXPONENT_BYTES = 4
const IMPORTED_KEPT = 1000

// what stands before a compressed point in a SubjectPublicKeyInfo
const SECP256K1_SPKI = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')

/**
 * JWK looks roundabout, but on Node 20 importing one costs 4 to 8 µs against 63 µs for DER, which OpenSSL 3 decodes
 * slowly.
 *
 * @type {FixedKey}
 */
const ED25519 = {
  prefix: Uint8Array.of(0x08, 0x01, 0x12, 0x20),
  bytes: 36,
  digest: null,
  import: raw =>
    createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } })
}

/** OpenSSL takes an eighth of the time of the library that libp2p uses. @type {FixedKey} */
const SECP256K1 = {
  prefix: Uint8Array.of(0x08, 0x02, 0x12, 0x21),
  bytes: 37,
  digest: 'sha256',
  import: raw => createPublicKey({ format: 'der', type: 'spki', key: Buffer.concat([SECP256K1_SPKI, raw]) })
}

/** UnusableKeyError is thrown for a key that is none, or that would make checking a signature dear. */
export class UnusableKeyError extends Error {
  name = 'UnusableKeyError'
  code = 'ERR_UNUSABLE_KEY'
}

/**
 * isSignedBy checks a signature. What a peer's key can cost is bounded: 80 µs for Ed25519, half a millisecond for secp256k1, and less
 * than one in another thread for RSA and ECDSA.
 *
 * @param {Uint8Array} publicKey - as libp2p's protobuf
 * @param {Uint8Array} message
 * @param {Uint8Array} signature
 * @returns {boolean | Promise<boolean>}
 * @throws {UnusableKeyError} at once, or as rejection
 */
export function isSignedBy(publicKey, message, signature) {
  for (const type of [ED25519, SECP256K1]) {
    if (isOf(type, publicKey)) return verify(type.digest, message, imported(type, publicKey), signature)
  }
  return isSignedByLargeKey(publicKey, message, signature)
}

/** @param {Uint8Array} publicKey @param {Uint8Array} message @param {Uint8Array} signature */
async function isSignedByLargeKey(publicKey, message, signature) {
  if (publicKey.length > MAX_KEY_BYTES) {
    throw new UnusableKeyError(`a key has at most ${MAX_KEY_BYTES} bytes`)
  }
  try {
    const key = publicKeyFromProtobuf(publicKey)
    if (key.type === 'RSA' && exponentBytes(key.jwk) > MAX_RSA_EXPONENT_BYTES) {
      throw new UnusableKeyError(`an exponent of RSA has at most ${MAX_RSA_EXPONENT_BYTES} bytes`)
    }
    return await key.verify(message, signature)
  } catch (cause) {
    throw cause instanceof UnusableKeyError ? cause : new UnusableKeyError('not a key', { cause })
  }
}

/** @param {JsonWebKey} jwk */
const exponentBytes = ({ e = '' }) => Buffer.from(e, 'base64url').length

/** @param {FixedKey} type @param {Uint8Array} key */
const isOf = ({ prefix, bytes }, key) => key.length === bytes && prefix.every((byte, at) => key[at] === byte)

/**
 * Keys imported last: a peer that registers in several namespaces sends its key each time.
 *
 * @type {Map<string, KeyObject>}
 */
const keys = new Map()

/** @param {FixedKey} type @param {Uint8Array} key - as libp2p's protobuf */
function imported(type, key) {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.length)
  const name = bytes.toString('latin1')
  const known = keys.get(name)
  if (known !== undefined) return known
  const made = importRaw(type, bytes.subarray(type.prefix.length))
  if (keys.size === IMPORTED_KEPT) keys.clear()
  keys.set(name, made)
  return made
}

/** @param {FixedKey} type @param {Buffer} raw */
function importRaw(type, raw) {
  try {
    return type.import(raw)
  } catch (cause) {
    throw new UnusableKeyError('not a key', { cause })
  }
}
