/**
 * TRACE_TYPES are the kinds of events of go-libp2p-pubsub's trace schema (`pb/trace.proto`) that can be seen from outside the
 * library: number in `TraceEvent.Type`, and the field that holds what happened.
 */
export const TRACE_TYPES = {
  PUBLISH_MESSAGE: { type: 0, field: 'publishMessage' },
  DELIVER_MESSAGE: { type: 3, field: 'deliverMessage' },
  ADD_PEER: { type: 4, field: 'addPeer' },
  REMOVE_PEER: { type: 5, field: 'removePeer' },
  JOIN: { type: 9, field: 'join' },
  GRAFT: { type: 11, field: 'graft' },
  PRUNE: { type: 12, field: 'prune' }
}

/**
 * traceLine writes an event as Go's JSON encoder does a `TraceEvent`: kinds as numbers, bytes in base64, times as whole ns since
 * 1970, which are more than a JavaScript number holds.
 *
 * @param {keyof typeof TRACE_TYPES} kind
 * @param {object} event
 * @param {string} event.peerID - of the node, base64
 * @param {bigint} event.timestamp - ns
 * @param {Record<string, string>} event.what - fields of the kind
 * @returns {string} a line
 */
export function traceLine(kind, { peerID, timestamp, what }) {
  const { type, field } = TRACE_TYPES[kind]
  return `{"type":${type},"peerID":"${peerID}","timestamp":${timestamp},"${field}":${JSON.stringify(what)}}\n`
}
