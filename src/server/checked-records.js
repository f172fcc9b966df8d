import { hash } from 'node:crypto'

const PEERS_KEPT = 20_000

/**
 * CheckedRecords remembers of each peer the signed record that was found right last. A peer whose addresses stay as they are registers with
 * the same bytes again, in other namespaces and before its ttl ends, and a signature that fits once fits always.
 */
export class CheckedRecords {
  #most
  /** digest of the record by peer, the longest known first @type {Map<string, string>} */
  #digests = new Map()

  /** @param {number} [most] - peers that are remembered */
  constructor(most = PEERS_KEPT) {
    this.#most = most
  }

  /** has says whether this record of the peer was checked. @param {Uint8Array} peerId - multihash bytes @param {Uint8Array} signedRecord */
  has(peerId, signedRecord) {
    const digest = this.#digests.get(nameOf(peerId))
    return digest !== undefined && digest === digestOf(signedRecord)
  }

  /** add takes a record whose signature fits. @param {Uint8Array} peerId - multihash bytes @param {Uint8Array} signedRecord */
  add(peerId, signedRecord) {
    const peer = nameOf(peerId)
    this.#digests.delete(peer)
    if (this.#digests.size >= this.#most) this.#digests.delete(this.#digests.keys().next().value ?? '')
    this.#digests.set(peer, digestOf(signedRecord))
  }
}

/** @param {Uint8Array} peerId */
const nameOf = ({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length).toString('latin1')

/** @param {Uint8Array} bytes */
const digestOf = bytes => hash('sha256', bytes, 'base64')
