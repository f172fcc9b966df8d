// The full peers of a worker: clients that are gossip nodes too.
import { setTimeout as sleep } from 'node:timers/promises'
import { peerIdFromPublicKey } from '@libp2p/peer-id'
import { CODE_P2P, multiaddr } from '@multiformats/multiaddr'
import { chooseClientAddress, transportService } from '../../../client/dial.js'
import { derivePrivateKey, Purpose } from '../../../client/identities.js'
import { CLIENT_REASONS, makeTransportOptions } from '../../../client/node.js'
import { openRegistrations } from '../../../client/rendezvous-client.js'
import { WireTimer } from '../../../measure/client-overhead.js'
import { drawOwnMessages, makeEventLoopThrottle } from '../../../network/publisher.js'
import { RealHost } from '../../../network/real-host.js'
import { sealPeerRecord } from '../../../protocol/signed-record.js'
import { FIRST_WARM_UP_MESSAGE } from '../peer-options.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../network/node-host.js').Peer} Peer
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../load/churn.js').Life} Life
 * @typedef {import('./load-client.js').LoadClient} LoadClient
 *
 * @typedef {Pick<import('../../../network/node-host.js').HostSetup, 'plan' | 'subscriptions' | 'runNonce' | 'originNs' | 'traces' | 'address'>
 *   & { later?: readonly Life[] }} PeerNetworkSetup - of the whole network. Topics of `plan` have the names of the namespaces; `later`: clients that come
 *   later, of which there are `subscriptions` too
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
 * @property {WireTimer} wire - of its connection to the server
 */

/** In the closed model a client publishes no more while its streams hold more unsent bytes. */
const MAX_BACKLOG_BYTES = 1 << 20
const BACKLOG_CHECK_MS = 10

/** Wire of a network whose bytes are not observed. @type {import('../../../libp2p/layers/node-parts.js').WireListener} */
const UNOBSERVED = { wrote: () => {}, read: () => {} }

/** FullPeers runs the nodes of a worker's clients: `RealHost` starts and ends nodes, `LoadClient` sends the operations of clients. */
export class FullPeers {
  #setup
  #host
  #turns
  /** @type {Map<number, Own>} by client */
  #own = new Map()
  /** @type {Map<number, LoadClient>} */
  #clients = new Map()
  /** @type {Map<number, ReturnType<typeof drawOwnMessages>>} random draws of each client for its messages */
  #draws = new Map()
  /** Messages published by each client, in warm-ups and in measurements: no two messages have the same number. */
  #published = { warmup: new Map(), measure: new Map() }
  /** @type {import('./load-worker.js').Phase} */
  #phase = 'warmup'
  #throttle = makeEventLoopThrottle({ now: () => Number(process.hrtime.bigint()) })
  #stopping = new AbortController()
  /** Hosts that nodes of the run listen on. */
  #hosts = new Set()

  /**
   * @param {FullPeersSetup} setup
   * @param {object} components
   * @param {import('../../../measure/client-overhead.js').LoopTurns} components.turns - of the event loop
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

  /** settings gives the settings that differ from the defaults of libp2p and gossipsub. */
  settings() {
    return this.#host.settings()
  }

  /** partsOf makes the components of a client. @param {number} client */
  async partsOf(client) {
    const { plan, network } = this.#setup
    const node = this.#host.nodeOf(client)
    const { privateKey, wire } = /** @type {Own} */ (this.#own.get(client))
    return {
      wire,
      node: {
        services: /** @type {any} */ (node.services),
        getConnections: () => node.getConnections(),
        // nodes end together, with the host
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

  /** attach sets the client of a node. @param {number} client @param {LoadClient} loadClient */
  attach(client, loadClient) {
    this.#clients.set(client, loadClient)
  }

  /** admit sets the clients of the run: nodes that others could reach accept connections of these only. @param {readonly Peer[]} peers */
  async admit(peers) {
    await this.#host.admit(peers)
    this.#host.know([...peers])
    this.#hosts = new Set(peers.map(({ multiaddr: address }) => hostOf(multiaddr(address))))
    const { plan, network } = this.#setup
    const later = await Promise.all(
      (network.later ?? []).map(async ({ node }) => {
        const { publicKey } = await derivePrivateKey(plan.seed, Purpose.CLIENT, node)
        return { node, peerId: peerIdFromPublicKey(publicKey).toString() }
      })
    )
    await this.#host.expect(later)
  }

  /** startNode starts the node of a new or returning client. @param {number} client */
  startNode(client) {
    return this.#host.startNode(client)
  }

  /** kill ends the node of a client at once. @param {number} client */
  kill(client) {
    return this.#host.killNode(client)
  }

  /** join lets a client discover the others of its topics, and dial some of them. @param {number} client @param {number} k - for each of its topics */
  async join(client, k) {
    await this.#nodesOf(client).meet(this.#namespaces, k)
  }

  /** topicsOf counts the topics of a client. @param {number} client */
  topicsOf(client) {
    return this.#setup.network.subscriptions[client].length
  }

  /** register registers all connected clients in their topics. */
  register() {
    return this.#nodesOf().register(this.#namespaces)
  }

  /**
   * meet lets every client discover the others of its topics, and dial some of them. Peers of other runs are not dialled.
   *
   * @param {number} k - dials for each topic of a client
   */
  meet(k) {
    return this.#nodesOf().meet(this.#namespaces, k)
  }

  /** awaitMesh waits for the mesh, up to a time, and gives its state. @param {{ stepMs: number }} how */
  awaitMesh(how) {
    return this.#host.awaitMesh(how)
  }

  /** drain waits for deliveries under way. @param {{ stepMs: number }} how */
  drain(how) {
    return this.#host.drain(how)
  }

  /** snapshot gives the current interval, with the index of the worker. */
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

  /** reportWhile reports intervals of the nodes once a second during work. @template T @param {() => Promise<T>} work */
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
    await this.#throttle(signal)
    while (this.#host.backlogOf(client) > MAX_BACKLOG_BYTES && !signal.aborted) await sleep(BACKLOG_CHECK_MS)
  }

  /** @param {number} client @param {bigint} dueNs */
  async #publish(client, dueNs) {
    const { network } = this.#setup
    const { plan, subscriptions, originNs } = network
    const draw = this.#draws.get(client) ?? drawOwnMessages(plan, subscriptions[client], client)
    this.#draws.set(client, draw)
    const published = this.#published[this.#phase]
    const count = published.get(client) ?? 0
    published.set(client, count + 1)
    await this.#host.publish({
      message: (this.#phase === 'warmup' ? FIRST_WARM_UP_MESSAGE : 0) + client + count * subscriptions.length,
      node: client,
      topic: draw.topic(),
      dueNs: Number(dueNs - originNs),
      bytes: draw.bytes()
    })
  }

  get #namespaces() {
    return this.#setup.network.plan.topics.map(({ name }) => name)
  }

  /** Clients as nodes that discover one another at a rendezvous server. @param {number} [only] - this one; default: all */
  #nodesOf(only) {
    /** @param {import('../../../protocol/rendezvous.js').Register[]} page @param {string} ns */
    const opened = (page, ns) => this.#opened(page, ns)
    return this.#host.nodesThatAsk(node => {
      const client = /** @type {LoadClient} */ (this.#clients.get(node))
      return {
        // clients stay connected
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
   * Checks records of clients of the run: their signatures and addresses. Records of other peers are never used.
   *
   * @param {import('../../../protocol/rendezvous.js').Register[]} registers
   * @param {string} ns
   */
  async #opened(registers, ns) {
    const { registrations } = await openRegistrations(registers, { ns, verify: false })
    const checked = registrations.map(async registration => {
      const node = this.#host.numberOf(registration.peerId.toString())
      // peers of other runs are only counted
      if (node === undefined) return [{ ...registration, addresses: [] }]
      const { registrations: valid } = await openRegistrations(
        [{ ns, signedPeerRecord: registration.signedPeerRecord }],
        { ns, verify: true }
      )
      const own = this.#host.addressOf(node)?.decapsulateCode(CODE_P2P)
      // of later clients only the host of their address is known
      const isOwn = (/** @type {import('@multiformats/multiaddr').Multiaddr} */ at) =>
        own === undefined ? this.#hosts.has(hostOf(at)) : String(at) === String(own)
      return valid.map(each => ({ ...each, addresses: each.addresses.filter(isOwn) }))
    })
    return (await Promise.all(checked)).flat()
  }

  /** @param {number} client @param {import('../../../libp2p/layers/node-parts.js').WireListener | undefined} networkWire */
  async #clientPartsOf(client, networkWire = UNOBSERVED) {
    const { plan, servers } = this.#setup
    const privateKey = await derivePrivateKey(plan.seed, Purpose.CLIENT, client)
    const wire = new WireTimer(this.#turns)
    this.#own.set(client, { privateKey, wire })
    const ofServers = new Set(servers.map(hostAndPort))
    return {
      privateKey,
      tcp: makeTransportOptions(chooseClientAddress(servers[0], client, process.platform)),
      services: { transports: transportService },
      wireOf: (/** @type {import('@multiformats/multiaddr').Multiaddr} */ remote) =>
        ofServers.has(hostAndPort(remote)) ? wire : networkWire
    }
  }
}

/** @param {import('@multiformats/multiaddr').Multiaddr} address */
const hostOf = address => address.toString().split('/').slice(1, 3).join('/')

/** @param {import('@multiformats/multiaddr').Multiaddr} address */
const hostAndPort = address => multiaddr(address).toString().split('/').slice(1, 5).join('/')
