// Connects the clients of a rendezvous run as gossip nodes (full peers), and measures their discovery, dials and
// deliveries.
import { setTimeout as sleep } from 'node:timers/promises'
import { dealIndices } from '../../../kit/collections.js'
import { formatCount } from '../../../kit/numbers.js'
import { makeSubStream } from '../../../kit/random.js'
import { makeLives } from '../../../load/churn.js'
import { findClockError, readUnixNs } from '../../../measure/distribution.js'
import { makePlan } from '../../../plan/plan.js'
import { makeDiscoveredNetwork, warmUpMesh } from '../../gossip/bootstrap.js'
import { ChurnMeasurement, listAbsencesSince } from '../../gossip/churn.js'
import {
  GossipMeasurement,
  makeGossipOutcome,
  makeNetworkWarnings,
  makeTopologyResult
} from '../../gossip/outcome.js'
import { GOSSIP_KIND } from '../../gossip/scenario.js'
import {
  DIALS_PER_TOPIC,
  drawPeerSubscriptions,
  FIRST_WARM_UP_MESSAGE,
  makeChurnPlan
} from '../peer-options.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../load/registrations.js').RunNamespaces} RunNamespaces
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../network/node-host.js').HostEnd} HostEnd
 * @typedef {import('../../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {import('../../../run/fleet.js').Fleet} Fleet
 * @typedef {import('../worker-pool.js').WorkerPool} WorkerPool
 * @typedef {import('../worker/full-peers.js').PeerNetworkSetup} PeerNetworkSetup
 * @typedef {import('../schema.js').PeersOutcome} PeersOutcome
 */

/** Time limit for the mesh to form; without it the run continues, with a warning. */
const MESH_TIMEOUT_MS = 30_000
/** Time limit for the last deliveries. */
const COOLDOWN_MS = 30_000
const STEP_MS = 250
/** Time limit for the last reports of workers, when a run ends early. */
const LAST_REPORTS_MS = 700

/**
 * PeerNetwork is the gossip network of clients that are full peers. It measures discovery, dials, and the deliveries of every message.
 */
export class PeerNetwork {
  #plan
  #gossipPlan
  #subscriptions
  #setup
  #fleet
  /** @type {GossipMeasurement | null} */
  #measurement = null
  #measures = false
  /** @type {ChurnMeasurement | null} null: clients stay, or the load has not begun */
  #churn = null
  #churnFromNs = 0
  #topology
  /** @type {import('../../gossip/outcome.js').GossipOutcome['rendezvous']} */
  #steps = null
  /** @type {Omit<import('../../gossip/outcome.js').MeshResult, 'series'>} */
  #mesh = { formedAfterMs: null, missing: [], degrees: {} }
  /** @type {import('../../gossip/measure/delivery-tracker.js').DeliveryResult | null} */
  #deliveries = null
  #withoutStream = 0
  /** @type {Map<number, number>} measured messages published by each client */
  #published = new Map()
  /** @type {Map<number, number>} those of earlier runs */
  #before = new Map()
  /** @type {{ node: number, atNs: number }[]} clients whose process is gone */
  #ended = []

  /**
   * @param {Plan} plan
   * @param {object} of
   * @param {RunNamespaces} of.namespaces - of the run
   * @param {Fleet} [of.fleet] - machines that hold the clients; none: this one does
   * @param {string | null} [of.traces] - folder that traces of the nodes go to; null: none are kept
   */
  constructor(plan, { namespaces, fleet, traces = null }) {
    const settings = /** @type {Required<Pick<Plan, 'topics' | 'messageBytes' | 'signing'>>} */ (plan)
    const { seed, nClients, workers, stack, stock } = plan
    this.#plan = plan
    this.#fleet = fleet
    this.#gossipPlan = /** @type {import('../../gossip/options.js').GossipPlan} */ ({
      ...makePlan(/** @type {any} */ (GOSSIP_KIND), {}).plan,
      ...{ seed, nodes: nClients, workers, stack, stock, linkLatencyMs: 0 },
      topology: { kind: 'rendezvous', k: DIALS_PER_TOPIC },
      topics: settings.topics.map(({ chance }, i) => ({ name: namespaces.planned(i), chance })),
      messageBytes: settings.messageBytes,
      signing: settings.signing,
      warmupTimeoutMs: MESH_TIMEOUT_MS,
      ...{ churn: plan.churn ?? null, durationMs: plan.durationMs, messages: null }
    })
    const own = drawPeerSubscriptions({ seed, nodes: nClients, topics: settings.topics })
    const later = plan.churn?.asNew
      ? makeLives(makeChurnPlan(plan)).filter(({ startMs }) => startMs !== null)
      : []
    // a new client has the topics of the client that it replaces
    this.#subscriptions = [...own, ...later.map(({ slot }) => own[slot])]
    this.#setup = {
      plan: this.#gossipPlan,
      subscriptions: this.#subscriptions,
      later,
      runNonce: Math.floor(makeSubStream(seed, 'nonce')() * 2 ** 32),
      originNs: process.hrtime.bigint(),
      traces: traces === null ? null : { folder: traces, originUnixNs: readUnixNs() }
    }
    this.#topology = makeTopologyResult(this.#gossipPlan, [])
  }

  /**
   * setupOf makes the setup of a worker.
   *
   * @param {number} worker
   * @param {string} [inside] - address of its namespace
   * @returns {PeerNetworkSetup}
   */
  setupOf(worker, inside) {
    const fleet = this.#fleet
    if (fleet === undefined) return { ...this.#setup, ...(inside !== undefined && { address: inside }) }
    const originNs = fleet.clockOf(worker).there(this.#setup.originNs)
    return { ...this.#setup, originNs, address: fleet.addressOf(worker) }
  }

  /**
   * join lets the connected clients register, discover one another and dial, and waits for the mesh.
   *
   * @param {WorkerPool} pool
   * @param {(doneMs: number, totalMs: number) => void} onProgress - of waiting for the mesh
   * @returns {Promise<string>} the result, in words
   * @throws {Error} no client could connect to another one
   */
  async join(pool, onProgress) {
    await pool.peers('admit', await pool.peerAddresses())
    // all register before any discovers: else each would discover only the faster ones
    const registered = await pool.peers('register')
    const { dialled, steps } = makeDiscoveredNetwork(registered, await pool.peers('meet', DIALS_PER_TOPIC))
    this.#steps = steps
    this.#topology = makeTopologyResult(this.#gossipPlan, dialled)
    const edges = dialled.flatMap(({ from, to, error }) =>
      error === null ? [/** @type {[number, number]} */ ([from, to])] : []
    )
    if (edges.length === 0)
      throw new Error(`no client could connect to another one${reasonOf(registered, dialled)}`)
    this.#mesh = await warmUpMesh(this.#gossipPlan, {
      hosts: { awaitMesh: stepMs => pool.peers('awaitMesh', { stepMs }) },
      edges,
      subscriptions: this.#subscriptions,
      onProgress: doneMs => onProgress(doneMs, MESH_TIMEOUT_MS)
    })
    const mesh = this.#mesh.formedAfterMs === null ? 'mesh not formed' : 'mesh formed'
    return `${formatCount(edges.length, 'connection')} between them, ${mesh}`
  }

  /** begin begins to measure: messages published before are not counted. @param {WorkerPool} pool */
  async begin(pool) {
    /** @type {{ worker: number, interval: HostInterval }[]} */
    const snapshots = await pool.peers('snapshot')
    const startNs = Math.max(...snapshots.map(({ interval }) => interval.atNs))
    this.reset()
    this.#measurement = new GossipMeasurement({
      workers: this.#plan.workers,
      nodes: this.#subscriptions.length,
      subscriptions: this.#subscriptions,
      startNs,
      planned: null,
      isThere: (node, publishedUs) => this.#churn?.isThere(node, publishedUs) ?? true,
      lens: {
        take: (interval, received) => {
          const own = this.#ofMeasurement(received)
          return this.#churn?.take(interval, own) ?? own
        }
      }
    })
    for (const { worker, interval } of snapshots) this.#measurement.before(interval, worker)
    this.#measures = true
  }

  /** starts begins churn at the start of the load. @param {bigint} startNs - of the load */
  starts(startNs) {
    if (this.#plan.churn == null) return
    this.#churnFromNs = Number(startNs - this.#setup.originNs)
    this.#churn = new ChurnMeasurement(this.#gossipPlan, {
      subscriptions: this.#subscriptions,
      stretch: { startNs: this.#churnFromNs, planned: null }
    })
  }

  /** change adds changes in the lives of clients. @param {readonly import('../../../load/churn.js').LifeChange[]} changes */
  change(changes) {
    this.#churn?.change(changes.map(change => sinceOrigin(change, this.#setup.originNs)))
  }

  /** reset discards the measurements of an earlier run; its clients and their network stay. */
  reset() {
    this.#measurement = null
    this.#churn = null
    this.#deliveries = null
    this.#withoutStream = 0
    this.#before = new Map(this.#published)
  }

  /** add adds an interval of a worker. @param {HostInterval} interval @param {number} worker */
  add(interval, worker) {
    if (!this.#measures) return
    for (const message of interval.published.message) {
      const [client, count] = this.#numbered(message)
      this.#published.set(client, Math.max(count + 1, this.#published.get(client) ?? 0))
    }
    this.#measurement?.add(interval, worker)
  }

  /** @param {number} message @returns {[client: number, count: number]} */
  #numbered(message) {
    const clients = this.#subscriptions.length
    return [message % clients, Math.floor(message / clients)]
  }

  /**
   * Leaves out late deliveries of the warm-up, and of earlier runs of a study.
   *
   * @param {ReceivedRows} received
   * @returns {ReceivedRows} of measured messages
   */
  #ofMeasurement(received) {
    const places = [...received.message.keys()].filter(row => {
      const message = received.message[row]
      const [client, count] = this.#numbered(message)
      return message < FIRST_WARM_UP_MESSAGE && count >= (this.#before.get(client) ?? 0)
    })
    if (places.length === received.message.length) return received
    const columns = Object.entries(received).map(([name, column]) => {
      const own = column.slice(0, places.length)
      for (const [i, row] of places.entries()) own[i] = column[row]
      return [name, own]
    })
    return Object.fromEntries(columns)
  }

  /**
   * coolDown waits until every message was delivered, within the time limit.
   *
   * @param {WorkerPool} pool
   * @param {(doneMs: number, totalMs: number) => void} onProgress
   */
  async coolDown(pool, onProgress) {
    const beganMs = performance.now()
    const waitedMs = () => performance.now() - beganMs
    const open = () => this.#measurement?.tracker.memory.open ?? 0
    while (this.#measures && open() > 0 && waitedMs() < COOLDOWN_MS) {
      onProgress(waitedMs(), COOLDOWN_MS)
      await pool.peers('drain', { stepMs: STEP_MS })
    }
    this.#close(await pool.peers('collect'))
  }

  /** breakOff keeps the measurements of a run that ends early. @param {WorkerPool} pool */
  async breakOff(pool) {
    if (!this.#measures) return
    const collected = pool.whoever('peers', 'collect')
    const ends = await Promise.race([collected, sleep(LAST_REPORTS_MS, [], { ref: false })])
    this.#close(ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : [])))
  }

  /** lost marks the clients of a worker as gone. @param {number} worker */
  lost(worker) {
    const atNs = this.#measurement?.endNs ?? 0
    const { nClients, workers } = this.#plan
    this.#ended.push(...dealIndices(nClients, worker, workers).map(node => ({ node, atNs })))
  }

  /** @param {HostEnd[]} ends - of the workers that reported */
  #close(ends) {
    if (!this.#measures || this.#measurement === null) return
    this.#measures = false
    const closed = this.#measurement.close(ends, {
      ended: this.#ended,
      partitions: [],
      absences: listAbsencesSince(this.#gossipPlan, this.#churnFromNs),
      components: null
    })
    this.#deliveries = closed.deliveries
    this.#withoutStream = closed.meshPeersWithoutStream
  }

  /** outcome gives the outcome so far. @returns {PeersOutcome | undefined} undefined: not measuring yet */
  get outcome() {
    if (this.#measurement === null) return undefined
    const { network, resources, thresholds, ...outcome } = makeGossipOutcome(
      this.#gossipPlan,
      this.#measurement,
      {
        dialled: [],
        settings: {},
        topology: this.#topology,
        rendezvous: this.#steps,
        mesh: this.#mesh,
        publishEnds: [],
        meshPeersWithoutStream: this.#withoutStream,
        deliveries: this.#deliveries,
        clockErrorMs: this.#clockErrorMs,
        joinedBy: null,
        carried: null,
        containers: null,
        brokeOff: null,
        phases: null
      }
    )
    return { ...outcome, ...(this.#churn !== null && { churn: this.#churn.result() }) }
  }

  /** Error of times between machines, at most. */
  get #clockErrorMs() {
    return findClockError(this.#fleet?.agents(() => 0) ?? [])
  }

  /** figures gives the figures so far, at a cost that allows one call a second. */
  get figures() {
    return this.#measurement?.figures()
  }

  /** warnings lists the warnings about an outcome. @param {PeersOutcome} outcome */
  warnings(outcome) {
    return makeNetworkWarnings(outcome, this.#clockErrorMs)
  }
}

/**
 * @param {import('../../../load/churn.js').LifeChange} change
 * @param {bigint} originNs
 * @returns {import('../../../load/churn.js').LifeChange}
 */
function sinceOrigin({ node, startedNs, connectedNs, killedNs, error }, originNs) {
  const since = (/** @type {number | undefined} */ ns) => ns && ns - Number(originNs)
  return {
    ...{ node, startedNs: since(startedNs), connectedNs: since(connectedNs), killedNs: since(killedNs) },
    ...(error !== undefined && { error })
  }
}

/**
 * @param {import('../../../network/node-host.js').RegistrationResult[]} registered
 * @param {import('../../../network/node-host.js').DialResult[]} dialled
 */
function reasonOf(registered, dialled) {
  const steps = [...registered.flatMap(({ registers }) => registers), ...dialled]
  const failed = steps.find(({ error }) => error !== null)
  return failed === undefined ? ': they found nobody' : `: ${failed.error}`
}
