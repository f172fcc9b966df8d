/**
 * @typedef {import('../../load/churn.js').Absence} Absence
 * @typedef {import('../links/partition-schedule.js').Reset} Reset
 * @typedef {import('../../load/script.js').SubscriptionChange} SubscriptionChange
 *
 * @typedef {object} Clock
 * @property {number} nowNs
 * @property {(atNs: number, node: number | null, happen: () => unknown) => unknown} at - node: where it happens; null: at no node
 *
 * @typedef {object} Disrupted - a network, or what a host has of one
 * @property {import('../links/partition-schedule.js').PartitionSchedule} partitions
 * @property {Iterable<{ local: number, remote: number, cut: (error: Error) => void }>} endpoints - of connections between the nodes
 * @property {(node: number) => boolean} has - it is there
 * @property {(from: number, to: number) => Promise<unknown>} dial
 *
 * @typedef {object} DisruptionParts
 * @property {Clock} time
 * @property {Disrupted} network
 * @property {(node: number) => void | Promise<void>} leave
 * @property {(node: number) => Promise<void>} comeBack - resolves when it can dial
 * @property {(error: Error) => void} failed - to leave, or to come back
 * @property {(change: SubscriptionChange) => void} subscribe - or unsubscribe
 */

/**
 * Disruptions are what happens to a network while messages are published: connections are reset, nodes leave and return, subscribe and
 * unsubscribe.
 */
export class Disruptions {
  #parts
  #rejoining

  /** @param {DisruptionParts} parts */
  constructor(parts) {
    this.#parts = parts
    this.#rejoining = new Rejoining(parts.time, parts.network)
  }

  /** joined tells of the connections that are made again. @param {readonly import('../node-host.js').Dial[]} dials */
  joined(dials) {
    this.#rejoining.add(dials)
  }

  /**
   * begin lets them happen.
   *
   * @param {number} startNs - of the publish phase
   * @param {readonly (readonly Absence[])[]} absences - by node
   * @param {readonly SubscriptionChange[]} changes
   */
  begin(startNs, absences, changes) {
    const { network, time } = this.#parts
    network.partitions.start(startNs)
    for (const reset of network.partitions.resets()) {
      time.at(reset.atNs, null, () => this.#reset(reset))
      time.at(reset.untilNs, null, () => this.#rejoining.pairs(reset.separates))
    }
    for (const [node, own] of absences.entries())
      for (const absence of own) this.#plan(node, absence, startNs)
    for (const change of changes)
      time.at(startNs + Math.round(change.atMs * 1e6), change.node, () => this.#parts.subscribe(change))
  }

  /** @param {number} node @param {Absence} absence @param {number} startNs */
  #plan(node, { leavesNs, returnsNs }, startNs) {
    const { time, leave, comeBack, failed } = this.#parts
    time.at(startNs + leavesNs, node, () => void leave(node)?.catch(failed))
    if (returnsNs === Infinity) return
    time.at(
      startNs + returnsNs,
      node,
      () => void comeBack(node).then(() => this.#rejoining.neighboursOf(node), failed)
    )
  }

  /** Each end notices by itself. @param {Reset} reset */
  #reset({ separates }) {
    const { network, time } = this.#parts
    for (const endpoint of network.endpoints) {
      const { local, remote } = endpoint
      if (separates(local, remote))
        time.at(time.nowNs, local, () => endpoint.cut(new Error('the network was cut')))
    }
  }
}

/**
 * @typedef {import('../node-host.js').Dial} Dial
 */

/** After a dial in vain. */
const BACK_OFF_NS = 1e9

/** Rejoining makes connections of the topology again that were ended: a dial in vain is made again a second later. */
class Rejoining {
  #time
  #network
  /** @type {Dial[]} */
  #topology = []

  /**
   * @param {Clock} time
   * @param {Disrupted} network
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
