import { messagesIn } from '../gossip/payload.js'
import { QUIET } from './virtual-time.js'

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
