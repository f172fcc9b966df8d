/** PROTOCOL is the multistream id of the rendezvous protocol (libp2p/specs rendezvous r3). */
export const PROTOCOL = '/rendezvous/1.0.0'

/** MessageType is the `type` field of a rendezvous message. */
export const MessageType = {
  REGISTER: 0,
  REGISTER_RESPONSE: 1,
  UNREGISTER: 2,
  DISCOVER: 3,
  DISCOVER_RESPONSE: 4
}

/** Status holds the response statuses of the specification. */
export const Status = {
  OK: 0,
  E_INVALID_NAMESPACE: 100,
  E_INVALID_SIGNED_PEER_RECORD: 101,
  E_INVALID_TTL: 102,
  E_INVALID_COOKIE: 103,
  E_NOT_AUTHORIZED: 200,
  E_INTERNAL_ERROR: 300,
  E_UNAVAILABLE: 400
}

/** LATE_TEXT is in the status text of a reply of ours that a limit on what its address may send held back. */
export const LATE_TEXT = "waited for the server's limits on its address (--unlimitedFrom)"

/** @type {Map<number, string>} */
const names = new Map(Object.entries(Status).map(([name, code]) => [code, name]))

/**
 * statusName names a response status; a code outside the specification keeps its number.
 *
 * @param {number} code
 * @returns {string} for example `E_INVALID_TTL`, or `E_UNKNOWN_999`
 */
export const statusName = code => names.get(code) ?? `E_UNKNOWN_${code}`
