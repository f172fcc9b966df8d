// The clients of a worker that are gossip nodes too.
import { setTimeout as sleep } from 'node:timers/promises'
import { peerIdFromPublicKey } from '@libp2p/peer-id'
import { CODE_P2P, multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor, transports } from '../../../client/dial.js'
import { Purpose, privateKeyOf } from '../../../client/identities.js'
import { CLIENT_REASONS, connectFrom } from '../../../client/node.js'
import { openRegistrations } from '../../../client/rendezvous-client.js'
import { WireWatch } from '../../../measure/client-overhead.js'
import { EventLoopThrottle, ownMessagesOf } from '../../../network/publisher.js'
import { RealHost } from '../../../network/real-host.js'
import { sealPeerRecord } from '../../../protocol/signed-record.js'
import { WARM_UP_MESSAGES } from '../peer-options.js'

/**
 * The clients of a worker that are nodes of a gossip network too: `RealHost` is the life of the nodes, `LoadClient` that of the clients.
 *
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../network/node-host.js').Peer} Peer
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../load/churn.js').Life} Life
 * @typedef {import('./load-client.js').LoadClient} LoadClient
 *
 * @typedef {object} PeerNetworkSetup - of the whole network
 * @property {import('../../gossip/options.js').GossipPlan} plan - its topics have the names of the namespaces
 * @property {readonly (readonly number[])[]} subscriptions - topics of each client, and of those that come later
 * @property {readonly Life[]} [later] - clients that come later
 * @property {number} runNonce
 * @property {bigint} originNs
 * @property {import('../../../network/node-host.js').HostSetup['traces']} [traces]
 * @property {string} [address] - that nodes listen on; absent: loopback
 *
 * @typedef {object} FullPeersSetup
 * @property {Plan} plan - of the clients
 * @property {PeerNetworkSetup} network
 * @property {number} index - of the worker
 * @property {readonly number[]} clients - indices of its clients among all
 * @property {readonly import('@multiformats/multiaddr').Multiaddr[]} servers
 *
 * @typedef {object} Own - of a client
 * @property {import('@libp2p/interface').PrivateKey} privateKey
 * @property {WireWatch} wire - of its connection to the server
 */

/** In the closed model a client publishes no further while more waits in its streams. */
const MAX_BACKLOG_BYTES = 1 << 20
const BACKLOG_CHECK_MS = 10

/** Where nobody listens to the bytes of the others. @type {import('../../../libp2p/layers/node-parts.js').Wire} */
const UNHEARD = { wrote: () => {}, read: () => {} }

/** FullPeers are the nodes of a worker's clients, and what they do for one another. */
export class FullPeers {
  #setup
  #host
  #turns
  /** @type {Map<number, Own>} by client */
  #own = new Map()
  /** @type {Map<number, LoadClient>} */
  #clients = new Map()
  /** @type {Map<number, ReturnType<typeof ownMessagesOf>>} what each client draws for its messages */
  #draws = new Map()
  /** How many messages each client has published, of warm-ups and of measurements: no two messages have the same number. */
  #published = { warmup: new Map(), measure: new Map() }
  /** @type {import('./load-worker.js').Phase} */
  #phase = 'warmup'
  #turnstile = new EventLoopThrottle({ now: () => Number(process.hrtime.bigint()) })
  #stopping = new AbortController()
  /** Where nodes of the run listen. */
  #hosts = new Set()

  /**
   * @param {FullPeersSetup} setup
   * @param {object} components
   * @param {import('../../../measure/client-overhead.js').Turns} components.turns - of the event loop
   * @param {(interval: HostInterval) => Promise<unknown>} components.report
   */
  constructor(setup, { turns, report }) {
    this.#setup = setup
    this.#turns = turns
    const { network, index, clients } = setup
    this.#host = new RealHost(
      { ...network, worker: index, nodes: clients },
      {
        onInterval: async interval => void (await report(interval)),
        clientOf: (node, networkWire) => this.#clientPartsOf(node, networkWire),
        reasons: CLIENT_REASONS
      }
    )
  }

  /** start starts the nodes. @returns {Promise<Peer[]>} */
  start() {
    return this.#host.provision()
  }

  /** settings are what the nodes have other than what libp2p and gossipsub take by themselves. */
  settings() {
    return this.#host.settings()
  }

  /**
   * partsOf is what a client takes part with.
   *
   * @param {number} client
   */
  async partsOf(client) {
    const { plan, network } = this.#setup
    const node = this.#host.nodeOf(client)
    const { privateKey, wire } = /** @type {Own} */ (this.#own.get(client))
    return {
      wire,
      node: {
        services: /** @type {any} */ (node.services),
        getConnections: () => node.getConnections(),
        // they end together, with the host
        stop: async () => {}
      },
      signedPeerRecord: await sealPeerRecord({
        privateKey,
        addresses: node.getMultiaddrs().map(address => address.decapsulateCode(CODE_P2P)),
        seq: 1,
        domain: plan.recordDomain
      }),
      topics: { all: network.plan.topics.length, own: network.subscriptions[client] },
      publish: (/** @type {bigint} */ dueNs) => this.#publish(client, dueNs),
      backpressure: () => this.#backpressure(client)
    }
  }

  /** attach tells which client a node belongs to. @param {number} client @param {LoadClient} loadClient */
  attach(client, loadClient) {
    this.#clients.set(client, loadClient)
  }

  /** admit tells who the clients of the run are: nodes take connections of them alone, where others could reach them. @param {readonly Peer[]} peers */
  async admit(peers) {
    await this.#host.admit(peers)
    this.#host.know([...peers])
    this.#hosts = new Set(peers.map(({ multiaddr: address }) => hostOf(multiaddr(address))))
    const { plan, network } = this.#setup
    const later = await Promise.all(
      (network.later ?? []).map(async ({ node }) => {
        const { publicKey } = await privateKeyOf(plan.seed, Purpose.CLIENT, node)
        return { node, peerId: peerIdFromPublicKey(publicKey).toString() }
      })
    )
    await this.#host.expect(later)
  }

  /** startNode starts the node of a client that comes, or is back. @param {number} client */
  startNode(client) {
    return this.#host.startNode(client)
  }

  /** kill ends the node of a client at once. @param {number} client */
  kill(client) {
    return this.#host.killNode(client)
  }

  /** join lets one client discover the others of its topics, and dial some of them. @param {number} client @param {number} k - for each of its topics */
  async join(client, k) {
    await this.#nodesOf(client).meet(this.#namespaces, k)
  }

  /** topicsOf are how many topics a client is in. @param {number} client */
  topicsOf(client) {
    return this.#setup.network.subscriptions[client].length
  }

  /** register registers all clients in their topics, which are connected to their server. */
  register() {
    return this.#nodesOf().register(this.#namespaces)
  }

  /**
   * meet lets every client discover the others of its topics, and dial some of them. Whoever is no client of the run is not dialled.
   *
   * @param {number} k - that each dials for each of its topics
   */
  meet(k) {
    return this.#nodesOf().meet(this.#namespaces, k)
  }

  /** awaitMesh lets up to so much time pass, then tells the state. @param {{ stepMs: number }} how */
  awaitMesh(how) {
    return this.#host.awaitMesh(how)
  }

  /** drain lets time pass for what is still under way. @param {{ stepMs: number }} how */
  drain(how) {
    return this.#host.drain(how)
  }

  /** snapshot is what is known now, with the worker that knows it. */
  async snapshot() {
    return { worker: this.#setup.index, interval: await this.#host.snapshot() }
  }

  collect() {
    return this.#host.collect()
  }

  /** begin begins a phase. @param {import('./load-worker.js').Phase} phase */
  begin(phase) {
    this.#phase = phase
    this.#draws.clear()
  }

  /** reportWhile tells once a second what the nodes do while work goes on. @template T @param {() => Promise<T>} work */
  reportWhile(work) {
    return this.#host.reportWhile(work)
  }

  async stop() {
    this.#stopping.abort()
    await this.#host.stop()
  }

  /** @param {number} client */
  async #backpressure(client) {
    const { signal } = this.#stopping
    await this.#turnstile.pass(signal)
    while (this.#host.backlogOf(client) > MAX_BACKLOG_BYTES && !signal.aborted) await sleep(BACKLOG_CHECK_MS)
  }

  /** @param {number} client @param {bigint} dueNs */
  async #publish(client, dueNs) {
    const { network } = this.#setup
    const { plan, subscriptions, originNs } = network
    const draw = this.#draws.get(client) ?? ownMessagesOf(plan, subscriptions[client], client)
    this.#draws.set(client, draw)
    const published = this.#published[this.#phase]
    const count = published.get(client) ?? 0
    published.set(client, count + 1)
    await this.#host.publish({
      message: (this.#phase === 'warmup' ? WARM_UP_MESSAGES : 0) + client + count * subscriptions.length,
      node: client,
      topic: draw.topic(),
      dueNs: Number(dueNs - originNs),
      bytes: draw.bytes()
    })
  }

  get #namespaces() {
    return this.#setup.network.plan.topics.map(({ name }) => name)
  }

  /** Clients as those that find one another at a rendezvous server. @param {number} [only] - this one; default: all */
  #nodesOf(only) {
    /** @param {import('../../../protocol/rendezvous.js').Register[]} page @param {string} ns */
    const opened = (page, ns) => this.#opened(page, ns)
    return this.#host.nodesThatAsk(node => {
      const client = /** @type {LoadClient} */ (this.#clients.get(node))
      return {
        // they are, and stay so
        connect: async () => {},
        register: () => client.registerNext(),
        async discover(ns) {
          /** @type {Awaited<ReturnType<typeof opened>>} */
          const all = []
          await client.discoverAll(ns, async page => void all.push(...(await opened(page, ns))))
          return all
        }
      }
    }, only)
  }

  /**
   * Of clients of the run signatures are checked, and that they listen where they say: records of others are never used.
   *
   * @param {import('../../../protocol/rendezvous.js').Register[]} registers
   * @param {string} ns
   */
  async #opened(registers, ns) {
    const { registrations } = await openRegistrations(registers, { ns, verify: false })
    const checked = registrations.map(async registration => {
      const node = this.#host.numberOf(registration.peerId.toString())
      // it is counted, and no more
      if (node === undefined) return [{ ...registration, addresses: [] }]
      const { registrations: valid } = await openRegistrations(
        [{ ns, signedPeerRecord: registration.signedPeerRecord }],
        { ns, verify: true }
      )
      const own = this.#host.addressOf(node)?.decapsulateCode(CODE_P2P)
      // where those that come later listen is not known before, but on which machine
      const isOwn = (/** @type {import('@multiformats/multiaddr').Multiaddr} */ at) =>
        own === undefined ? this.#hosts.has(hostOf(at)) : String(at) === String(own)
      return valid.map(each => ({ ...each, addresses: each.addresses.filter(isOwn) }))
    })
    return (await Promise.all(checked)).flat()
  }

  /** @param {number} client @param {import('../../../libp2p/layers/node-parts.js').Wire | undefined} networkWire */
  async #clientPartsOf(client, networkWire = UNHEARD) {
    const { plan, servers } = this.#setup
    const privateKey = await privateKeyOf(plan.seed, Purpose.CLIENT, client)
    const wire = new WireWatch(this.#turns)
    this.#own.set(client, { privateKey, wire })
    const ofServers = new Set(servers.map(hostAndPort))
    return {
      privateKey,
      tcp: connectFrom(clientAddressFor(servers[0], client, process.platform)),
      services: { transports },
      wireOf: (/** @type {import('@multiformats/multiaddr').Multiaddr} */ remote) =>
        ofServers.has(hostAndPort(remote)) ? wire : networkWire
    }
  }
}

/** @param {import('@multiformats/multiaddr').Multiaddr} address */
const hostOf = address => address.toString().split('/').slice(1, 3).join('/')

/** @param {import('@multiformats/multiaddr').Multiaddr} address */
const hostAndPort = address => multiaddr(address).toString().split('/').slice(1, 5).join('/')
