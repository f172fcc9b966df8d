// Real nodes of a gossip network that register and discover each other at a rendezvous server.
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import pLimit from 'p-limit'
import { makeSubStream } from '../../kit/random.js'

/**
 * @typedef {import('../node-host.js').MeetingResult} MeetingResult
 * @typedef {import('../node-host.js').RendezvousStep} RendezvousStep
 * @typedef {import('./gossip-node.js').GossipNode} GossipNode
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 *
 * @typedef {object} ServerClient - a node at its rendezvous server
 * @property {() => Promise<unknown>} connect
 * @property {(ns: string) => Promise<unknown>} register
 * @property {(ns: string) => Promise<Pick<import('../../client/rendezvous-client.js').DiscoveredRegistration, 'peerId' | 'addresses'>[]>} discover - all there
 *   are
 *
 * @typedef {object} RendezvousNodesComponents
 * @property {ReadonlyMap<number, Pick<GossipNode, 'dial'>>} nodes
 * @property {(node: number) => ServerClient} clientOf
 * @property {readonly (readonly number[])[]} subscriptions
 * @property {number} seed
 * @property {import('../node-host.js').PeerNumbers} peers
 * @property {() => number} now - ns
 * @property {(done: number) => void} onProgress - of dials
 */

/** Nodes that work at a time: all at once would measure how they wait for this process. */
const MAX_CONCURRENT_NODES = 20

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
   * @param {readonly string[]} namespaces - by topic
   * @returns {Promise<import('../node-host.js').RegistrationResult>}
   */
  async register(namespaces) {
    const done = await this.#each(async node => {
      const client = this.#components.clientOf(node)
      const connect = await this.#timed(node, () => client.connect())
      /** @type {(RendezvousStep & { topic: number })[]} */
      const registers = []
      for (const topic of this.#components.subscriptions[node]) {
        const step = await this.#timed(node, () => client.register(namespaces[topic]))
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
   * meet lets every node ask for the others of its topics and dial some of what it found.
   *
   * @param {readonly string[]} namespaces - by topic
   * @param {number} k - that a node dials for each of its topics
   * @returns {Promise<MeetingResult>}
   */
  async meet(namespaces, k) {
    const met = await this.#each(async (node, libp2p) => {
      const random = makeSubStream(this.#components.seed, 'rendezvous', node)
      /** @type {MeetingResult['discovers']} */
      const discovers = []
      /** @type {Map<number, Multiaddr[]>} */
      const chosen = new Map()
      for (const topic of this.#components.subscriptions[node]) {
        const { found, foreign, ...step } = await this.#discover(node, namespaces[topic])
        discovers.push({ ...step, topic, found: found.length, foreign })
        for (let left = Math.min(k, found.length); left > 0; left--) {
          const [[peer, addresses]] = found.splice(Math.floor(random() * found.length), 1)
          chosen.set(peer, addresses)
        }
      }
      const dials = await Promise.all(
        [...chosen].map(async ([to, addresses]) => {
          let inbound = false
          const { ms, error } = await this.#timed(node, async () => {
            const connection = await libp2p.dial(addresses)
            inbound = connection.direction === 'inbound'
          })
          this.#components.onProgress(++this.#dialled)
          return { from: node, to, ms, error, inbound }
        })
      )
      return { discovers, dials }
    })
    return {
      discovers: met.flatMap(({ discovers }) => discovers),
      dials: met.flatMap(({ dials }) => dials)
    }
  }

  /**
   * refresh has each node register and discover again, at moments of its own, until it is to end.
   *
   * @param {readonly string[]} namespaces - by topic
   * @param {object} how
   * @param {number} how.everyMs
   * @param {AbortSignal} how.signal - ends it
   * @param {(step: import('../node-host.js').RefreshStep) => void} how.onStep
   */
  async refresh(namespaces, { everyMs, signal, onStep }) {
    setMaxListeners(0, signal)
    const { nodes, subscriptions, seed, clientOf } = this.#components
    await Promise.all(
      [...nodes.keys()].map(async node => {
        const client = clientOf(node)
        let waitMs = makeSubStream(seed, 'refresh', node)() * everyMs
        while (await sleep(waitMs, true, { signal }).catch(() => false)) {
          const startMs = performance.now()
          for (const topic of subscriptions[node]) {
            const ns = namespaces[topic]
            onStep({ ...(await this.#timed(node, () => client.register(ns))), type: 'REGISTER' })
            onStep({ ...(await this.#timed(node, () => client.discover(ns))), type: 'DISCOVER' })
          }
          waitMs = Math.max(0, everyMs - (performance.now() - startMs))
        }
      })
    )
  }

  /** Whoever is of no node of the network is foreign, and is not dialled. @param {number} node @param {string} ns */
  async #discover(node, ns) {
    const { peers, clientOf } = this.#components
    /** @type {Map<number, Multiaddr[]>} */
    const discovered = new Map()
    let foreign = 0
    const step = await this.#timed(node, async () => {
      for (const { peerId, addresses } of await clientOf(node).discover(ns)) {
        const peer = peers.nodeOf(peerId.toString())
        if (peer === undefined) foreign++
        if (peer === undefined || peer === node) continue
        // a record names its peer apart from its addresses
        discovered.set(
          peer,
          addresses.map(each => each.encapsulate(`/p2p/${peerId}`))
        )
      }
    })
    return { ...step, foreign, found: [...discovered].sort(([a], [b]) => a - b) }
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

  /** @template T @param {(node: number, libp2p: Pick<GossipNode, 'dial'>) => Promise<T>} work @returns {Promise<T[]>} */
  #each(work) {
    const limit = pLimit(MAX_CONCURRENT_NODES)
    return Promise.all([...this.#components.nodes].map(([node, libp2p]) => limit(() => work(node, libp2p))))
  }
}

/**
 * makeServerClient has a node ask by its rendezvous client.
 *
 * @param {GossipNode} node
 * @param {string} server - multiaddr
 * @returns {ServerClient}
 */
export function makeServerClient(node, server) {
  const address = multiaddr(server)
  const client = /** @type {import('../../client/rendezvous-client.js').RendezvousClient} */ (
    node.services.rendezvous
  )
  return {
    connect: () => node.dial(address),
    register: ns => client.register(address, ns),
    async discover(ns) {
      const all = []
      for await (const { registrations } of client.discoverAll(address, { ns })) all.push(...registrations)
      return all
    }
  }
}
