// Makes registrations with very large peer records, with which hostile peers test the limits of a rendezvous server.
import { encodeFrame, encodeRegisterBody } from '../../../protocol/rendezvous.js'
import { encodeEd25519Key, sealPeerRecord } from '../../../protocol/signed-record.js'

const TTL = 7200

/** LOOPBACK_ADDRESS_BYTES is the bytes of /ip4/127.0.0.1/tcp/4001. */
export const LOOPBACK_ADDRESS_BYTES = Uint8Array.of(4, 127, 0, 0, 1, 6, 0x0f, 0xa1)

/** LARGE_RECORD_ADDRESSES make a signed record of 14 kB. */
export const LARGE_RECORD_ADDRESSES = Object.freeze(Array(1350).fill(LOOPBACK_ADDRESS_BYTES))

/** LARGE_NAMESPACE holds large registrations, so that a page of it is 1 MiB. */
export const LARGE_NAMESPACE = 'large'

/** A little more than one page of 1 MiB. */
const LARGE_REGISTRATIONS = 75

/** makeLargeRegistrationBodies makes those that fill a page of 1 MiB. */
export async function* makeLargeRegistrationBodies() {
  const privateKey = { publicKey: encodeEd25519Key(new Uint8Array(32)), sign: () => new Uint8Array(64) }
  for (let i = 0; i < LARGE_REGISTRATIONS; i++) {
    privateKey.publicKey[privateKey.publicKey.length - 1] = i
    const addresses = [...LARGE_RECORD_ADDRESSES]
    const signedPeerRecord = await sealPeerRecord({ privateKey, addresses, seq: 1 })
    yield encodeFrame(encodeRegisterBody({ ns: LARGE_NAMESPACE, signedPeerRecord, ttl: TTL }))
  }
}
