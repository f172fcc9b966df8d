import { createHash } from 'node:crypto'

/**
 * @typedef {import('../../../network/node-host.js').PublishedRows} PublishedRows
 * @typedef {import('../../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {{ atNs: number, node: number, message: number, parent: number }} Row
 */

const ROW_BYTES = 20
/** Of a publication: nobody sent it. */
const NO_PARENT = 0xffff_ffff

/**
 * DeliveryDigest is a fingerprint of everything that happened in a run: SHA-256 over every (time, node, message, parent), of
 * publications and of first receipts each, in the order of times, then nodes, then messages. Two runs have the same one only if
 * every message came to every node at the same nanosecond from the same peer. Rows must come in the order of their times.
 */
export class DeliveryDigest {
  #published = new RowHash()
  #received = new RowHash()

  /** @param {PublishedRows} rows */
  addPublished({ message, node, atNs }) {
    for (let i = 0; i < message.length; i++)
      this.#published.add({ atNs: atNs[i], node: node[i], message: message[i], parent: NO_PARENT })
  }

  /** @param {ReceivedRows} rows */
  addReceived({ message, node, from, atNs }) {
    for (let i = 0; i < message.length; i++)
      this.#received.add({ atNs: atNs[i], node: node[i], message: message[i], parent: from[i] })
  }

  /** hex is the digest of what has come so far. @returns {string} 64 digits */
  hex() {
    return createHash('sha256').update(this.#published.digest()).update(this.#received.digest()).digest('hex')
  }
}

/** RowHash hashes rows in their order; those of one moment are put in order first, so that only they have to be kept. */
class RowHash {
  #hash = createHash('sha256')
  /** @type {Row[]} of one moment */
  #moment = []

  /** @param {Row} row */
  add(row) {
    if (this.#moment.length > 0 && this.#moment[0].atNs !== row.atNs) {
      this.#hash.update(bytesOf(this.#moment))
      this.#moment = []
    }
    this.#moment.push(row)
  }

  digest() {
    return this.#hash.copy().update(bytesOf(this.#moment)).digest()
  }
}

/** @param {Row[]} rows @returns {Buffer} */
function bytesOf(rows) {
  if (rows.length > 1) rows.sort((a, b) => a.node - b.node || a.message - b.message || a.parent - b.parent)
  const bytes = Buffer.alloc(rows.length * ROW_BYTES)
  for (const [place, { atNs, node, message, parent }] of rows.entries()) {
    const at = place * ROW_BYTES
    bytes.writeDoubleLE(atNs, at)
    bytes.writeUInt32LE(node, at + 8)
    bytes.writeUInt32LE(message, at + 12)
    bytes.writeUInt32LE(parent, at + 16)
  }
  return bytes
}
