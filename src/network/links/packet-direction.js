/**
 * @typedef {import('./path.js').UnderWay} UnderWay
 *
 * @typedef {object} PacketParts
 * @property {import('./path.js').Path} path
 * @property {number} lossShare - of the packets, 0 to below 1
 * @property {() => number} random - in [0, 1); drawn once for each packet when lossShare is above 0
 * @property {((nowNs: number) => boolean) | null} cut - whether the nodes are cut off from one another; null: they never are
 */

/**
 * PacketDirection is one way between two nodes for packets of a TCP that is not ours: what TcpDirection does with a segment, it does with
 * each packet, acknowledgements included.
 */
export class PacketDirection {
  #parts

  /** @param {PacketParts} parts */
  constructor(parts) {
    this.#parts = parts
  }

  /** Whether packets can have to wait at the down-link: `arrive` has to be asked when the first byte is there. */
  get endsInQueue() {
    return this.#parts.path.endsInQueue
  }

  /**
   * send gives when a packet is at the down-link.
   *
   * @param {number} bytes - of the packet, with its headers
   * @param {number} nowNs
   * @returns {UnderWay | 'lost' | 'cut'}
   */
  send(bytes, nowNs) {
    const { path, lossShare, random, cut } = this.#parts
    const underWay = path.sendOff(bytes, nowNs)
    if (lossShare > 0 && random() < lossShare) return 'lost'
    return cut?.(underWay.leftNs) ? 'cut' : underWay
  }

  /** @param {UnderWay} underWay @returns {number} when the last byte is there, ns */
  arrive(underWay) {
    return this.#parts.path.arrive(underWay)
  }
}
