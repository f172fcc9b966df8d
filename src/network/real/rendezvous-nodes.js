import { multiaddr } from '@multiformats/multiaddr'
import pLimit from 'p-limit'
import { subStream } from '../../kit/random.js'

/**
 * @typedef {import('../node-host.js').Meeting} Meeting
 * @typedef {import('../node-host.js').Met} Met
 * @typedef {import('../node-host.js').RendezvousStep} RendezvousStep
 * @typedef {import('./gossip-node.js').GossipNode} GossipNode
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 *
 * @typedef {object} RendezvousNodesComponents
 * @property {ReadonlyMap<number, GossipNode>} nodes - with the rendezvous client
 * @property {readonly (readonly number[])[]} subscriptions
 * @property {number} seed
 * @property {import('../gossip/peer-numbers.js').PeerNumbers} peers
 * @property {() => number} now - ns
 * @property {(done: number) => void} onProgress - of dials
 */

/** Nodes that work at a time: all at once would measure how they wait for this process. */
const NODES_AT_ONCE = 20

/** RendezvousNodes are nodes that find one another at a rendezvous server. */
export class RendezvousNodes {
  #components
  #dialled = 0

  /** @param {RendezvousNodesComponents} components */
  constructor(components) {
    this.#components = components
  }

  /**
   * register connects every node to the server and registers it, with its signed addresses, under the namespaces of its topics.
   *
   * @param {Meeting} meeting
   * @returns {Promise<import('../node-host.js').Registered>}
   */
  async register({ server, namespaces }) {
    const address = multiaddr(server)
    const done = await this.#each(async (node, libp2p) => {
      const connect = await this.#timed(node, () => libp2p.dial(address))
      /** @type {(RendezvousStep & { topic: number })[]} */
      const registers = []
      for (const topic of this.#components.subscriptions[node]) {
        const step = await this.#timed(node, () => clientOf(libp2p).register(address, namespaces[topic]))
        registers.push({ ...step, topic })
      }
      return { connect, registers }
    })
    return {
      connects: done.map(({ connect }) => connect),
      registers: done.flatMap(({ registers }) => registers)
    }
  }

  /**
   * meet lets every node ask for the others of its topics and dial some of what it found. Nothing is kept at the server's end:
   * a connection to it would be one more in the network that is measured.
   *
   * @param {Meeting & { k: number }} meeting
   * @returns {Promise<Met>}
   */
  async meet({ server, namespaces, k }) {
    const address = multiaddr(server)
    const met = await this.#each(async (node, libp2p) => {
      const random = subStream(this.#components.seed, 'rendezvous', node)
      /** @type {Met['discovers']} */
      const discovers = []
      /** @type {Map<number, Multiaddr[]>} */
      const chosen = new Map()
      for (const topic of this.#components.subscriptions[node]) {
        const { found, ...step } = await this.#discover(node, libp2p, {
          server: address,
          ns: namespaces[topic]
        })
        discovers.push({ ...step, topic, found: found.length })
        for (const [peer, addresses] of someOf(found, k, random)) chosen.set(peer, addresses)
      }
      const dials = await Promise.all(
        [...chosen].map(([to, addresses]) => this.#dial(libp2p, { from: node, to, addresses }))
      )
      return { discovers, dials }
    })
    await this.#each((_, libp2p) => this.#leave(libp2p, address))
    return {
      discovers: met.flatMap(({ discovers }) => discovers),
      dials: met.flatMap(({ dials }) => dials)
    }
  }

  /** @param {number} node @param {GossipNode} libp2p @param {{ server: Multiaddr, ns: string }} where */
  async #discover(node, libp2p, { server, ns }) {
    const { peers } = this.#components
    /** @type {Map<number, Multiaddr[]>} */
    const found = new Map()
    const step = await this.#timed(node, async () => {
      for await (const { registrations } of clientOf(libp2p).discoverAll(server, { ns })) {
        for (const { peerId, addresses } of registrations) {
          const peer = peers.nodeOf(peerId.toString())
          if (peer === undefined || peer === node) continue
          // a record names its peer apart from its addresses
          found.set(
            peer,
            addresses.map(each => each.encapsulate(`/p2p/${peerId}`))
          )
        }
      }
    })
    return { ...step, found: [...found].sort(([a], [b]) => a - b) }
  }

  /**
   * @param {GossipNode} libp2p
   * @param {{ from: number, to: number, addresses: Multiaddr[] }} dial
   * @returns {Promise<Met['dials'][number]>}
   */
  async #dial(libp2p, { from, to, addresses }) {
    let inbound = false
    const { ms, error } = await this.#timed(from, async () => {
      const connection = await libp2p.dial(addresses)
      inbound = connection.direction === 'inbound'
    })
    this.#components.onProgress(++this.#dialled)
    return { from, to, ms, error, inbound }
  }

  /** A server that is gone by now has nothing to leave. @param {GossipNode} libp2p @param {Multiaddr} server */
  async #leave(libp2p, server) {
    await libp2p.hangUp(server).catch(() => {})
  }

  /** @param {number} node @param {() => Promise<unknown>} work @returns {Promise<RendezvousStep>} */
  async #timed(node, work) {
    const { now } = this.#components
    const startNs = now()
    /** @type {string | null} */
    let error = null
    try {
      await work()
    } catch (thrown) {
      error = /** @type {Error} */ (thrown).message
    }
    return { node, ms: (now() - startNs) / 1e6, error }
  }

  /** @template T @param {(node: number, libp2p: GossipNode) => Promise<T>} work @returns {Promise<T[]>} */
  #each(work) {
    const limit = pLimit(NODES_AT_ONCE)
    return Promise.all([...this.#components.nodes].map(([node, libp2p]) => limit(() => work(node, libp2p))))
  }
}

/** @param {GossipNode} libp2p */
const clientOf = libp2p =>
  /** @type {import('./gossip-node.js').RendezvousClient} */ (libp2p.services.rendezvous)

/**
 * someOf takes k at random, or all where there are no more.
 *
 * @template T
 * @param {readonly T[]} all
 * @param {number} k
 * @param {() => number} random
 * @returns {T[]}
 */
function someOf(all, k, random) {
  const left = [...all]
  return Array.from({ length: Math.min(k, left.length) }, () => {
    const [one] = left.splice(Math.floor(random() * left.length), 1)
    return one
  })
}
