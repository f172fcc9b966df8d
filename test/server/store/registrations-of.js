import assert from 'node:assert/strict'
import { decodeMessage, encodeDiscoverResponse, encodeFrame } from '../../../src/protocol/rendezvous.js'

/** @typedef {import('../../../src/server/store/registration.js').RegistrationStore} Store */

export const MAX_BYTES = 1 << 20
export const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text)

/**
 * add registers somebody whose record tells who it is.
 *
 * @param {Store} store @param {string} peer @param {string} ns @param {number} [ttlSeconds]
 */
export const add = (store, peer, ns, ttlSeconds = 3600) =>
  store.add({ peerId: bytes(peer), ns, signedPeerRecord: bytes(`record of ${peer}`), ttlSeconds })

/**
 * addFrom registers somebody from a group of addresses.
 *
 * @param {Store} store @param {string | undefined} group @param {string} peer @param {number} [ttlSeconds]
 */
export const addFrom = (store, group, peer, ttlSeconds = 3600) =>
  store.add({ peerId: bytes(peer), ns: 'x', signedPeerRecord: bytes(`record of ${peer}`), ttlSeconds, group })

/** @param {import('../../../src/server/store/registration.js').Page} page */
export function registrationsOf(page) {
  const tail = encodeDiscoverResponse({ status: 0 }).subarray(4)
  const body = encodeFrame(Buffer.concat([page.registrations, tail]))
  const { discoverResponse } = decodeMessage(Buffer.concat([Buffer.from([0x08, 4, 0x32]), body]))
  return (discoverResponse?.registrations ?? []).map(({ ns, signedPeerRecord, ttl }) => ({
    ns,
    record: new TextDecoder().decode(signedPeerRecord),
    ttl
  }))
}

/**
 * page reads a page, and who is on it.
 *
 * @param {Store} store
 * @param {Partial<import('../../../src/server/store/registration.js').PageQuery>} [query]
 */
export async function page(store, query) {
  const found = await store.page({ limit: 1000, maxBytes: MAX_BYTES, ...query })
  const registrations = registrationsOf(found)
  assert.equal(registrations.length, found.count)
  return {
    registrations,
    cursor: found.cursor,
    peers: registrations.map(r => r.record.slice('record of '.length))
  }
}
