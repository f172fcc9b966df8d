import { setImmediate } from 'node:timers/promises'
import { sealPeerRecord } from '../protocol/signed-record.js'
import { Purpose, privateKeyOf, signerOfIdentity } from './identities.js'

/**
 * @typedef {object} RecordSource - what a registrant's record depends on, beside its index
 * @property {number} seed - of the plan
 * @property {string} domain - one of RecordDomain
 */

const CODE_IP4 = 4
const CODE_TCP = 6
const PORT = 4001
// a fixed sequence number: the same plan gives the same bytes
const SEQ = 1
// records made in one go; between them others get their turn
const TURN = 20

/**
 * registrantAddress gives the multiaddr a registrant claims to listen at: /ip4/10.x.y.z/tcp/4001, distinct up to 16.7
 * million, and always of the same length.
 *
 * @param {number} index
 * @returns {Uint8Array} multiaddr bytes
 */
export const registrantAddress = index =>
  Uint8Array.of(
    CODE_IP4,
    10,
    (index >> 16) & 255,
    (index >> 8) & 255,
    index & 255,
    CODE_TCP,
    PORT >> 8,
    PORT & 255
  )

/**
 * registrantKey gives the libp2p key of a registrant, to connect as that peer.
 *
 * @param {number} seed - of the plan
 * @param {number} index
 */
export const registrantKey = (seed, index) => privateKeyOf(seed, Purpose.REGISTRANT, index)

/**
 * registrantRecord seals the peer record of one registrant.
 *
 * @param {RecordSource} source
 * @param {number} index
 * @returns {Promise<Uint8Array>} marshalled envelope
 */
export const registrantRecord = ({ seed, domain }, index) =>
  sealPeerRecord({
    privateKey: signerOfIdentity(seed, Purpose.REGISTRANT, index),
    addresses: [registrantAddress(index)],
    seq: SEQ,
    domain
  })

/**
 * makeRecords seals the records of a range of registrants, giving way to other work of the process now and then.
 *
 * @param {RecordSource} source
 * @param {{ from: number, to: number, signal?: AbortSignal }} range - `to` exclusive
 * @returns {Promise<Buffer>} the records one after another, all of the same length
 */
export async function makeRecords(source, { from, to, signal }) {
  const records = []
  for (let index = from; index < to; index++) {
    records.push(await registrantRecord(source, index))
    if (index % TURN === 0) await setImmediate(undefined, { signal })
  }
  return Buffer.concat(records)
}
