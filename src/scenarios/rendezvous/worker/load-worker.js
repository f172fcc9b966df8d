// Generates a worker process's share of the load: paces and measures the operations of its clients. Also writes the
// optional file of single operations.

import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { multiaddr } from '@multiformats/multiaddr'
import pLimit from 'p-limit'
import { CLIENT_REASONS } from '../../../client/node.js'
import { omitMissing, splitEvenly } from '../../../kit/collections.js'
import { makeSubStream } from '../../../kit/random.js'
import { Deadlines, makeTimeLimit } from '../../../kit/time.js'
import { SettingsReader } from '../../../libp2p/node-settings.js'
import {
  limitArrivals,
  makeArrivals,
  makeSteadyArrivals,
  mergeArrivals,
  takeWorkerShare
} from '../../../load/arrivals.js'
import { findClientWork, findGroupPlaces, listGroups, orderServers } from '../../../load/clients.js'
import { makeThinkTimes, Pacer, runClosedLoop, runOpenLoop } from '../../../load/pacing.js'
import { makeOperationTypes, RunNamespaces } from '../../../load/registrations.js'
import { SLOT_MS } from '../../../load/trials.js'
import { LoopTurns } from '../../../measure/client-overhead.js'
import { DueSlots, Meter, OperationRecorder, reportWhile } from '../../../measure/operations.js'
import { OwnMemoryWatch } from '../../../measure/resources.js'
import { startUsageMeter } from '../../../run/worker-process.js'
import { measuresStaleness, publishesMessages } from '../peer-options.js'
import { LoadClient, startClient } from './load-client.js'
import { lookUpRegistrations, ReplyChecks, StalenessWatch } from './server-checks.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 *
 * @typedef {object} WorkerSetup - parameters of a worker, sent once
 * @property {number} index - among those that share the load, from 0
 * @property {number} workers - that share the load
 * @property {number[]} clients - indices of its clients among all clients of the run
 * @property {number} allClients - of all workers that share the load
 * @property {Plan} plan
 * @property {string} runId - for namespaces
 * @property {readonly string[]} servers - multiaddrs of all
 * @property {boolean} precise - a core is free for pacing without sleeping
 * @property {number | null} expected - registrations every DISCOVER reply must hold at least; null: not known
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {string | null} samplesFile
 * @property {import('./full-peers.js').PeerNetworkSetup | null} [network] - of full peers; null: clients are none
 *
 * @typedef {object} ConfirmedByClient - registrations of one client that the server has confirmed
 * @property {number} client - its index
 * @property {Uint32Array} numbers - the client's k-th
 * @property {Float64Array} expireMs - when their times to live are over, on the monotonic clock of the host
 *
 * @typedef {object} RestoreResult
 * @property {number} namespacesUsed - the most that one client's registrations needed
 * @property {string | null} problem - why not everything could be taken back
 *
 * @typedef {object} LoadEnd
 * @property {bigint} beganNs - when the worker began
 * @property {bigint} endNs - when the worker's last operation had ended
 * @property {[client: number, count: number][]} succeeded - operations of each of its clients
 */

const DIALS_AT_ONCE = 20
/** A run that ends early waits this long for replies; its pool waits for twice as long. */
const LAST_REPLIES_MS = 1000

/** @typedef {'warmup' | 'measure'} Phase - in which load is generated */

/**
 * @param {WorkerSetup} setup
 * @param {Phase} phase
 */
function drawsOf({ plan, clients }, phase) {
  const { seed } = plan
  return {
    // the same streams in every worker: together the workers share one schedule for each role
    arrivals: listGroups(plan).map(group =>
      makeSubStream(seed, 'arrivals', phase, 'load', ...omitMissing([group.role]))
    ),
    namespaces: clients.map(client => makeSubStream(seed, 'namespaces', phase, client)),
    thinkTimes: clients.map(client => makeSubStream(seed, 'thinkTimes', phase, client))
  }
}

/** @param {Pick<WorkerSetup, 'samplesFile'>} setup */
const samplesOf = ({ samplesFile }) => (samplesFile === null ? null : new SampleLog(samplesFile))

/** LoadWorker holds the clients of one process and generates their share of the load. */
export class LoadWorker {
  #setup
  #generator
  #checks
  #samples
  /** @type {LoadClient[]} */
  #clients = []
  /** @type {import('../../../load/registrations.js').OperationTypes[]} one for each client */
  #types = []
  /** @type {Phase} */
  #phase = 'warmup'
  #draws
  /** How often the phase has begun load: draws of a mix go on. */
  #loads = 0
  /** @type {import('../../../load/clients.js').LoadLength} */
  #length = { operations: 0, durationMs: null, minDurationMs: 0 }
  #stopping = new AbortController()
  #closing = new AbortController()
  #lookingUp = new AbortController()
  /** @type {StalenessWatch | null} */
  #sights = null
  /** @type {import('./full-peers.js').FullPeers | null} null: its clients are none */
  #peers = null
  /** @type {import('./client-churn.js').ClientChurn | null} null: its clients stay */
  #churn = null
  /** @type {import('../../../measure/operations.js').DueSlots | null} null: there are no hostile peers */
  #dueSlots = null
  #reportNetwork
  /** @type {import('../../../network/node-host.js').Peer[]} */
  #peerAddresses = []

  /**
   * @param {WorkerSetup} setup
   * @param {(interval: import('../../../measure/operations.js').MeterInterval) => Promise<unknown>} report - resolves when it was received
   * @param {(interval: import('../../../network/node-host.js').HostInterval) => Promise<unknown>} [reportNetwork] - of full peers
   */
  constructor(setup, report, reportNetwork = async () => {}) {
    const { plan, index, expected } = setup
    this.#setup = setup
    this.#reportNetwork = reportNetwork
    this.#generator = new Generator(setup, report)
    this.#samples = samplesOf(setup)
    this.#checks = new ReplyChecks({
      limit: plan.discoverInexistentNamespaces ? 0 : plan.discoverLimit,
      expected,
      random: makeSubStream(plan.seed, 'checks', index)
    })
    this.#draws = drawsOf(setup, this.#phase)
  }

  /**
   * connect starts the clients and connects them to the server.
   *
   * @param {(connected: number) => void} onProgress
   * @returns {Promise<import('../../../libp2p/node-settings.js').SettingsByKind>} of their nodes
   */
  async connect(onProgress) {
    const { plan, clients, runId, servers, severalPerStream } = this.#setup
    const addresses = servers.map(address => multiaddr(address))
    const { deadlines, meter, turns, settings } = this.#generator
    const components = {
      plan,
      severalPerStream,
      namespaces: new RunNamespaces(runId),
      deadlines,
      recorder: new OperationRecorder(meter, (timing, outcome) => {
        if (this.#phase !== 'measure') return
        this.#samples?.add(timing, outcome)
        this.#dueSlots?.add(timing, outcome)
      }),
      meter,
      turns,
      settings,
      checks: this.#checks
    }
    if (this.#setup.index === 0 && measuresStaleness(plan)) {
      this.#sights = new StalenessWatch({ ...components, servers: addresses })
      await this.#sights.connect(makeTimeLimit(plan.timeoutMs))
    }
    await this.#startPeers(addresses)
    /** @param {number} index @param {number} place @param {import('./load-client.js').ClientObserver} [observer] */
    const start = (index, place, observer) =>
      this.#newClient(index, {
        ...components,
        servers: orderServers(index, addresses.length, plan.seed).map(server => addresses[server]),
        random: () => this.#draws.namespaces[place](),
        observer
      })
    if (plan.churn != null) {
      const { ClientChurn } = await import('./client-churn.js')
      const stopping = this.#closing.signal
      this.#churn = new ClientChurn({ ...components, start, clients, stopping, peers: this.#peers })
    }
    const limit = pLimit(DIALS_AT_ONCE)
    let connected = 0
    const connectOne = async (/** @type {number} */ index, /** @type {number} */ place) => {
      const client = await start(index, place, this.#churn?.observerOf(index))
      await client.connect(makeTimeLimit(plan.timeoutMs))
      onProgress(++connected)
      return client
    }
    this.#clients = await Promise.all(clients.map((index, place) => limit(connectOne, index, place)))
    this.#churn?.begin(this.#clients)
    // full peers register when they join
    if (this.#peers === null) await this.#churn?.register()
    return this.#peers?.settings() ?? settings.settings()
  }

  /** @param {number} index @param {Parameters<typeof startClient>[1]} components */
  async #newClient(index, components) {
    if (this.#peers === null) return startClient(index, components)
    await this.#peers.startNode(index)
    const client = new LoadClient(index, { ...components, ...(await this.#peers.partsOf(index)) })
    this.#peers.attach(index, client)
    return client
  }

  /** @param {import('@multiformats/multiaddr').Multiaddr[]} servers */
  async #startPeers(servers) {
    const { plan, network, index, clients } = this.#setup
    if (network == null || !publishesMessages(plan)) return
    const { FullPeers } = await import('./full-peers.js')
    this.#peers = new FullPeers(
      { plan, network, index, clients, servers },
      { turns: this.#generator.turns, report: this.#reportNetwork }
    )
    this.#peerAddresses = await this.#peers.start()
  }

  /**
   * peers calls a method of the worker's full peers.
   *
   * @template {'admit' | 'register' | 'meet' | 'awaitMesh' | 'drain' | 'snapshot' | 'collect'} M
   * @param {M} method - of FullPeers
   * @param {...any} args
   */
  peers(method, ...args) {
    return /** @type {any} */ (this.#peers)[method](...args)
  }

  /** peerAddresses gives the addresses that full peers listen on. */
  peerAddresses() {
    return this.#peerAddresses
  }

  /** goOn continues with another plan, for a further run with the same clients. @param {Pick<WorkerSetup, 'plan' | 'samplesFile'>} other */
  goOn(other) {
    this.#setup = { ...this.#setup, ...other }
    this.#samples = samplesOf(other)
    this.#checks.beginAnew()
  }

  /**
   * moveTo stops the clients, and connects new ones to another server by another plan. Registrations at the server before are forgotten.
   *
   * @param {Pick<WorkerSetup, 'plan' | 'servers' | 'clients' | 'allClients'>} other
   */
  async moveTo(other) {
    await this.#leave()
    this.#setup = { ...this.#setup, ...other, severalPerStream: true }
    this.#samples = null
    await this.connect(() => {})
  }

  /**
   * begin begins a phase. Each phase has random draws of its own, so that the measurement does not depend on the length of the warm-up.
   *
   * @param {Phase} phase
   * @param {Plan} [plan] - of the phase; default: as before
   */
  begin(phase, plan = this.#setup.plan) {
    this.#setup = { ...this.#setup, plan }
    this.#phase = phase
    this.#loads = 0
    this.#draws = drawsOf(this.#setup, phase)
    this.#peers?.begin(phase)
  }

  /**
   * prepare makes the registrations that the operations of the next load remove or refresh.
   *
   * @param {import('../../../load/clients.js').LoadLength} length
   */
  async prepare(length) {
    const { plan, clients } = this.#setup
    const counts = shareOperations(this.#setup, length.operations)
    const load = this.#loads++
    this.#length = length
    this.#stopping = new AbortController()
    this.#types = clients.map((client, i) =>
      makeOperationTypes(
        findClientWork(plan, client),
        counts[i],
        makeSubStream(plan.seed, 'mix', this.#phase, client, load)
      )
    )
    if (this.#peers !== null) await Promise.all(this.#clients.map(client => client.registerTopics()))
    await Promise.all(this.#clients.map((client, i) => client.prepare(this.#types[i].removals)))
    if (plan.registerMode === 'refresh' && this.#churn === null) {
      const onlyRegister = this.#clients.filter(
        (_, i) => findClientWork(plan, clients[i]).benchmarkType === 'REGISTER'
      )
      await Promise.all(onlyRegister.map(client => client.prepareRefresh()))
    }
    // with churn, the times to live of registrations begin with the measurement
    if (this.#phase === 'measure') await this.#churn?.register()
  }

  /**
   * run generates the worker's share of prepared load.
   *
   * @param {bigint} startNs - when all workers begin
   * @returns {Promise<LoadEnd>}
   */
  async run(startNs) {
    const { plan, clients } = this.#setup
    const churn = this.#phase === 'measure' ? this.#churn : null
    const dueSlots = plan.hostile === undefined ? null : new DueSlots(SLOT_MS, startNs)
    this.#dueSlots = dueSlots
    const more = () => ({
      ...(churn !== null && { churn: churn.take() }),
      ...(dueSlots !== null && { dueSlots: dueSlots.take() })
    })
    const running = () => this.#generator.run(startNs, () => this.#load(startNs, churn), more)
    const end = await (this.#peers?.reportWhile(running) ?? running())
    // with churn, clients are there for different times: their numbers of successes must not be compared
    if (this.#churn !== null) return { ...end, succeeded: [] }
    return { ...end, succeeded: this.#clients.map((client, i) => [clients[i], client.takeSucceeded()]) }
  }

  /**
   * Generates load; churn and the measurement of staleness run beside it.
   *
   * @param {bigint} startNs
   * @param {import('./client-churn.js').ClientChurn | null} churn
   * @returns {Promise<bigint>} when the last operation had ended
   */
  async #load(startNs, churn) {
    const looking = new AbortController()
    const looked = this.#sights?.run(looking.signal)
    const churned = churn?.run(Number(startNs))
    try {
      await generateLoad(this.#setup, {
        ...this.#length,
        startNs,
        phase: this.#phase,
        draws: this.#draws,
        clients: this.#churn?.places ?? this.#clients,
        types: this.#types,
        pacer: this.#generator.pacer,
        signal: this.#stopping.signal
      })
      await churned
      await churn?.end()
      return process.hrtime.bigint()
    } finally {
      looking.abort()
      await looked
    }
  }

  /** stop begins no further operation, and lets those under way end. */
  stop() {
    this.#stopping.abort()
    this.#churn?.abort()
  }

  /**
   * abort begins no further operation, and ends those still under way a moment later. Without that moment, a server could serve a REGISTER
   * after the registrations of the run were removed.
   *
   * @param {string} reason
   */
  async abort(reason) {
    const { deadlines } = this.#generator
    this.stop()
    await deadlines.lastReplies(LAST_REPLIES_MS)
    deadlines.abortAll(new Error(reason))
  }

  /** registered lists the registrations of each client that the server has confirmed. @returns {ConfirmedByClient[]} */
  registered() {
    return this.#clients.map((client, place) => ({
      client: this.#setup.clients[place],
      ...client.registered()
    }))
  }

  /**
   * lookUp looks up the registrations that the server has confirmed.
   *
   * @param {Pick<import('./server-checks.js').LookUpOptions, 'preloadExpiresMs' | 'registered'>} confirmed - to all workers
   */
  async lookUp(confirmed) {
    const { plan, runId, servers: addresses } = this.#setup
    const namespaces = new RunNamespaces(runId)
    return lookUpRegistrations({ plan, addresses, namespaces, ...confirmed, stop: this.#lookingUp.signal })
  }

  /**
   * restore unregisters all registrations of the clients.
   *
   * @returns {Promise<RestoreResult>}
   */
  async restore() {
    const clients = this.#running
    const namespacesUsed = Math.max(0, ...clients.map(client => client.namespacesUsed))
    const done = await Promise.allSettled(clients.map(client => client.restore()))
    const failed = done.find(result => result.status === 'rejected')
    return { namespacesUsed, problem: failed === undefined ? null : failed.reason.message }
  }

  get #running() {
    return this.#churn?.clients ?? this.#clients
  }

  /** finish checks the sampled replies and, in the first worker, the pages of a namespace. @returns {Promise<{ detail: string, count: number }[]>} what was wrong */
  async finish() {
    const { index, plan } = this.#setup
    const { benchmarkType, discoverInexistentNamespaces, churn } = plan
    const discovers = ['DISCOVER', 'MIXED'].includes(benchmarkType) && !discoverInexistentNamespaces
    await this.#samples?.close()
    if (index === 0 && discovers && churn == null)
      try {
        await this.#checks.checkPages(await this.#clients[0].walkPages())
      } catch (error) {
        this.#checks.pagesFailed(error)
      }
    return this.#checks.finish()
  }

  async close() {
    this.#lookingUp.abort()
    this.#generator.stop()
    await this.#leave()
  }

  async #leave() {
    this.#closing.abort()
    this.#churn?.abort()
    await Promise.all([...this.#running, ...omitMissing([this.#sights])].map(client => client.close()))
    await this.#peers?.stop()
    this.#clients = []
    this.#sights = null
    this.#peers = null
    this.#churn = null
  }
}

/** @typedef {import('../../../measure/operations.js').MeterInterval} MeterInterval */

/** Generator paces and measures operations, limits their time, and reports intervals. */
class Generator {
  #memory = new OwnMemoryWatch()
  #report
  meter = new Meter()
  /** settings of the nodes of this process. */
  settings = new SettingsReader(CLIENT_REASONS)

  /**
   * @param {{ plan: { timeoutMs: number }, precise: boolean }} setup - `precise`: a core is free for pacing without sleeping
   * @param {(interval: any) => Promise<unknown>} report - resolves when it was received
   */
  constructor({ plan, precise }, report) {
    this.#report = report
    this.turns = new LoopTurns({ onTurn: ns => this.meter.record('turn', '', '', ns) })
    this.deadlines = new Deadlines(plan.timeoutMs)
    this.pacer = new Pacer({ precise, turns: this.turns })
  }

  /**
   * run measures work from a moment on, and reports intervals with the CPU use of the process.
   *
   * @param {bigint} startNs
   * @param {() => Promise<bigint>} work - gives when its last operation had ended
   * @param {() => object} [more] - further parts of each interval
   * @returns {Promise<{ beganNs: bigint, endNs: bigint }>}
   */
  async run(startNs, work, more = () => ({})) {
    await this.pacer.until(startNs)
    const beganNs = process.hrtime.bigint()
    this.meter.discard()
    const usage = startUsageMeter(this.pacer, this.#memory)
    const report = (/** @type {MeterInterval} */ interval) =>
      this.#report({ ...interval, usage: usage(), ...more() })
    const endNs = await reportWhile({ meter: this.meter, startNs, report }, work)
    return { beganNs, endNs }
  }

  stop() {
    this.deadlines.stop()
    this.#memory.stop()
  }
}

/**
 * @typedef {Pick<WorkerSetup, 'plan' | 'index' | 'workers' | 'clients' | 'allClients'>} Setup
 *
 * @typedef {object} OwnParts
 * @property {bigint} startNs - when all workers begin
 * @property {Phase} phase
 * @property {{ arrivals: (() => number)[], thinkTimes: (() => number)[] }} draws - random ones: of arrivals for each group of clients, of think
 *   times for each client
 * @property {readonly Pick<import('./load-client.js').LoadClient, 'perform' | 'drop'>[]} clients
 * @property {readonly import('../../../load/registrations.js').OperationTypes[]} types - one for each client
 * @property {import('../../../load/pacing.js').Pacer} pacer
 * @property {AbortSignal} signal - begins no further operation
 *
 * @typedef {OwnParts & import('../../../load/clients.js').LoadLength} LoadParts
 */

/**
 * generateLoad generates a worker's share of the load, by the load model of the plan.
 *
 * @param {Setup} setup
 * @param {LoadParts} load
 */
export const generateLoad = (setup, load) =>
  setup.plan.ratePerSecond == null ? runClosed(setup, load) : runOpen(setup, load)

/** @param {Setup} setup @param {LoadParts} load */
async function runClosed({ plan }, { durationMs, minDurationMs, startNs, draws, clients, types, signal }) {
  const after = (/** @type {number} */ ms) => startNs + BigInt(Math.round(ms * 1e6))
  const endNs = durationMs === null ? null : after(durationMs)
  const minEndNs = minDurationMs === 0 ? null : after(minDurationMs)
  const hasPassed = (/** @type {bigint | null} */ ns) => ns !== null && process.hrtime.bigint() >= ns
  const { thinkTimeMs, inFlight: lanes } = plan
  await Promise.all(
    clients.map((client, i) => {
      let left = types[i].operations
      const random = draws.thinkTimes[i]
      return runClosedLoop({
        lanes,
        operations: minEndNs === null ? left : Infinity,
        stopped: () => signal.aborted || hasPassed(endNs) || (left <= 0 && hasPassed(minEndNs)),
        think: thinkTimeMs == null ? null : makeThinkTimes(thinkTimeMs, { random, endNs, signal }),
        perform: () => {
          left--
          return client.perform(types[i].next(), null)
        }
      })
    })
  )
}

/** @param {Setup} setup @param {LoadParts} parts */
function runOpen(setup, parts) {
  const { startNs, clients, types, pacer, signal } = parts
  const shares = listGroups(setup.plan)
    .map((group, i) => shareIn(group, parts.draws.arrivals[i], setup, parts))
    .filter(({ places }) => places.length > 0)
  const placeOf = (/** @type {import('../../../load/arrivals.js').Arrival} */ { of, nth }) =>
    shares[of].places[nth % shares[of].places.length]
  return runOpenLoop({
    arrivals: mergeArrivals(shares.map(({ arrivals }) => arrivals)),
    offsetOf: ({ offset }) => offset,
    startNs,
    maxInFlight: Math.ceil(setup.plan.maxInFlight / setup.workers),
    signal,
    pacer,
    perform: (dueNs, _, arrival) => {
      const i = placeOf(arrival)
      return clients[i].perform(types[i].next(), dueNs)
    },
    drop: (dueNs, _, arrival) => {
      const i = placeOf(arrival)
      clients[i].drop(types[i].next(), dueNs)
    }
  })
}

/**
 * A worker's share of a group's arrivals: those of its own clients. Worker k mod n holds client k, so the first client of a group need not
 * be in the first worker.
 *
 * @param {import('../../../load/clients.js').ClientGroup} group
 * @param {() => number} random
 * @param {Setup} setup
 * @param {Pick<LoadParts, 'operations' | 'durationMs' | 'phase'>} parts
 */
function shareIn(group, random, { index, workers, clients, plan }, { operations, durationMs, phase }) {
  const bounds = {
    count: operations ?? Infinity,
    durationNs: durationMs == null ? Infinity : durationMs * 1e6
  }
  const load = phase === 'warmup' ? makeSteadyArrivals : makeArrivals
  const due = limitArrivals(load({ ...plan, ratePerSecond: group.ratePerSecond ?? 0 }, random), bounds)
  const inGroup = (index + workers - (group.first % workers)) % workers
  return {
    places: findGroupPlaces(group, clients),
    arrivals: takeWorkerShare(due, { index: inGroup, workers, hands: group.clients })
  }
}

/**
 * shareOperations gives the number of operations of each client of a worker; it does not depend on the number of workers.
 *
 * @param {Pick<Setup, 'clients' | 'allClients'>} setup
 * @param {number | null} operations - of all workers
 * @returns {number[]}
 */
export function shareOperations({ clients, allClients }, operations) {
  if (operations == null) return clients.map(() => Infinity)
  const shares = splitEvenly(operations, allClients)
  return clients.map(client => shares[client])
}

/** SampleLog writes every single operation of a worker to a CSV file; times are ns on the monotonic clock. */
class SampleLog {
  #stream

  /** @param {string} file */
  constructor(file) {
    this.#stream = createWriteStream(file)
    this.#stream.write('due_ns,sent_ns,replied_ns,type,outcome\n')
  }

  /** @type {(timing: import('../../../measure/operations.js').Timing, outcome: string) => void} */
  add = ({ dueNs, sentNs, repliedNs, type }, outcome) => {
    this.#stream.write(`${dueNs ?? sentNs},${sentNs},${repliedNs},${type},${outcome}\n`)
  }

  async close() {
    this.#stream.end()
    await finished(this.#stream)
  }
}
