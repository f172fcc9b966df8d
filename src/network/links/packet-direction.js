/**
 * @typedef {import('./path.js').UnderWay} UnderWay
 *
 * @typedef {object} PacketParts
 * @property {() => import('./path.js').Path} path - a new one: of packets that keep their order
 * @property {number} lossShare - of the packets, 0 to below 1
 * @property {() => number} random - in [0, 1); drawn once for each packet when lossShare is above 0
 * @property {((nowNs: number) => boolean) | null} cut - whether the nodes are cut off from one another; null: they never are
 */

/** Flows of a way that are remembered; of more, those of which nothing is under way are forgotten. */
const MOST_FLOWS = 64

/**
 * PacketDirection is one way between two nodes for packets of a TCP that is not ours: what TcpSending does with a segment, it does with
 * each packet, acknowledgements included. What keeps its order is a flow.
 */
export class PacketDirection {
  #parts
  /** Lines are the same for all flows. */
  #path
  /** @type {Map<number, import('./path.js').Path>} */
  #flows = new Map()

  /** @param {PacketParts} parts */
  constructor(parts) {
    this.#parts = parts
    this.#path = parts.path()
  }

  /** Whether packets can have to wait at the down-link: `arrive` has to be asked when the first byte is there. */
  get endsInQueue() {
    return this.#path.endsInQueue
  }

  /**
   * send gives when a packet is at the down-link.
   *
   * @param {number} bytes - of the packet, with its headers
   * @param {number} nowNs
   * @param {number} [flow]
   * @returns {UnderWay | 'lost' | 'cut'}
   */
  send(bytes, nowNs, flow = 0) {
    const { lossShare, random, cut } = this.#parts
    const underWay = this.#flow(flow, nowNs).sendOff(bytes, nowNs)
    if (lossShare > 0 && random() < lossShare) return 'lost'
    return cut?.(underWay.leftNs) ? 'cut' : underWay
  }

  /** @param {UnderWay} underWay @returns {number} when the last byte is there, ns */
  arrive(underWay) {
    return this.#path.arrive(underWay)
  }

  /** @param {number} flow @param {number} nowNs */
  #flow(flow, nowNs) {
    const known = this.#flows.get(flow)
    if (known !== undefined) return known
    if (this.#flows.size >= MOST_FLOWS)
      for (const [other, { arrivedNs }] of this.#flows) if (arrivedNs <= nowNs) this.#flows.delete(other)
    const path = this.#parts.path()
    this.#flows.set(flow, path)
    return path
  }
}
