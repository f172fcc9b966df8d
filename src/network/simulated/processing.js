import { QUIET } from './virtual-time.js'

/** Fields of the protocol's RPC and of the messages in it. */
const RPC_PUBLISH = 2
const MESSAGE_DATA = 2
const LENGTH_DELIMITED = 2
/** A message's number stands behind the run's nonce. */
const NUMBER_AT = 4
const HEADER_BYTES = 8

/**
 * messagesIn reads the numbers of the messages that an RPC carries, without decoding it: it tells what a node will have to do before
 * the library does it.
 *
 * @param {Uint8Array} framed - RPCs, each behind its length
 * @returns {number[]}
 */
export function messagesIn(framed) {
  /** @type {number[]} */
  const numbers = []
  const reader = new FieldReader(framed)
  while (!reader.ended) {
    const { start, end } = reader.delimited()
    for (const publish of reader.fields(start, end, RPC_PUBLISH))
      for (const data of reader.fields(publish.start, publish.end, MESSAGE_DATA))
        if (data.end - data.start >= HEADER_BYTES) numbers.push(uint32(framed, data.start + NUMBER_AT))
    reader.goTo(end)
  }
  return numbers
}

/** FieldReader walks over the fields of protobuf messages. */
class FieldReader {
  #bytes
  #at = 0

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes
  }

  get ended() {
    return this.#at >= this.#bytes.length
  }

  /** delimited skips what stands behind its length. */
  delimited() {
    const length = this.#varint()
    const start = this.#at
    this.#at = Math.min(start + length, this.#bytes.length)
    return { start, end: this.#at }
  }

  /**
   * fields finds the contents of a length-delimited field.
   *
   * @param {number} start
   * @param {number} end
   * @param {number} number
   */
  fields(start, end, number) {
    const found = []
    this.#at = start
    while (this.#at < end) {
      const tag = this.#varint()
      if ((tag & 7) !== LENGTH_DELIMITED) this.#varint()
      else {
        const content = this.delimited()
        if (tag >>> 3 === number) found.push(content)
      }
    }
    return found
  }

  /** @param {number} at */
  goTo(at) {
    this.#at = at
  }

  #varint() {
    let value = 0
    for (let factor = 1; this.#at < this.#bytes.length; factor *= 128) {
      const byte = this.#bytes[this.#at++]
      value += (byte & 127) * factor
      if (byte < 128) break
    }
    return value
  }
}

/** @param {Uint8Array} bytes @param {number} at */
const uint32 = (bytes, at) =>
  ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0

/**
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 *
 * @typedef {object} ProcessingCosts
 * @property {number} rpcNs - of each RPC
 * @property {number} signatureNs - of each signature that is checked
 * @property {'none' | 'every' | 'first'} signatures - whose are checked: no message's, every copy's, the first copy's
 * @property {number} seenNs - for so long it is known that a message has come
 */

/** FREE costs nothing. @type {Readonly<ProcessingCosts>} */
export const FREE = { rpcNs: 0, signatureNs: 0, signatures: 'none', seenNs: 0 }

/**
 * Processing is the time that a node needs for what comes: one after the other, as its processor would. What a node sends because
 * of it leaves when it is through.
 */
export class Processing {
  #time
  #node
  #costs
  #freeNs = 0
  /** @type {Map<number, number>} by the number of a message: when it came first, in that order */
  #come = new Map()

  /**
   * @param {import('./virtual-time.js').VirtualTime} time
   * @param {number} node
   * @param {Readonly<ProcessingCosts>} costs
   */
  constructor(time, node, costs) {
    this.#time = time
    this.#node = node
    this.#costs = costs
  }

  /**
   * take lets something happen when the node has come to it and is through with it.
   *
   * @param {Uint8Array | Uint8ArrayList | undefined} data - what has come; undefined: nothing that costs anything
   * @param {() => void} happen
   * @returns {typeof QUIET | undefined} QUIET: it has not come to it yet
   */
  take(data, happen) {
    const { nowNs } = this.#time
    const costNs = data === undefined ? 0 : this.#costNs(data)
    this.#freeNs = Math.max(this.#freeNs, nowNs) + costNs
    if (this.#freeNs > nowNs) {
      this.#time.at(this.#freeNs, this.#node, happen)
      return QUIET
    }
    happen()
  }

  /** @param {Uint8Array | Uint8ArrayList} data */
  #costNs(data) {
    const { rpcNs, signatureNs, signatures } = this.#costs
    return signatures === 'none' ? rpcNs : rpcNs + signatureNs * this.#checked(data)
  }

  /** @param {Uint8Array | Uint8ArrayList} data @returns {number} signatures that are checked */
  #checked(data) {
    let checked = 0
    this.#forget()
    for (const message of messagesIn(data.subarray())) {
      if (this.#come.has(message)) continue
      checked++
      if (this.#costs.signatures === 'first') this.#come.set(message, this.#time.nowNs)
    }
    return checked
  }

  /** Forgets what the library has forgotten. */
  #forget() {
    for (const [message, atNs] of this.#come) {
      if (this.#time.nowNs - atNs <= this.#costs.seenNs) return
      this.#come.delete(message)
    }
  }
}
