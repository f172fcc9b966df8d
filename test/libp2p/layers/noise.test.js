import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { defaultLogger } from '@libp2p/logger'
import { noise, pureJsCrypto } from '@libp2p/noise'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddrConnectionPair } from '@libp2p/utils'
import { Uint8ArrayList } from 'uint8arraylist'
import { noiseCrypto, signedOnce } from '../../../src/libp2p/layers/noise.js'

const MODULE = new URL('../../../src/libp2p/layers/noise.js', import.meta.url).href

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

/** Components of a node whose key counts what it signs. */
async function newNode() {
  const key = await generateKeyPair('Ed25519')
  const counted = { signatures: 0 }
  const privateKey = {
    publicKey: key.publicKey,
    sign(/** @type {any} */ data) {
      counted.signatures++
      return key.sign(data)
    }
  }
  const peerId = peerIdFromPrivateKey(key)
  /** @type {any} */
  const components = {
    privateKey,
    peerId,
    logger: defaultLogger(),
    upgrader: { getStreamMuxers: () => new Map() }
  }
  return { components, counted, peerId }
}

describe('a Noise that signs its static key once', () => {
  it('shakes hands with whom it likes, and each knows the other', async () => {
    const [ours, theirs] = [await newNode(), await newNode()]
    const ourNoise = signedOnce(noise())(ours.components)
    const theirNoise = noise()(theirs.components)
    for (let i = 0; i < 3; i++) {
      const [outbound, inbound] = multiaddrConnectionPair()
      const [dialled, taken] = await Promise.all([
        ourNoise.secureOutbound(outbound, { remotePeer: theirs.peerId }),
        theirNoise.secureInbound(inbound)
      ])
      assert.ok(dialled.remotePeer.equals(theirs.peerId))
      assert.ok(taken.remotePeer.equals(ours.peerId))
    }
    assert.equal(ours.counted.signatures, 1)
    assert.equal(theirs.counted.signatures, 3)
  })

  it('signs what is another text', async () => {
    const { components, counted } = await newNode()
    /** @type {any} */
    let given
    signedOnce(its => {
      given = its.privateKey
      return /** @type {any} */ ({})
    })(components)
    const texts = ['one', 'one', 'two', 'one'].map(text => Buffer.from(text))
    for (const text of texts)
      assert.ok(await components.privateKey.publicKey.verify(text, await given.sign(text)), String(text))
    assert.equal(counted.signatures, 3)
  })
})
