// Registrations of distinct peers, made for the bulk load of a server.
import { randomFillSync } from 'node:crypto'
import { encodeFrame, encodeRegisterBody } from '../../src/protocol/rendezvous.js'
import { encodeEd25519Key, sealPeerRecord } from '../../src/protocol/signed-record.js'

const NAMESPACES = 10
const BODIES_PER_CHUNK = 250
const TTL = 7200

/** ADDRESS is the bytes of /ip4/127.0.0.1/tcp/4001. */
export const ADDRESS = Uint8Array.of(4, 127, 0, 0, 1, 6, 0x0f, 0xa1)

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
    for (; bodies.length < BODIES_PER_CHUNK && made < count; made++) {
      const signedPeerRecord = await sealPeerRecord({
        privateKey: {
          publicKey: encodeEd25519Key(randomFillSync(new Uint8Array(32))),
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
