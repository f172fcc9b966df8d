import { reader, writer } from 'protons-runtime'
import { prefixBytes, writePrefix } from './framing.js'

/**
 * @typedef {import('protons-runtime').Reader} Reader
 *
 * @typedef {object} Envelope - RFC 0002
 * @property {Uint8Array} publicKey
 * @property {Uint8Array} payloadType
 * @property {Uint8Array} payload
 * @property {Uint8Array} signature
 */

/**
 * RecordDomain holds the two domains under which peer records are sealed: the one JavaScript and Go use, and the older
 * one of RFC 0003 that rust implementations use.
 */
export const RecordDomain = {
  PEER_RECORD: 'libp2p-peer-record',
  ROUTING_STATE: 'libp2p-routing-state'
}

/** PAYLOAD_TYPES of peer records, by domain. @type {Record<string, Uint8Array>} */
export const PAYLOAD_TYPES = {
  [RecordDomain.PEER_RECORD]: Uint8Array.of(0x03, 0x01),
  [RecordDomain.ROUTING_STATE]: new TextEncoder().encode('/libp2p/routing-state-record')
}

/** @type {Uint8Array} */
const EMPTY = new Uint8Array(0)

/** InvalidSignedRecordError is thrown for bytes that are no peer record properly signed by its peer. */
export class InvalidSignedRecordError extends Error {
  name = 'InvalidSignedRecordError'
  code = 'ERR_INVALID_SIGNED_RECORD'
}

/** marshalEnvelope writes an envelope (RFC 0002). @param {Envelope} envelope */
export const marshalEnvelope = ({ publicKey, payloadType, payload, signature }) =>
  writer()
    .uint32(10)
    .bytes(publicKey)
    .uint32(18)
    .bytes(payloadType)
    .uint32(26)
    .bytes(payload)
    .uint32(42)
    .bytes(signature)
    .finish()

/**
 * marshalPeerRecord writes the payload (RFC 0003).
 *
 * @param {Uint8Array} peerId
 * @param {bigint} seq
 * @param {Array<Uint8Array | { bytes: Uint8Array }>} addresses
 */
export function marshalPeerRecord(peerId, seq, addresses) {
  const w = writer().uint32(10).bytes(peerId)
  if (seq !== 0n) w.uint32(16).uint64(seq)
  for (const address of addresses) {
    const bytes = address instanceof Uint8Array ? address : address.bytes
    w.uint32(26).fork().uint32(10).bytes(bytes).ldelim()
  }
  return w.finish()
}

/**
 * signedBytes are what an envelope signs: domain, payload type and payload, each behind its length.
 *
 * @param {string} domain
 * @param {Uint8Array} payloadType
 * @param {Uint8Array} payload
 */
export function signedBytes(domain, payloadType, payload) {
  const parts = [new TextEncoder().encode(domain), payloadType, payload]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + prefixBytes(part.length) + part.length, 0))
  let at = 0
  for (const part of parts) {
    at = writePrefix(bytes, at, part.length)
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** readEnvelope reads its parts as they stand. @param {Uint8Array} bytes @returns {Envelope} */
export function readEnvelope(bytes) {
  const r = reader(bytes)
  /** @type {Envelope} */
  const envelope = { publicKey: EMPTY, payloadType: EMPTY, payload: EMPTY, signature: EMPTY }
  while (r.pos < r.len) {
    const tag = r.uint32()
    if (tag === 10) envelope.publicKey = r.bytes()
    else if (tag === 18) envelope.payloadType = r.bytes()
    else if (tag === 26) envelope.payload = r.bytes()
    else if (tag === 42) envelope.signature = r.bytes()
    else r.skipType(tag & 7)
  }
  return envelope
}

/** readPeerRecord reads the payload. @param {Uint8Array} bytes @param {boolean} keep - addresses */
export function readPeerRecord(bytes, keep) {
  const r = reader(bytes)
  let peerId = EMPTY
  let seq = 0n
  /** @type {Uint8Array[]} */
  const addresses = []
  while (r.pos < r.len) {
    const tag = r.uint32()
    if (tag === 10) peerId = r.bytes()
    else if (tag === 16) seq = r.uint64()
    else if (tag === 26) readAddress(r, keep ? addresses : null)
    else r.skipType(tag & 7)
  }
  return { peerId, seq, addresses }
}

/** An AddressInfo, read where it stands: a reader of its own for each costs more than all else. @param {Reader} r @param {Uint8Array[] | null} addresses */
function readAddress(r, addresses) {
  const length = r.uint32()
  const end = r.pos + length
  let address = EMPTY
  while (r.pos < end) {
    const tag = r.uint32()
    if (tag === 10 && addresses !== null) address = r.bytes()
    else r.skipType(tag & 7)
  }
  if (r.pos !== end) throw new InvalidSignedRecordError('an address of the record is cut off')
  addresses?.push(address)
}

/**
 * domainOf tells which domain a payload is of.
 *
 * @param {Uint8Array} payloadType
 * @throws {InvalidSignedRecordError} when it is no peer record
 */
export function domainOf(payloadType) {
  for (const domain in PAYLOAD_TYPES) {
    if (sameBytes(PAYLOAD_TYPES[domain], payloadType)) return domain
  }
  throw new InvalidSignedRecordError('envelope holds something other than a peer record')
}

/** sameBytes compares. @param {Uint8Array} a @param {Uint8Array} b */
export const sameBytes = (a, b) => a.length === b.length && Buffer.compare(a, b) === 0
