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
 * every message came to every node at the same nanosecond from the same peer. Rows of one worker must come in the order of their times.
 */
export class DeliveryDigest {
  #published
  #received

  /** @param {number} [workers] - that rows come from */
  constructor(workers = 1) {
    const rows = () => (workers === 1 ? new RowHash() : new MergedRowHash(workers))
    this.#published = rows()
    this.#received = rows()
  }

  /** @param {PublishedRows} rows @param {number} [worker] @param {number} [untilNs] - it has told all before that time */
  addPublished({ message, node, atNs }, worker = 0, untilNs = 0) {
    for (let i = 0; i < message.length; i++)
      this.#published.add({ atNs: atNs[i], node: node[i], message: message[i], parent: NO_PARENT })
    this.#published.told(worker, untilNs)
  }

  /** @param {ReceivedRows} rows @param {number} [worker] @param {number} [untilNs] - it has told all before that time */
  addReceived({ message, node, from, atNs }, worker = 0, untilNs = 0) {
    for (let i = 0; i < message.length; i++)
      this.#received.add({ atNs: atNs[i], node: node[i], message: message[i], parent: from[i] })
    this.#received.told(worker, untilNs)
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

  /** Rows of one worker are in order: nothing is waited for. */
  told() {}

  digest() {
    return this.#hash.copy().update(bytesOf(this.#moment)).digest()
  }

  /** copy gives another one that goes on from here. */
  copy() {
    const copy = new RowHash()
    copy.#hash = this.#hash.copy()
    copy.#moment = [...this.#moment]
    return copy
  }
}

/** MergedRowHash hashes rows of several workers in the order of their times: they wait until all workers have told what came before them. */
class MergedRowHash {
  #rows = new RowHash()
  /** @type {Row[]} */
  #waiting = []
  #untilNs

  /** @param {number} workers */
  constructor(workers) {
    this.#untilNs = Array(workers).fill(Number.NEGATIVE_INFINITY)
  }

  /** @param {Row} row */
  add(row) {
    this.#waiting.push(row)
  }

  /** @param {number} worker @param {number} untilNs */
  told(worker, untilNs) {
    const before = Math.min(...this.#untilNs)
    this.#untilNs[worker] = untilNs
    const now = Math.min(...this.#untilNs)
    if (now === before) return
    const inOrder = inOrderOfTime(this.#waiting)
    const late = inOrder.findIndex(({ atNs }) => atNs >= now)
    this.#waiting = late === -1 ? [] : inOrder.slice(late)
    for (const row of late === -1 ? inOrder : inOrder.slice(0, late)) this.#rows.add(row)
  }

  digest() {
    const all = this.#rows.copy()
    for (const row of inOrderOfTime(this.#waiting)) all.add(row)
    return all.digest()
  }
}

/** @param {readonly Row[]} rows */
const inOrderOfTime = rows => rows.toSorted((a, b) => a.atNs - b.atNs)

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
