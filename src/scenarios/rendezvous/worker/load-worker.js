// A worker that generates its share of the load.

import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { multiaddr } from '@multiformats/multiaddr'
import pLimit from 'p-limit'
import { CLIENT_REASONS } from '../../../client/node.js'
import { present, sharesOf } from '../../../kit/collections.js'
import { subStream } from '../../../kit/random.js'
import { Deadlines, timeLimit } from '../../../kit/time.js'
import { SettingsReader } from '../../../libp2p/node-settings.js'
import { boundedArrivals, mergedArrivals, offeredLoad, shareOf, steadyLoad } from '../../../load/arrivals.js'
import { groupsOf, placesOf, serversInTurn, workOf } from '../../../load/clients.js'
import { Pacer, runClosedLoop, runOpenLoop, thinkTimes } from '../../../load/pacing.js'
import { Namespaces, operationTypes } from '../../../load/registrations.js'
import { SLOT_MS } from '../../../load/trials.js'
import { Turns } from '../../../measure/client-overhead.js'
import { DueSlots, Meter, OperationRecorder, reportWhile } from '../../../measure/operations.js'
import { processProfile } from '../../../measure/process-profile.js'
import { OwnMemoryWatch } from '../../../measure/resources.js'
import { generatorUsage, serveParent } from '../../../run/worker-process.js'
import { publishes, watchesSight } from '../peer-options.js'
import { LoadClient, startClient } from './load-client.js'
import { lookUp, ReplyChecks, SightWatch } from './server-checks.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 *
 * @typedef {object} WorkerSetup - everything a worker needs to know, sent once
 * @property {number} index - among those that share the load, from 0
 * @property {number} workers - that share the load
 * @property {number[]} clients - indices of its clients among all clients of the run
 * @property {number} allClients - of all workers that share the load
 * @property {Plan} plan
 * @property {string} runId
 * @property {readonly string[]} servers - multiaddrs of all
 * @property {boolean} precise - a core is free for pacing without sleeping
 * @property {number | null} expected - registrations every DISCOVER reply must hold at least; null: not known
 * @property {boolean} severalPerStream - the server serves more than one request on a stream
 * @property {string | null} samplesFile
 * @property {import('./full-peers.js').PeerNetworkSetup | null} [network] - of full peers; null: clients are none
 *
 * @typedef {object} Registered - registrations of one client that the server has confirmed
 * @property {number} client - its index
 * @property {Uint32Array} numbers - the client's k-th
 * @property {Float64Array} expireMs - when their times to live are over, on the monotonic clock of the host
 *
 * @typedef {object} Restored
 * @property {number} namespacesUsed - the most that one client's registrations needed
 * @property {string | null} problem - why not everything could be taken back
 *
 * @typedef {object} LoadEnd
 * @property {bigint} beganNs - when the worker began
 * @property {bigint} endNs - when the worker's last operation had ended
 * @property {[client: number, count: number][]} succeeded - operations of each of its clients
 */

const DIALS_AT_ONCE = 20
/** A run that ends early waits so long for what is under way; its pool waits for twice as long. */
const LAST_REPLIES_MS = 1000

/** @typedef {'warmup' | 'measure'} Phase - in which load is generated */

/**
 * @param {WorkerSetup} setup
 * @param {Phase} phase
 */
function drawsOf({ plan, clients }, phase) {
  const { seed } = plan
  return {
    // the same streams in every worker: together they deal out one schedule, of each role
    arrivals: groupsOf(plan).map(group =>
      subStream(seed, 'arrivals', phase, 'load', ...present([group.role]))
    ),
    namespaces: clients.map(client => subStream(seed, 'namespaces', phase, client)),
    thinkTimes: clients.map(client => subStream(seed, 'thinkTimes', phase, client))
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
  #begun = 0
  /** @type {import('../../../load/clients.js').LoadLength} */
  #length = { operations: 0, durationMs: null, minDurationMs: 0 }
  #stopping = new AbortController()
  #closing = new AbortController()
  #lookingUp = new AbortController()
  /** @type {SightWatch | null} */
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
   * @param {(interval: import('../../../measure/operations.js').Interval) => Promise<unknown>} report - resolves when it was received
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
      random: subStream(plan.seed, 'checks', index)
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
      namespaces: new Namespaces(runId),
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
    await this.#watchSights({ ...components, servers: addresses })
    await this.#startPeers(addresses)
    /** @param {number} index @param {number} place @param {import('./load-client.js').ClientObserver} [observer] */
    const start = (index, place, observer) =>
      this.#newClient(index, {
        ...components,
        servers: serversInTurn(index, addresses.length, plan.seed).map(server => addresses[server]),
        random: () => this.#draws.namespaces[place](),
        observer
      })
    await this.#makeChurn({ ...components, start })
    const limit = pLimit(DIALS_AT_ONCE)
    let connected = 0
    const connectOne = async (/** @type {number} */ index, /** @type {number} */ place) => {
      const client = await start(index, place, this.#churn?.observerOf(index))
      await client.connect(timeLimit(plan.timeoutMs))
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

  /** @param {Omit<import('./client-churn.js').ChurnParts, 'clients' | 'stopping' | 'peers'>} parts */
  async #makeChurn(parts) {
    const { plan, clients } = this.#setup
    if (plan.churn == null) return
    const { ClientChurn } = await import('./client-churn.js')
    this.#churn = new ClientChurn({ ...parts, clients, stopping: this.#closing.signal, peers: this.#peers })
  }

  /** @param {import('@multiformats/multiaddr').Multiaddr[]} servers */
  async #startPeers(servers) {
    const { plan, network, index, clients } = this.#setup
    if (network == null || !publishes(plan)) return
    const { FullPeers } = await import('./full-peers.js')
    this.#peers = new FullPeers(
      { plan, network, index, clients, servers },
      { turns: this.#generator.turns, report: this.#reportNetwork }
    )
    this.#peerAddresses = await this.#peers.start()
  }

  /**
   * peers has the clients that are full peers do something for one another.
   *
   * @template {'admit' | 'register' | 'meet' | 'awaitMesh' | 'drain' | 'snapshot' | 'collect'} M
   * @param {M} method - of FullPeers
   * @param {...any} args
   */
  peers(method, ...args) {
    const peers = /** @type {any} */ (this.#peers)
    return peers[method](...args)
  }

  /** peerAddresses are where its clients listen that are full peers. */
  peerAddresses() {
    return this.#peerAddresses
  }

  /** One worker does so for all. @param {import('./server-checks.js').SightComponents} components */
  async #watchSights(components) {
    const { index, plan } = this.#setup
    if (index !== 0 || !watchesSight(plan)) return
    this.#sights = new SightWatch(components)
    await this.#sights.connect(timeLimit(plan.timeoutMs))
  }

  /** goOn takes another plan, which differs in nothing that was needed so far. @param {Pick<WorkerSetup, 'plan' | 'samplesFile'>} other */
  goOn(other) {
    this.#setup = { ...this.#setup, ...other }
    this.#samples = samplesOf(other)
    this.#checks.beginAnew()
  }

  /**
   * moveTo has the clients leave their server for another one, where they follow another plan. What they registered is no longer known.
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
   * begin begins a phase. Its random draws are its own, so that what is measured does not depend on how far the warm-up came.
   *
   * @param {Phase} phase
   * @param {Plan} [plan] - of the phase; default: as before
   */
  begin(phase, plan = this.#setup.plan) {
    this.#setup = { ...this.#setup, plan }
    this.#phase = phase
    this.#begun = 0
    this.#draws = drawsOf(this.#setup, phase)
    this.#peers?.begin(phase)
  }

  /**
   * prepare makes the registrations that the operations of the load to come remove or refresh.
   *
   * @param {import('../../../load/clients.js').LoadLength} length
   */
  async prepare(length) {
    const { plan, clients } = this.#setup
    const counts = operationsByClient(this.#setup, length.operations)
    const begun = this.#begun++
    this.#length = length
    this.#stopping = new AbortController()
    this.#types = clients.map((client, i) =>
      operationTypes(workOf(plan, client), counts[i], subStream(plan.seed, 'mix', this.#phase, client, begun))
    )
    if (this.#peers !== null) await Promise.all(this.#clients.map(client => client.registerTopics()))
    await Promise.all(this.#clients.map((client, i) => client.prepare(this.#types[i].removals)))
    await Promise.all(this.#refreshing.map(client => client.prepareRefresh()))
    // registrations of clients that come and go are as old as the measurement
    if (this.#phase === 'measure') await this.#churn?.register()
  }

  /** Those of its clients that register the same again and again, and nothing else. */
  get #refreshing() {
    const { plan, clients } = this.#setup
    if (plan.registerMode !== 'refresh' || this.#churn !== null) return []
    return this.#clients.filter((_, i) => workOf(plan, clients[i]).benchmarkType === 'REGISTER')
  }

  /**
   * run generates the worker's share of prepared load.
   *
   * @param {bigint} startNs - when all workers begin
   * @returns {Promise<LoadEnd>}
   */
  async run(startNs) {
    const churn = this.#phase === 'measure' ? this.#churn : null
    const dueSlots = this.#setup.plan.hostile === undefined ? null : new DueSlots(SLOT_MS, startNs)
    this.#dueSlots = dueSlots
    const running = () =>
      this.#generator.run(
        startNs,
        () => this.#load(startNs),
        () => ({
          ...(churn !== null && { churn: churn.take() }),
          ...(dueSlots !== null && { dueSlots: dueSlots.take() })
        })
      )
    const end = await (this.#peers?.reportWhile(running) ?? running())
    // of those that come and go nobody has as many as another one
    if (this.#churn !== null) return { ...end, succeeded: [] }
    return {
      ...end,
      succeeded: this.#clients.map((client, i) => [this.#setup.clients[i], client.takeSucceeded()])
    }
  }

  /**
   * Generates load, and looks meanwhile.
   *
   * @param {bigint} startNs
   * @returns {Promise<bigint>} when the last operation had ended
   */
  async #load(startNs) {
    const looking = new AbortController()
    const looked = this.#sights?.run(looking.signal)
    const churn = this.#phase === 'measure' ? this.#churn : null
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

  /** stop begins no further operation; those under way end as they would. */
  stop() {
    this.#stopping.abort()
    this.#churn?.abort()
  }

  /**
   * abort begins no further operation, and ends those that are still under way a moment later: what a server has not answered may be
   * served after all, when what was registered there is taken back already.
   *
   * @param {string} reason
   */
  async abort(reason) {
    const { deadlines } = this.#generator
    this.stop()
    await deadlines.lastReplies(LAST_REPLIES_MS)
    deadlines.abortAll(new Error(reason))
  }

  /** registered is what the server must hold of each client, by what it said. @returns {Registered[]} */
  registered() {
    return this.#clients.map((client, place) => ({
      client: this.#setup.clients[place],
      ...client.registered()
    }))
  }

  /**
   * lookUp asks the server for what it has confirmed.
   *
   * @param {Pick<import('./server-checks.js').LookUpOptions, 'preloadExpiresMs' | 'registered'>} confirmed - to all workers
   */
  async lookUp(confirmed) {
    const { plan, runId, servers: addresses } = this.#setup
    const namespaces = new Namespaces(runId)
    return lookUp({ plan, addresses, namespaces, ...confirmed, stop: this.#lookingUp.signal })
  }

  /**
   * restore unregisters whatever the clients registered.
   *
   * @returns {Promise<Restored>}
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

  /** finish checks pages and the sampled replies. @returns {Promise<{ detail: string, count: number }[]>} what was wrong */
  async finish() {
    await this.#samples?.close()
    if (this.#checksPages) await this.#checkPages()
    return this.#checks.finish()
  }

  async #checkPages() {
    try {
      await this.#checks.checkPages(await this.#clients[0].walkPages())
    } catch (error) {
      this.#checks.pagesFailed(error)
    }
  }

  /** One worker does so, where DISCOVER of namespaces that exist is part of the load. */
  get #checksPages() {
    const { index, plan } = this.#setup
    const { benchmarkType, discoverInexistentNamespaces, churn } = plan
    const discovers = benchmarkType === 'DISCOVER' || benchmarkType === 'MIXED'
    return index === 0 && discovers && !discoverInexistentNamespaces && churn == null
  }

  async close() {
    this.#lookingUp.abort()
    this.#generator.stop()
    await this.#leave()
  }

  async #leave() {
    this.#closing.abort()
    this.#churn?.abort()
    await Promise.all([...this.#running, ...present([this.#sights])].map(client => client.close()))
    await this.#peers?.stop()
    this.#clients = []
    this.#sights = null
    this.#peers = null
    this.#churn = null
  }
}

/** @typedef {import('../../../measure/operations.js').Interval} Interval */

/** Generator is what a process has that generates load: it paces, measures, limits and reports. */
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
    this.turns = new Turns({ onTurn: ns => this.meter.record('turn', '', '', ns) })
    this.deadlines = new Deadlines(plan.timeoutMs)
    this.pacer = new Pacer({ precise, turns: this.turns })
  }

  /**
   * run measures work from a moment on, and reports intervals with how busy the process was in each.
   *
   * @param {bigint} startNs
   * @param {() => Promise<bigint>} work - gives when its last operation had ended
   * @param {() => object} [more] - what each interval says besides
   * @returns {Promise<{ beganNs: bigint, endNs: bigint }>}
   */
  async run(startNs, work, more = () => ({})) {
    await this.pacer.until(startNs)
    const beganNs = process.hrtime.bigint()
    this.meter.discard()
    const usage = generatorUsage(this.pacer, this.#memory)
    const report = (/** @type {Interval} */ interval) =>
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
  const leastNs = minDurationMs === 0 ? null : after(minDurationMs)
  const isOver = () => signal.aborted || (endNs !== null && process.hrtime.bigint() >= endNs)
  const { thinkTimeMs, inFlight: lanes } = plan
  await Promise.all(
    clients.map((client, i) => {
      let left = types[i].operations
      return runClosedLoop({
        lanes,
        operations: leastNs === null ? left : Infinity,
        stopped: () => isOver() || (leastNs !== null && left <= 0 && process.hrtime.bigint() >= leastNs),
        think:
          thinkTimeMs == null
            ? null
            : thinkTimes(thinkTimeMs, { random: draws.thinkTimes[i], endNs, signal }),
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
  const shares = groupsOf(setup.plan)
    .map((group, i) => shareIn(group, parts.draws.arrivals[i], setup, parts))
    .filter(({ places }) => places.length > 0)
  const placeOf = (/** @type {import('../../../load/arrivals.js').Arrival} */ { of, nth }) =>
    shares[of].places[nth % shares[of].places.length]
  return runOpenLoop({
    arrivals: mergedArrivals(shares.map(({ arrivals }) => arrivals)),
    offsetOf: ({ offset }) => offset,
    startNs,
    maxInFlight: Math.ceil(setup.plan.maxInFlight / setup.workers),
    signal,
    pacer,
    perform: (dueNs, _, arrival) => {
      const i = placeOf(arrival)
      return clients[i].perform(types[i].next(), dueNs)
    },
    drop: (dueNs, _, arrival) => clients[placeOf(arrival)].drop(types[placeOf(arrival)].next(), dueNs)
  })
}

/**
 * A worker's share of what is due from a group of clients: that of those it holds. Client k of all is of worker k mod n, so that the first of
 * a group need not be of the first worker.
 *
 * @param {import('../../../load/clients.js').Group} group
 * @param {() => number} random
 * @param {Setup} setup
 * @param {Pick<LoadParts, 'operations' | 'durationMs' | 'phase'>} parts
 */
function shareIn(group, random, { index, workers, clients, plan }, { operations, durationMs, phase }) {
  const bounds = {
    count: operations ?? Infinity,
    durationNs: durationMs == null ? Infinity : durationMs * 1e6
  }
  const load = phase === 'warmup' ? steadyLoad : offeredLoad
  const due = boundedArrivals(load({ ...plan, ratePerSecond: group.ratePerSecond ?? 0 }, random), bounds)
  const inGroup = (index + workers - (group.first % workers)) % workers
  return {
    places: placesOf(group, clients),
    arrivals: shareOf(due, { index: inGroup, workers, hands: group.clients })
  }
}

/**
 * operationsByClient deals out how many operations fall to each of a worker's clients, whatever the workers.
 *
 * @param {Pick<Setup, 'clients' | 'allClients'>} setup
 * @param {number | null} operations - of all workers
 * @returns {number[]}
 */
export function operationsByClient({ clients, allClients }, operations) {
  if (operations == null) return clients.map(() => Infinity)
  const shares = sharesOf(operations, allClients)
  return clients.map(client => shares[client])
}

const ALIVE_EVERY_MS = 1000

/**
 * serveGenerator serves what a process that generates load is asked for.
 *
 * @template {{ connect: (onProgress: (connected: number) => void) => Promise<unknown> }} T
 * @param {(setup: any, report: (interval: import('../../../measure/operations.js').Interval) => Promise<unknown>,
 *   reportNetwork: (interval: import('../../../network/node-host.js').HostInterval) => Promise<unknown>) => T} make
 * @param {readonly string[]} methods - beside `connect`
 */
export function serveGenerator(make, methods) {
  /** @type {T} */
  let generator
  const { say } = serveParent(
    (setup, { call }) => {
      generator = make(
        setup,
        interval => call('interval', interval),
        interval => call('network', interval)
      )
      return generator
    },
    methods,
    { connect: () => generator.connect(connected => say('connected', connected)), ...processProfile() }
  )
  setInterval(() => say('alive'), ALIVE_EVERY_MS).unref()
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
