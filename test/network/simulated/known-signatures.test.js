import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { describe, it } from 'node:test'
import { knownSignatures } from '../../../src/simulator/virtual-environment.js'

const DATA = Buffer.from('what was signed')

/** Checks whose work is counted. */
function counted() {
  const made = { keys: 0, checks: 0 }
  const known = knownSignatures({
    createPublicKey: input => {
      made.keys++
      return crypto.createPublicKey(input)
    },
    verify: /** @type {typeof crypto.verify} */ (
      /** @param {any[]} args */
      (...args) => {
        made.checks++
        return Reflect.apply(crypto.verify, undefined, args)
      }
    )
  })
  return { ...known, made }
}

/** As libp2p hands keys in: anew each time. */
function author() {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519')
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  return {
    input: () => /** @type {crypto.JsonWebKeyInput} */ ({ format: 'jwk', key: { kty, crv, x } }),
    sign: (/** @type {Uint8Array} */ data) => crypto.sign(null, data, privateKey)
  }
}

describe('signatures that are known', () => {
  it('are checked once, each with its own key', () => {
    const { createPublicKey, verify, made } = counted()
    const [alice, bob] = [author(), author()]
    const signature = alice.sign(DATA)
    for (let copy = 0; copy < 3; copy++)
      assert.equal(
        verify(null, Buffer.from(DATA), createPublicKey(alice.input()), Buffer.from(signature)),
        true
      )
    assert.deepEqual(made, { keys: 1, checks: 1 })
    assert.equal(verify(null, DATA, createPublicKey(bob.input()), signature), false)
    assert.deepEqual(made, { keys: 2, checks: 2 })
  })

  it('do not vouch for forged ones, before or after', () => {
    const { createPublicKey, verify } = counted()
    const { input, sign } = author()
    const signature = sign(DATA)
    const forged = Buffer.from(signature)
    forged[5] ^= 1
    const check = (/** @type {Uint8Array} */ data, /** @type {Uint8Array} */ each) =>
      verify(null, data, createPublicKey(input()), each)
    assert.equal(check(DATA, forged), false)
    assert.equal(check(DATA, forged), false)
    assert.equal(check(DATA, signature), true)
    assert.equal(check(Buffer.from('what was not signed'), signature), false)
    const other = Buffer.from('what was signed, too')
    assert.equal(check(other, sign(other)), true)
    assert.equal(check(other, signature), false)
  })

  it('leave other keys and ways of checking as they are', async () => {
    const { createPublicKey, verify, made } = counted()
    const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const signature = crypto.sign('sha256', DATA, privateKey)
    for (let copy = 0; copy < 2; copy++) {
      const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))
      assert.equal(verify('sha256', DATA, key, signature), true)
    }
    assert.deepEqual(made, { keys: 2, checks: 2 })
    const { input, sign } = author()
    const called = new Promise(resolve => {
      verify(null, DATA, createPublicKey(input()), sign(DATA), (error, valid) => resolve([error, valid]))
    })
    assert.deepEqual(await called, [null, true])
  })
})
