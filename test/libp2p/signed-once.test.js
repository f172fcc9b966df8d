import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { defaultLogger } from '@libp2p/logger'
import { noise } from '@libp2p/noise'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddrConnectionPair } from '@libp2p/utils'
import { signedOnce } from '../../src/libp2p/layers/noise.js'

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
