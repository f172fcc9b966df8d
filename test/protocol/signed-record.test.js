import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generateKeyPair, publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { PeerRecord, RecordEnvelope } from '@libp2p/peer-record'
import { multiaddr } from '@multiformats/multiaddr'
import {
  derivePeerId,
  InvalidSignedRecordError,
  makeSigner,
  openSignedRecord,
  RecordDomain,
  readSignedRecordUnverified,
  readSignerUnverified,
  sealPeerRecord
} from '../../src/protocol/signed-record.js'

const addresses = [multiaddr('/ip4/127.0.0.1/tcp/4001'), multiaddr('/ip4/10.0.0.1/tcp/4001/ws')]
const privateKey = await generateKeyPair('Ed25519')
const stranger = await generateKeyPair('Ed25519')
const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('hex')
const peerIdBytes = (/** @type {import('@libp2p/interface').PrivateKey} */ key) =>
  peerIdFromPrivateKey(key).toMultihash().bytes

describe('a sealed peer record', () => {
  for (const domain of Object.values(RecordDomain)) {
    it(`opens again under ${domain}`, async () => {
      const bytes = await sealPeerRecord({ privateKey, addresses, seq: 42, domain })
      const record = await openSignedRecord(bytes)
      assert.equal(hex(record.peerId), hex(peerIdBytes(privateKey)))
      assert.equal(record.seq, 42n)
      assert.deepEqual(
        record.addresses.map(hex),
        addresses.map(address => hex(address.bytes))
      )
      assert.equal(record.domain, domain)
      assert.deepEqual(readSignedRecordUnverified(bytes), record)
      assert.equal(hex(readSignerUnverified(bytes)), hex(record.peerId))
    })
  }

  for (const type of /** @type {const} */ (['Ed25519', 'secp256k1', 'RSA'])) {
    it(`can be made with a key of type ${type}, byte for byte as libp2p reads and writes it`, async () => {
      const key = await /** @type {any} */ (generateKeyPair)(type)
      const bytes = await sealPeerRecord({ privateKey: key, addresses, seq: 7n })
      const envelope = await RecordEnvelope.openAndCertify(bytes, PeerRecord.DOMAIN)
      assert.equal(hex(envelope.marshal()), hex(bytes))
      const theirs = PeerRecord.createFromProtobuf(envelope.payload)
      assert.ok(theirs.peerId.equals(peerIdFromPrivateKey(key)))
      assert.deepEqual(theirs.multiaddrs.map(String), addresses.map(String))
      assert.equal(hex((await openSignedRecord(bytes)).peerId), hex(peerIdBytes(key)))
      assert.equal(hex(derivePeerId(publicKeyToProtobuf(key.publicKey))), hex(peerIdBytes(key)))
    })
  }

  it('made by libp2p opens', async () => {
    const theirs = new PeerRecord({ peerId: peerIdFromPrivateKey(privateKey), multiaddrs: addresses })
    const bytes = (await RecordEnvelope.seal(theirs, privateKey)).marshal()
    assert.equal((await openSignedRecord(bytes)).seq, theirs.seqNumber)
  })

  it('is not made under an unknown domain', async () => {
    await assert.rejects(sealPeerRecord({ privateKey, addresses, seq: 1, domain: 'other' }), TypeError)
  })
})

describe('reading the signer refuses', () => {
  for (const bytes of [new Uint8Array(0), new Uint8Array(20).fill(0xff), Uint8Array.of(0x1a, 0)]) {
    it(`[${bytes}]`, () => assert.throws(() => readSignerUnverified(bytes), InvalidSignedRecordError))
  }
})

describe('opening refuses', () => {
  const good = sealPeerRecord({ privateKey, addresses, seq: 1 })
  const flipped = async (/** @type {number} */ fromEnd) => {
    const bytes = (await good).slice()
    bytes[bytes.length - fromEnd] ^= 1
    return bytes
  }
  /** Signed by a stranger, who claims the record of somebody else. @param {'Ed25519' | 'secp256k1' | 'RSA' | 'ECDSA'} type - of both keys */
  const forged = async type => {
    const [claimed, other] = await Promise.all([1, 2].map(() => /** @type {any} */ (generateKeyPair)(type)))
    const { publicKey } = makeSigner(claimed)
    return sealPeerRecord({
      privateKey: { publicKey, sign: (/** @type {Uint8Array} */ m) => other.sign(m) },
      addresses,
      seq: 1
    })
  }
  const signedWithNothing = async (/** @type {'ECDSA'} */ type) => {
    const { publicKey } = makeSigner(await generateKeyPair(type))
    return sealPeerRecord({ privateKey: { publicKey, sign: () => new Uint8Array(0) }, addresses, seq: 1 })
  }
  const ofAnotherPeer = async () => {
    const record = new PeerRecord({ peerId: peerIdFromPrivateKey(privateKey), multiaddrs: addresses })
    return (await RecordEnvelope.seal(record, stranger)).marshal()
  }
  const ofAnotherKind = async () => {
    const record = {
      domain: 'x',
      codec: Uint8Array.of(9),
      marshal: () => new Uint8Array(3),
      equals: () => false
    }
    return (await RecordEnvelope.seal(record, privateKey)).marshal()
  }
  const underTheOtherDomain = async () => {
    const record = new PeerRecord({ peerId: peerIdFromPrivateKey(privateKey), multiaddrs: addresses })
    record.domain = 'libp2p-routing-state'
    return (await RecordEnvelope.seal(record, privateKey)).marshal()
  }
  const badKey = async () => {
    const { sign } = makeSigner(privateKey)
    return sealPeerRecord({
      privateKey: { publicKey: Uint8Array.of(8, 2, 18, 1, 0), sign },
      addresses,
      seq: 1
    })
  }

  /** @type {Array<[string, () => Uint8Array | Promise<Uint8Array>]>} */
  const cases = [
    ['nothing at all', () => new Uint8Array(0)],
    ['noise', () => new Uint8Array(200).fill(0xff)],
    ['a truncated envelope', async () => (await good).subarray(0, 100)],
    ['a changed signature', () => flipped(3)],
    ['a changed address', () => flipped(70)],
    ['a forged signature', () => forged('Ed25519')],
    // their signatures are checked by other code, of ECDSA not at once
    ['a forged signature of keys of type secp256k1', () => forged('secp256k1')],
    ['a forged signature of keys of type RSA', () => forged('RSA')],
    ['a forged signature of keys of type ECDSA', () => forged('ECDSA')],
    ['a signature of a key of type ECDSA that is none', () => signedWithNothing('ECDSA')],
    ['a record of another peer', ofAnotherPeer],
    ['a record of another kind', ofAnotherKind],
    ['a record sealed under a domain that does not fit its type', underTheOtherDomain],
    ['a key that is none', badKey],
    ['a short signature', async () => (await good).slice(0, -32)]
  ]
  for (const [name, bytes] of cases) {
    it(name, async () => {
      const made = await bytes()
      await assert.rejects(openSignedRecord(made), InvalidSignedRecordError)
    })
  }
})
