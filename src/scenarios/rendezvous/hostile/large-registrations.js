import { randomFillSync } from 'node:crypto'
import { encodeFrame, encodeRegisterBody } from '../../../protocol/rendezvous.js'
import { ed25519KeyProtobuf, sealPeerRecord } from '../../../protocol/signed-record.js'

const NAMESPACES = 10
const BODIES_A_CHUNK = 250
const TTL = 7200

/** ADDRESS is the bytes of /ip4/127.0.0.1/tcp/4001. */
export const ADDRESS = Uint8Array.of(4, 127, 0, 0, 1, 6, 0x0f, 0xa1)

/** LARGE_RECORD_ADDRESSES make a signed record of 14 kB. */
export const LARGE_RECORD_ADDRESSES = Object.freeze(Array(1350).fill(ADDRESS))

/** LARGE_NAMESPACE is what the server is loaded with, so that there are replies of 1 MiB. */
export const LARGE_NAMESPACE = 'large'

/** LARGE_REGISTRATIONS are a little more than one such page. */
const LARGE_REGISTRATIONS = 75

/** namespaceOf spreads registrations. @param {number} index */
export const namespaceOf = index => `namespace-${index % NAMESPACES}`

/**
 * registrations makes Register bodies of distinct peers for the bulk load, which checks no signatures: keys and signatures
 * are random bytes, of the right size.
 *
 * @param {number} count
 */
export async function* registrations(count) {
  for (let made = 0; made < count; ) {
    /** @type {Uint8Array[]} */
    const bodies = []
    for (; bodies.length < BODIES_A_CHUNK && made < count; made++) {
      const signedPeerRecord = await sealPeerRecord({
        privateKey: {
          publicKey: ed25519KeyProtobuf(randomFillSync(new Uint8Array(32))),
          sign: () => randomFillSync(new Uint8Array(64))
        },
        addresses: [ADDRESS, ADDRESS],
        seq: 1_700_000_000_000
      })
      bodies.push(encodeFrame(encodeRegisterBody({ ns: namespaceOf(made), signedPeerRecord, ttl: TTL })))
    }
    yield Buffer.concat(bodies)
  }
}

/** largeRegistrations makes those that fill a page of 1 MiB. */
export async function* largeRegistrations() {
  const privateKey = { publicKey: ed25519KeyProtobuf(new Uint8Array(32)), sign: () => new Uint8Array(64) }
  for (let i = 0; i < LARGE_REGISTRATIONS; i++) {
    privateKey.publicKey[privateKey.publicKey.length - 1] = i
    const addresses = [...LARGE_RECORD_ADDRESSES]
    const signedPeerRecord = await sealPeerRecord({ privateKey, addresses, seq: 1 })
    yield encodeFrame(encodeRegisterBody({ ns: LARGE_NAMESPACE, signedPeerRecord, ttl: TTL }))
  }
}
