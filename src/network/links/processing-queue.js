/**
 * @typedef {object} ProcessingCosts - of one node, which has a core to itself
 * @property {number} rpcNs - for each RPC received, its share of sending on included
 * @property {number} signatureNs - for each signature checked
 * @property {number} byteNs - for each byte of an RPC
 */

/**
 * PROCESSING_COSTS are calibrated on js-libp2p with TCP, noise and yamux on Node 20: 0.95 ms of CPU for each delivery to one of 95 nodes
 * with six RPCs to each and one signature check, 1.35 to 1.5 ms with a check for every copy. Checks are those of Node's crypto (ed25519)
 * and of plain JavaScript (secp256k1). At 1,000 bytes to a message the cost by the byte does not stand out, so none is claimed.
 *
 * @type {Readonly<Record<'ed25519' | 'secp256k1' | 'unsigned', Readonly<ProcessingCosts>>>}
 */
export const PROCESSING_COSTS = Object.freeze({
  ed25519: Object.freeze({ rpcNs: 150_000, signatureNs: 71_000, byteNs: 0 }),
  secp256k1: Object.freeze({ rpcNs: 150_000, signatureNs: 932_000, byteNs: 0 }),
  unsigned: Object.freeze({ rpcNs: 150_000, signatureNs: 0, byteNs: 0 })
})

/** NO_PROCESSING is that of an ideal node. @type {Readonly<ProcessingCosts>} */
export const NO_PROCESSING = Object.freeze({ rpcNs: 0, signatureNs: 0, byteNs: 0 })

/** ProcessingQueue is the core of a node: it works off one RPC after the other. */
export class ProcessingQueue {
  #costs
  #busyUntilNs = 0

  /** @param {ProcessingCosts} costs */
  constructor(costs) {
    this.#costs = costs
  }

  /**
   * serve gives the time at which an RPC has been worked off, after all that came before it.
   *
   * @param {{ bytes: number, signatures: number }} rpc
   * @param {number} nowNs - it is there; times of calls never go back
   * @returns {number} ns, whole
   */
  serve({ bytes, signatures }, nowNs) {
    const { rpcNs, signatureNs, byteNs } = this.#costs
    const costNs = Math.round(rpcNs + signatures * signatureNs + bytes * byteNs)
    this.#busyUntilNs = Math.max(nowNs, this.#busyUntilNs) + costNs
    return this.#busyUntilNs
  }
}
