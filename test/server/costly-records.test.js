import './harness.js'
import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { generateKeyPair, publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { encodeRegister, Status } from '../../src/protocol/rendezvous.js'
import { derivePeerId, sealPeerRecord } from '../../src/protocol/signed-record.js'
import { MemoryStore } from '../../src/server/store/memory-store.js'
import { makePeer, startService } from './harness.js'

const TTL = 7200
const KEY_TYPES = /** @type {const} */ (['Ed25519', 'secp256k1', 'RSA', 'ECDSA'])

/** libp2p makes no peer ids of ECDSA keys. @param {Uint8Array} publicKey @returns {any} */
const idOf = publicKey => ({ toMultihash: () => ({ bytes: derivePeerId(publicKey) }) })

/** @param {string} type */
async function peerWith(type) {
  const privateKey = await /** @type {any} */ (generateKeyPair)(type)
  const record = await sealPeerRecord({ privateKey, addresses: [], seq: 1 })
  const broken = await sealPeerRecord({
    privateKey: {
      publicKey: publicKeyToProtobuf(privateKey.publicKey),
      sign: async (/** @type {Uint8Array} */ message) => {
        const signature = new Uint8Array(await privateKey.sign(message))
        signature[signature.length - 3] ^= 1
        return signature
      }
    },
    addresses: [],
    seq: 1
  })
  return { id: idOf(publicKeyToProtobuf(privateKey.publicKey)), record, broken }
}

/** @typedef {{ id: import('@libp2p/interface').PeerId }} Peer */

/**
 * @param {Awaited<ReturnType<typeof startService>>} server
 * @param {Peer} peer
 * @param {Uint8Array} signedPeerRecord
 * @param {string} [ns]
 */
async function statusOf(server, peer, signedPeerRecord, ns = 'ns') {
  const client = await server.open(peer)
  const reply = await client.ask(encodeRegister({ ns, signedPeerRecord, ttl: TTL }))
  return reply?.registerResponse?.status
}

for (const type of KEY_TYPES) {
  describe(`a record signed with a key of type ${type}`, async () => {
    const owner = await peerWith(type)
    const replayer = await makePeer()

    it('is taken from its owner, and refused with 101 when the signature is wrong', async () => {
      const server = await startService()
      assert.equal(await statusOf(server, owner, owner.record), Status.OK)
      assert.equal(await statusOf(server, owner, owner.broken), Status.E_INVALID_SIGNED_PEER_RECORD)
      assert.deepEqual(server.seen.failures, [])
    })

    // a wrong signature shows which check came first: nobody pays for checking it
    it('of somebody else is refused before its signature is looked at', async () => {
      const server = await startService()
      assert.equal(await statusOf(server, replayer, owner.broken), Status.E_NOT_AUTHORIZED)
    })

    it('is refused by a cap before its signature is looked at', async () => {
      const full = await startService({ maxPeerRegistrations: 1, maxRegistrations: 1 })
      assert.equal(await statusOf(full, owner, owner.record, 'first'), Status.OK)
      assert.equal(await statusOf(full, owner, owner.broken, 'second'), Status.E_NOT_AUTHORIZED)
      const other = await peerWith(type)
      assert.equal(await statusOf(full, other, other.broken), Status.E_UNAVAILABLE)
      assert.equal(await statusOf(full, owner, owner.record, 'first'), Status.OK, 'a renewal still goes')
    })
  })
}

describe('a key that makes each check dear', () => {
  /** Public and private exponent changed places: a sound RSA key, and checking costs as much as signing. */
  function swappedRsa() {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { e, d, ...rest } = privateKey.export({ format: 'jwk' })
    const swapped = createPrivateKey({ format: 'jwk', key: { ...rest, e: d, d: e, dp: e, dq: e } })
    const der = createPublicKey(swapped).export({ format: 'der', type: 'spki' })
    const length = [(der.length & 0x7f) | 0x80, der.length >> 7]
    const publicKey = Buffer.concat([Uint8Array.of(0x08, 0x00, 0x12, ...length), der])
    return { publicKey, sign: (/** @type {Uint8Array} */ message) => sign('sha256', message, swapped) }
  }

  it('is refused with 101: an exponent of RSA as long as the modulus', async () => {
    const signer = swappedRsa()
    const record = await sealPeerRecord({ privateKey: signer, addresses: [], seq: 1 })
    const server = await startService()
    assert.equal(
      await statusOf(server, { id: idOf(signer.publicKey) }, record),
      Status.E_INVALID_SIGNED_PEER_RECORD
    )
    assert.deepEqual(server.seen.failures, [])
  })

  it('is refused with 101: one longer than any key type needs, and ones that are none', async () => {
    const server = await startService()
    for (const publicKey of [
      Buffer.concat([Uint8Array.of(0x08, 0x00, 0x12, 0xc0, 0x3e), Buffer.alloc(8000, 0x30)]),
      Buffer.concat([Uint8Array.of(0x08, 0x03, 0x12, 0x5b), Buffer.alloc(91, 0x04)]),
      Buffer.concat([Uint8Array.of(0x08, 0x02, 0x12, 0x21), Buffer.alloc(33, 0xff)]),
      Buffer.concat([Uint8Array.of(0x08, 0x02, 0x12, 0x41), Buffer.alloc(65, 0x04)])
    ]) {
      const sign = () => new Uint8Array(64)
      const record = await sealPeerRecord({ privateKey: { publicKey, sign }, addresses: [], seq: 1 })
      assert.equal(
        await statusOf(server, { id: idOf(publicKey) }, record),
        Status.E_INVALID_SIGNED_PEER_RECORD
      )
    }
    assert.deepEqual(server.seen.failures, [])
  })
})

describe('a store without a look ahead', () => {
  it('says by itself what it refuses', async () => {
    const store = new MemoryStore({ maxPeerRegistrations: 1 })
    store.refusal = /** @type {any} */ (undefined)
    const server = await startService({ store })
    const owner = await makePeer()
    assert.equal(await statusOf(server, owner, owner.record, 'first'), Status.OK)
    assert.equal(await statusOf(server, owner, owner.record, 'second'), Status.E_NOT_AUTHORIZED)
  })
})
