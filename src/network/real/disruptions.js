// Scheduled disruptions of the real nodes of a host: reset connections, nodes that leave and return, changed
// subscriptions.
import { makeSubStream } from '../../kit/random.js'
import { isAwayAt, makeChurnSchedule } from '../../load/churn.js'
import { PartitionSchedule } from '../link-properties.js'
import { Disruptions } from '../node-host.js'
import { makeTopology } from '../topology.js'

/**
 * @typedef {object} RealDisruptionParts
 * @property {() => number} now - ns
 * @property {ReadonlyMap<number, import('./gossip-node.js').GossipNode>} nodes - of this host, those that are there
 * @property {(peerId: string) => number | undefined} numberOf - a peer has
 * @property {(from: number, to: number) => Promise<string | null>} dial - gives what went wrong
 * @property {(node: number) => Promise<void>} leave
 * @property {(node: number) => Promise<void>} rejoin - resolves when it can dial
 * @property {readonly import('../../load/network-script.js').SubscriptionChange[]} changes - of all nodes
 * @property {import('../node-host.js').DisruptionParts['subscribe']} subscribe
 * @property {import('../node-host.js').DisruptionParts['failed']} failed
 */

/** Timers of Node count no further. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * RealDisruptions are what happens to the nodes of a host while messages are published, by the same schedules as on the simulated
 * network: connections are reset, nodes leave and return, subscribe and unsubscribe. Each host does it to its own nodes.
 */
export class RealDisruptions {
  #parts
  #absences
  #disruptions
  /** @type {Set<NodeJS.Timeout>} */
  #timers = new Set()
  #stopped = false
  #away = new Set()
  #startNs = Number.POSITIVE_INFINITY

  /** @param {import('../../scenarios/gossip/options.js').GossipPlan} plan @param {RealDisruptionParts} parts */
  constructor(plan, parts) {
    const { nodes, dial, leave, rejoin, subscribe, failed } = parts
    this.#parts = parts
    // the places of those that are replaced are taken by `ChurnRunner`
    this.#absences = makeChurnSchedule(plan.churn?.asNew ? { ...plan, churn: null } : plan)
    this.#disruptions = new Disruptions({
      time: this.#time(),
      network: {
        partitions: new PartitionSchedule(plan.partitions),
        endpoints: this.#endpoints(),
        has: node => this.#isThere(node),
        dial: async (from, to) => {
          const error = nodes.has(from) ? await dial(from, to) : null
          if (error !== null) throw new Error(error)
        }
      },
      leave: node => {
        this.#away.add(node)
        return leave(node)
      },
      rejoin: async node => {
        await rejoin(node)
        this.#away.delete(node)
      },
      subscribe,
      failed
    })
    const { topology, nodes: count, seed } = plan
    if (topology.kind === 'rendezvous') return
    const { edges } = makeTopology(topology, { nodes: count, random: makeSubStream(seed, 'topology') })
    this.#disruptions.joined(edges.map(([from, to]) => ({ from, to })))
  }

  /** begin lets them happen. @param {number} startNs - of the publish phase */
  begin(startNs) {
    this.#startNs = startNs
    const { nodes, changes } = this.#parts
    const own = this.#absences.map((absences, node) => (nodes.has(node) ? absences : []))
    const ownChanges = changes.filter(({ node }) => nodes.has(node))
    this.#disruptions.begin(startNs, own, ownChanges)
  }

  /** isAway: a node of this host has left, and is not back yet. @param {number} node */
  isAway(node) {
    return this.#away.has(node)
  }

  stop() {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** Nodes of others are there by the schedule: they do as it says. @param {number} node */
  #isThere(node) {
    if (this.#parts.nodes.has(node)) return true
    return !isAwayAt(this.#absences[node], this.#parts.now() - this.#startNs)
  }

  /** @returns {import('../node-host.js').DisruptionClock} */
  #time() {
    const { now } = this.#parts
    return {
      get nowNs() {
        return now()
      },
      at: (ns, _node, happen) => {
        if (this.#stopped) return
        const timer = setTimeout(
          () => {
            this.#timers.delete(timer)
            happen()
          },
          Math.min(MAX_TIMER_MS, Math.max(0, Math.ceil((ns - now()) / 1e6)))
        )
        this.#timers.add(timer)
      }
    }
  }

  /** Connections of this host's nodes; the other end is another host's. @returns {import('../node-host.js').DisruptedNetwork['endpoints']} */
  #endpoints() {
    const { nodes, numberOf } = this.#parts
    return {
      *[Symbol.iterator]() {
        for (const [node, libp2p] of nodes)
          for (const connection of libp2p.getConnections()) {
            const peer = numberOf(connection.remotePeer.toString())
            if (peer !== undefined) yield { local: node, remote: peer, cut: error => connection.abort(error) }
          }
      }
    }
  }
}
