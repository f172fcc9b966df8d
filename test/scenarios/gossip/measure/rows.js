/**
 * @typedef {object} Publication - a row of PublishedRows; what is not said is 0, recipients 1
 * @property {number} message
 * @property {number} node
 * @property {number} [topic]
 * @property {number} [dueMs]
 * @property {number} atMs
 * @property {number} [bytes]
 * @property {number} [recipients]
 *
 * @typedef {object} Receipt - a row of ReceivedRows
 * @property {number} message
 * @property {number} node
 * @property {number} from
 * @property {number} atMs
 * @property {number} [waitedMs] - of all rows, or of none
 */

/** NOTHING is evidence of nothing. @type {import('../../../../src/scenarios/gossip/measure/receipts.js').DeliveryEvidence} */
export const NOTHING = {
  ...{ abortedStreams: [], withoutMesh: [], backlog: [], meshWithoutStream: [], refusedMessages: [] },
  ...{ ended: [], partitions: [], absences: [], components: null }
}

/**
 * publishedRows makes columns of rows.
 *
 * @param {Publication[]} list
 * @returns {import('../../../../src/network/node-host.js').PublishedRows}
 */
export const publishedRows = list => ({
  message: Uint32Array.from(list, row => row.message),
  node: Uint16Array.from(list, row => row.node),
  topic: Uint8Array.from(list, row => row.topic ?? 0),
  dueNs: Float64Array.from(list, row => (row.dueMs ?? row.atMs) * 1e6),
  atNs: Float64Array.from(list, row => row.atMs * 1e6),
  bytes: Uint32Array.from(list, row => row.bytes ?? 0),
  recipients: Int32Array.from(list, row => row.recipients ?? 1)
})

/**
 * receivedRows makes columns of rows.
 *
 * @param {Receipt[]} list
 * @returns {import('../../../../src/network/node-host.js').ReceivedRows}
 */
export const receivedRows = list => ({
  message: Uint32Array.from(list, row => row.message),
  node: Uint16Array.from(list, row => row.node),
  from: Uint16Array.from(list, row => row.from),
  atNs: Float64Array.from(list, row => row.atMs * 1e6),
  ...(list[0]?.waitedMs !== undefined && {
    waitedUs: Float32Array.from(list, row => 1000 * (row.waitedMs ?? 0))
  })
})
