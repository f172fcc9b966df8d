// A faster Noise encrypter: native cryptography from node:crypto, and a static key that is signed only once.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync
} from 'node:crypto'
import { ChaCha20Poly1305, newInstance } from '@chainsafe/as-chacha20poly1305'

/**
 * @typedef {import('@libp2p/noise').ICryptoInterface} NoiseCrypto
 * @typedef {import('node:crypto').KeyObject} KeyObject
 * @typedef {Parameters<NoiseCrypto['hashSHA256']>[0]} Bytes - an array, or a list of arrays
 */

const CIPHER = 'chacha20-poly1305'
const TAG_BYTES = 16
const TAG = { authTagLength: TAG_BYTES }
// below, WebAssembly is faster (1 µs against 3 µs for 70 bytes), above node:crypto is (4 µs against 7 µs for 1,000)
const SMALL_BYTES = 400
const wasmCipher = new ChaCha20Poly1305(newInstance())
// what stands before the raw key in PKCS#8
const PKCS8_X25519 = Buffer.from('302e020100300506032b656e04220420', 'hex')

/**
 * Private keys made here, by their raw bytes.
 *
 * @type {WeakMap<object, KeyObject>}
 */
const privateKeys = new WeakMap()

/**
 * Keys leave the generator encoded. A key object of its own must not be exported: when the generator is collected as garbage
 * meanwhile, Node 20 waits for ever for a lock that it holds itself.
 */
const ENCODED = /** @type {any} */ ({
  publicKeyEncoding: { type: 'spki', format: 'jwk' },
  privateKeyEncoding: { type: 'pkcs8', format: 'jwk' }
})

function newKeyPair() {
  const { privateKey: jwk } = generateKeyPairSync('x25519', ENCODED)
  return rawKeyPair(createPrivateKey({ key: /** @type {any} */ (jwk), format: 'jwk' }))
}

/** @param {KeyObject} privateKey - not from Node's generator */
function rawKeyPair(privateKey) {
  const { d, x } = /** @type {{ d: string, x: string }} */ (privateKey.export({ format: 'jwk' }))
  const raw = { privateKey: Buffer.from(d, 'base64url'), publicKey: Buffer.from(x, 'base64url') }
  privateKeys.set(raw.privateKey, privateKey)
  return raw
}

/** @param {Bytes} bytes */
const importPrivateKey = bytes =>
  createPrivateKey({ key: Buffer.concat([PKCS8_X25519, bytes.subarray()]), format: 'der', type: 'pkcs8' })

/** @param {Bytes} bytes */
function importPublicKey(bytes) {
  const x = Buffer.from(bytes.subarray()).toString('base64url')
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x } })
}

/** @param {Uint8Array} key @param {...Uint8Array} parts */
function hmac(key, ...parts) {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** @param {Uint8Array} ciphertext @param {Uint8Array} nonce @param {Uint8Array} ad @param {Uint8Array} k */
function decryptSmall(ciphertext, nonce, ad, k) {
  const plaintext = ciphertext.length < TAG_BYTES ? null : wasmCipher.open(k, nonce, ciphertext, ad)
  if (plaintext === null) throw new Error('message was not encrypted with this key, or changed')
  return plaintext
}

/**
 * noiseCrypto is the cryptography of Noise from node:crypto, for `noise({ crypto: noiseCrypto })`, and for small messages
 * from the WebAssembly that Noise uses as well.
 *
 * Noise's own takes the same algorithms from the same places, but imports keys as DER: on Node 20 that is 318 µs for a
 * private and 60 µs for a public key, three times each in a handshake, where the key agreement takes 26 µs. Here private
 * keys stay as they were made, and public ones are imported as JWK in 5 to 10 µs. HKDF is node's as well.
 *
 * @type {NoiseCrypto}
 */
export const noiseCrypto = {
  /** @param {Bytes} data */
  hashSHA256: data => createHash('sha256').update(data.subarray()).digest(),

  /** @param {Uint8Array} ck @param {Uint8Array} ikm @returns {[Uint8Array, Uint8Array, Uint8Array]} RFC 5869, 96 bytes */
  getHKDF(ck, ikm) {
    const prk = hmac(ck, ikm)
    const k1 = hmac(prk, Uint8Array.of(1))
    const k2 = hmac(prk, k1, Uint8Array.of(2))
    return [k1, k2, hmac(prk, k2, Uint8Array.of(3))]
  },

  generateX25519KeyPair: newKeyPair,

  /** @param {Uint8Array} seed */
  generateX25519KeyPairFromSeed: seed => rawKeyPair(importPrivateKey(seed)),

  /** @param {Bytes} privateKey @param {Bytes} publicKey */
  generateX25519SharedKey: (privateKey, publicKey) =>
    diffieHellman({
      privateKey: privateKeys.get(privateKey) ?? importPrivateKey(privateKey),
      publicKey: importPublicKey(publicKey)
    }),

  /** @param {Bytes} plaintext @param {Uint8Array} nonce @param {Uint8Array} ad @param {Uint8Array} k */
  chaCha20Poly1305Encrypt(plaintext, nonce, ad, k) {
    if (plaintext.byteLength < SMALL_BYTES) return wasmCipher.seal(k, nonce, plaintext.subarray(), ad)
    const cipher = createCipheriv(CIPHER, k, nonce, TAG)
    if (ad.length > 0) cipher.setAAD(ad, { plaintextLength: plaintext.byteLength })
    const ciphertext = cipher.update(plaintext.subarray())
    cipher.final()
    return Buffer.concat([ciphertext, cipher.getAuthTag()])
  },

  /** @param {Bytes} ciphertext @param {Uint8Array} nonce @param {Uint8Array} ad @param {Uint8Array} k */
  chaCha20Poly1305Decrypt(ciphertext, nonce, ad, k) {
    const bytes = ciphertext.subarray()
    if (bytes.length < SMALL_BYTES) return decryptSmall(bytes, nonce, ad, k)
    const end = bytes.length - TAG_BYTES
    const decipher = createDecipheriv(CIPHER, k, nonce, TAG)
    if (ad.length > 0) decipher.setAAD(ad, { plaintextLength: end })
    decipher.setAuthTag(bytes.subarray(end))
    const plaintext = decipher.update(bytes.subarray(0, end))
    decipher.final()
    return plaintext
  }
}

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('@libp2p/interface').ConnectionEncrypter} ConnectionEncrypter
 */

/**
 * signedOnce makes a Noise that signs its static key once, and not anew for each handshake: it is the same for as long as its node lives
 * (https://github.com/libp2p/specs/tree/master/noise, "Static Key Authentication").
 *
 * @template {{ privateKey: PrivateKey }} C
 * @param {(components: C) => ConnectionEncrypter} noise
 * @returns {(components: C) => ConnectionEncrypter}
 */
export const signedOnce = noise => components =>
  noise(Object.create(components, { privateKey: { value: rememberingKey(components.privateKey) } }))

/** A key that knows what it signed last. @param {PrivateKey} key @returns {Pick<PrivateKey, 'publicKey' | 'sign'>} */
function rememberingKey(key) {
  let signed = Buffer.alloc(0)
  /** @type {ReturnType<PrivateKey['sign']> | undefined} */
  let signature
  return {
    publicKey: key.publicKey,
    sign(data) {
      if (signature === undefined || !signed.equals(data.subarray())) {
        signed = Buffer.from(data.subarray())
        signature = key.sign(data)
      }
      return signature
    }
  }
}
