import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import {
  deriveIdentitySeed,
  derivePrivateKey,
  makeIdentitySigner,
  Purpose
} from '../../src/client/identities.js'

describe('identities', () => {
  it('are the same in every run, release and process', async () => {
    assert.equal(
      deriveIdentitySeed(7, Purpose.CLIENT, 0).toString('hex'),
      'db74a0084924af057a458aa9cd7481576daedd4273f667202f1aca200b731c67'
    )
    const key = await derivePrivateKey(7, Purpose.CLIENT, 0)
    assert.equal(peerIdFromPrivateKey(key).toString(), '12D3KooWBoCZEPDZE19xLibpuTwykVdTPV4hGP57qobSngp7pSRr')
  })

  it('differ by seed, purpose and index', () => {
    const seeds = [
      deriveIdentitySeed(7, 'client', 1),
      deriveIdentitySeed(8, 'client', 1),
      deriveIdentitySeed(7, 'registrant', 1),
      deriveIdentitySeed(7, 'client', 2),
      deriveIdentitySeed(7, 'client', 11)
    ]
    assert.equal(new Set(seeds.map(seed => seed.toString('hex'))).size, seeds.length)
    for (const seed of seeds) assert.equal(seed.length, 32)
  })

  it('sign alike through libp2p and through the fast way', async () => {
    const key = await derivePrivateKey(7, Purpose.REGISTRANT, 3)
    const signer = makeIdentitySigner(7, Purpose.REGISTRANT, 3)
    const message = new TextEncoder().encode('message')
    assert.deepEqual(Buffer.from(signer.publicKey), Buffer.from(publicKeyToProtobuf(key.publicKey)))
    assert.deepEqual(Buffer.from(await signer.sign(message)), Buffer.from(await key.sign(message)))
  })
})
