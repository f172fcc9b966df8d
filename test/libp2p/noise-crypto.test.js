import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { pureJsCrypto } from '@libp2p/noise'
import { Uint8ArrayList } from 'uint8arraylist'
import { noiseCrypto } from '../../src/libp2p/layers/noise.js'

const MODULE = new URL('../../src/libp2p/layers/noise.js', import.meta.url).href

const hex = (/** @type {{ subarray: () => Uint8Array }} */ bytes) =>
  Buffer.from(bytes.subarray()).toString('hex')
const list = (/** @type {Uint8Array} */ bytes) =>
  /** @type {any} */ (new Uint8ArrayList(bytes.subarray(0, 3), bytes.subarray(3)))

describe('noiseCrypto computes what the reference implementation computes', () => {
  it('hashes', () => {
    const data = randomBytes(99)
    assert.equal(hex(noiseCrypto.hashSHA256(data)), hex(pureJsCrypto.hashSHA256(data)))
    assert.equal(hex(noiseCrypto.hashSHA256(list(data))), hex(pureJsCrypto.hashSHA256(data)))
  })

  it('derived keys', () => {
    for (const length of [0, 32]) {
      const [ck, ikm] = [randomBytes(32), randomBytes(length)]
      assert.deepEqual(noiseCrypto.getHKDF(ck, ikm).map(hex), pureJsCrypto.getHKDF(ck, ikm).map(hex))
    }
  })

  it('keys and their agreement, whoever made them', () => {
    const seed = randomBytes(32)
    const mine = noiseCrypto.generateX25519KeyPairFromSeed(seed)
    assert.equal(hex(mine.privateKey), hex(seed))
    assert.equal(hex(mine.publicKey), hex(pureJsCrypto.generateX25519KeyPairFromSeed(seed).publicKey))
    const made = noiseCrypto.generateX25519KeyPair()
    const theirs = pureJsCrypto.generateX25519KeyPair()
    const secret = hex(pureJsCrypto.generateX25519SharedKey(theirs.privateKey, made.publicKey))
    assert.equal(hex(noiseCrypto.generateX25519SharedKey(made.privateKey, theirs.publicKey)), secret)
    assert.equal(hex(noiseCrypto.generateX25519SharedKey(made.privateKey, list(theirs.publicKey))), secret)
    assert.equal(hex(noiseCrypto.generateX25519SharedKey(made.privateKey.slice(), theirs.publicKey)), secret)
  })

  for (const length of [0, 1, 16, 1199, 1200, 65_519]) {
    for (const ad of [0, 32]) {
      it(`ciphertexts of ${length} bytes with ${ad} more authenticated`, () => {
        const [plaintext, nonce, more, key] = [length, 12, ad, 32].map(size => randomBytes(size))
        const ciphertext = pureJsCrypto.chaCha20Poly1305Encrypt(plaintext, nonce, more, key)
        for (const input of [plaintext, list(plaintext)]) {
          assert.equal(hex(noiseCrypto.chaCha20Poly1305Encrypt(input, nonce, more, key)), hex(ciphertext))
        }
        const sealed = ciphertext.subarray()
        for (const input of [sealed, list(sealed)]) {
          assert.equal(hex(noiseCrypto.chaCha20Poly1305Decrypt(input, nonce, more, key)), hex(plaintext))
        }
        const forged = sealed.slice()
        forged[forged.length - 1] ^= 1
        assert.throws(() => noiseCrypto.chaCha20Poly1305Decrypt(forged, nonce, more, key))
      })
    }
  }

  it('nothing of a message shorter than its tag', () => {
    const key = randomBytes(32)
    assert.throws(() =>
      noiseCrypto.chaCha20Poly1305Decrypt(randomBytes(15), randomBytes(12), new Uint8Array(0), key)
    )
  })
})

it('key pairs are made without end, whatever is collected as garbage meanwhile', () => {
  const script = `import { noiseCrypto } from ${JSON.stringify(MODULE)}
    for (let i = 0; i < 5000; i++) noiseCrypto.generateX25519KeyPair()`
  const { status, signal } = spawnSync(
    process.execPath,
    ['--max-semi-space-size=1', '--input-type=module', '--eval', script],
    { timeout: 300_000 }
  )
  assert.deepEqual([status, signal], [0, null])
})
