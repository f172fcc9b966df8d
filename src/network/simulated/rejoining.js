/**
 * @typedef {import('../node-host.js').Dial} Dial
 * @typedef {import('./simulated-network.js').SimulatedNetwork} SimulatedNetwork
 */

/** After a dial in vain. */
const BACK_OFF_NS = 1e9

/** Rejoining makes connections of the topology again that were ended: a dial in vain is made again a second later. */
export class Rejoining {
  #time
  #network
  /** @type {Dial[]} */
  #topology = []

  /**
   * @param {import('./virtual-time.js').VirtualTime} time
   * @param {SimulatedNetwork} network
   */
  constructor(time, network) {
    this.#time = time
    this.#network = network
  }

  /** add tells of connections that there are to be. @param {readonly Dial[]} dials */
  add(dials) {
    this.#topology.push(...dials)
  }

  /** pairs dials, as in the topology. @param {(a: number, b: number) => boolean} are */
  pairs(are) {
    for (const { from, to } of this.#topology) if (are(from, to)) this.#dialSoon(from, to)
  }

  /** neighboursOf has a node dial its own. @param {number} node */
  neighboursOf(node) {
    for (const { from, to } of this.#topology) {
      if (from === node) this.#dialSoon(node, to)
      if (to === node) this.#dialSoon(node, from)
    }
  }

  /** @param {number} from @param {number} to @param {number} [laterNs] */
  #dialSoon(from, to, laterNs = 0) {
    this.#time.at(this.#time.nowNs + laterNs, from, () => this.#dial(from, to))
  }

  /** Who returns dials anew. @param {number} from @param {number} to */
  #dial(from, to) {
    const network = this.#network
    if (!network.has(from) || !network.has(to)) return
    const later = () => this.#dialSoon(from, to, BACK_OFF_NS)
    if (network.partitions.between(from, to)?.(this.#time.nowNs)) return later()
    network.dial(from, to).catch(later)
  }
}
