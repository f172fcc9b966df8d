// Joins the real nodes of a run, each in its own Linux network namespace, through a router process with the links of the
// plan.

import { setTimeout as sleep } from 'node:timers/promises'
import { computeSum } from '../kit/collections.js'
import { Distribution } from '../measure/distribution.js'
import { isStopped, startForkedProcess, WorkerWatch, waitUntilLate } from '../run/workers.js'
import { makeLinkModel } from './link-model.js'
import { maxLatenessMs, measureLinks, selectLinks } from './namespaces/link-measurement.js'
import { readDeviceCounts } from './namespaces/tun-device.js'
import { lowPriorityCommand, makeEnterCommand, namespaceAddress, tryImpairmentMethods } from './namespaces.js'

/**
 * @typedef {import('./namespaces/router.js').RouterUsage} RouterUsage
 * @typedef {import('../scenarios/gossip/outcome.js').NamespaceFigures} NamespaceFigures
 * @typedef {Pick<NamespaceFigures, 'router' | 'dropped'>} RouterFigures
 */

/** RouterTraffic is what went over a network of namespaces since it is measured. */
export class RouterTraffic {
  #droppedAt
  /** @type {readonly number[]} */
  #pids = []
  #droppedBefore = 0
  /** @type {RouterUsage | null} */
  #usage = null
  /** @type {RouterFigures | null} */
  #final = null

  /** @param {(pid: number) => number} [droppedAt] - packets that left the namespace of a process in vain, since it is there */
  constructor(droppedAt = readDroppedPackets) {
    this.#droppedAt = droppedAt
  }

  /** hold is told the processes in the namespaces. @param {readonly number[]} pids - one of each */
  hold(pids) {
    this.#pids = pids
  }

  /** begin counts anew. */
  begin() {
    this.#final = null
    this.#usage = null
    this.#droppedBefore = this.#dropped
  }

  /** tell is told what the router has counted. @param {RouterUsage} usage */
  tell(usage) {
    this.#usage = usage
  }

  /** keep keeps the figures as they are now, until it begins anew. */
  keep() {
    this.#final = this.figures
  }

  /** @returns {RouterFigures} */
  get figures() {
    if (this.#final !== null) return this.#final
    return {
      router: this.#routerFigures,
      dropped: Math.max(0, this.#dropped - this.#droppedBefore)
    }
  }

  /** @returns {NamespaceFigures['router']} */
  get #routerFigures() {
    if (this.#usage === null) return null
    const { wallMs, cpuMicros, waitedMs, lateness, ...counts } = this.#usage
    const late = new Distribution()
    late.known.merge(lateness)
    return {
      ...counts,
      packetsPerSecond: wallMs > 0 ? (1000 * counts.packets) / wallMs : null,
      cpuMicrosPerPacket: counts.packets > 0 ? cpuMicros / counts.packets : null,
      waitedShare: waitedMs === null || wallMs <= 0 ? null : waitedMs / wallMs,
      lateness: late.knownSummary()
    }
  }

  get #dropped() {
    return computeSum(this.#pids, this.#droppedAt)
  }
}

/** @param {number} pid */
function readDroppedPackets(pid) {
  try {
    return readDeviceCounts(pid).dropped
  } catch {
    return 0 // it has ended
  }
}

/**
 * @typedef {import('../scenarios/namespace-run.js').NetworkPlan} NetworkPlan
 */

const ENTRY = new URL('./namespaces/router-entry.js', import.meta.url)

/** Beyond what a busy machine takes. */
const ROUTER_TIMEOUT_MS = 60_000

/** What connections that were closed still send has come by then, beside round trips. */
const SETTLES_MS = 300

/** What is sent there and back to measure a link, one after the other, with what TCP sends again. */
const ROUND_TRIPS = 12

/** @template T @param {Promise<T>} answer @param {string} what @param {number} [ms] */
const withTimeout = (answer, what, ms = ROUTER_TIMEOUT_MS) =>
  waitUntilLate(answer, ms, () => new Error(`${what} within ${Math.round(ms / 1000)} s`))

/** maxMeasuringMs is how long the links of a plan may take to be measured. @param {NetworkPlan} plan */
export const maxMeasuringMs = plan =>
  ROUTER_TIMEOUT_MS +
  ROUND_TRIPS *
    computeSum(selectLinks(plan, makeLinkModel(plan).properties), ({ roundTripMs }) => roundTripMs)

/** NetworkDiedError is thrown when what joins the nodes ended by itself. */
class NetworkDiedError extends Error {
  name = 'NetworkDiedError'
  code = 'NETWORK_DIED'
}

/** NamespaceNetwork joins nodes in namespaces: the process that routes between them, and what it tells. */
export class NamespaceNetwork {
  #plan
  #router
  #namespaces
  #until
  #originNs
  #watch
  #carried = new RouterTraffic()
  #onUsage = () => {}
  #measured

  /**
   * start makes the namespaces of a plan, and measures their links.
   *
   * @param {NetworkPlan} plan
   * @param {object} parts
   * @param {bigint} parts.originNs
   * @param {readonly string[]} [parts.existing] - namespaces that are there already, see muxCommand
   * @param {(error: Error) => void} parts.onFailure - it ended by itself, or tells nothing any more
   * @param {AbortSignal} [parts.signal] - ends it at once while it starts
   * @returns {Promise<NamespaceNetwork>}
   */
  static async start(plan, { originNs, existing, onFailure, signal }) {
    const congestion = plan.congestionControl ?? 'host'
    const ending = new AbortController()
    const until = AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])])
    const raise = (/** @type {Error} */ error) => {
      ending.abort()
      onFailure(error)
    }
    /** @type {(usage: RouterUsage) => void} */
    let hear = () => {}
    const router = await startForkedProcess({
      entry: ENTRY,
      name: 'router',
      setup: { plan, namespaces: plan.workers, congestion, existing, originNs },
      handlers: {
        usage: usage => hear(usage),
        died: message => raise(new NetworkDiedError(message))
      },
      onDied: raise,
      signal: until
    })
    /** @type {NamespaceNetwork | null} */
    let network = null
    try {
      const namespaces = await withTimeout(router.call('open'), 'namespaces could not be made')
      const made = new NamespaceNetwork(plan, { router, namespaces, originNs, until, onFailure: raise })
      network = made
      hear = usage => {
        made.#watch.heard(0)
        made.#carried.tell(usage)
        made.#onUsage()
      }
      await made.#measure()
      return made
    } catch (error) {
      ending.abort()
      if (network !== null) network.#watch.stop()
      await router.kill()
      throw error
    }
  }

  /**
   * @param {NetworkPlan} plan
   * @param {object} parts
   * @param {import('../run/workers.js').ForkedProcess} parts.router
   * @param {import('./namespaces.js').OpenNamespaces} parts.namespaces
   * @param {bigint} parts.originNs
   * @param {AbortSignal} parts.until - ends what measures links
   * @param {(error: Error) => void} parts.onFailure
   */
  constructor(plan, { router, namespaces, originNs, until, onFailure }) {
    this.#plan = plan
    this.#router = router
    this.#namespaces = namespaces
    this.#originNs = originNs
    this.#until = until
    const rungs = tryImpairmentMethods(namespaces)
    this.#measured = {
      step: 'router',
      netem: rungs[0].lacks,
      ladder: rungs,
      links: /** @type {NamespaceFigures['links']} */ ([])
    }
    this.#watch = new WorkerWatch(['router'], onFailure, {
      pidOf: () => router.pid,
      stopped: pid => isStopped(pid) || isStopped(namespaces.pid)
    })
    this.#watch.begin()
  }

  /** enter is a command that becomes another one in the namespace of a worker. @param {number} worker */
  enter(worker) {
    return [...makeEnterCommand(this.#namespaces, worker), ...lowPriorityCommand(this.#plan.workers)]
  }

  /** address of a namespace. @param {number} namespace */
  address(namespace) {
    return namespaceAddress(namespace)
  }

  /** pid of the router, which could be late. */
  get pid() {
    return this.#router.pid
  }

  /** hold is told the processes in the namespaces. @param {readonly number[]} pids - one of each */
  hold(pids) {
    this.#carried.hold(pids)
  }

  /** begin has what it carries counted anew. */
  async begin() {
    await this.#ask('begin')
    this.#carried.begin()
  }

  /** over keeps what it has carried by now. */
  async over() {
    await this.#ask('ask')
    const reported = new Promise(resolve => {
      this.#onUsage = () => resolve(null)
    })
    await withTimeout(reported, 'the router did not report what it had forwarded')
    this.#carried.keep()
  }

  /** cut has partitions count from a moment on. @param {number} [startNs] - since the origin; default: now */
  async cut(startNs = this.#nowNs) {
    await this.#ask('cut', startNs)
  }

  /** relink puts other links between the namespaces, when nothing is sent, and measures them. @param {NetworkPlan} plan */
  async relink(plan) {
    await sleep(SETTLES_MS + 4 * this.#minDelayMs)
    this.#plan = plan
    await this.#ask('relink', plan)
    this.#carried.begin()
    await this.#measure()
  }

  /** figures are what is known so far. @returns {NamespaceFigures} */
  get figures() {
    const { congestionControl } = this.#plan
    return {
      ...this.#measured,
      ...this.#carried.figures,
      congestionControl: { asked: congestionControl, found: this.#namespaces.congestion },
      lateAllowedMs: maxLatenessMs(this.#minDelayMs)
    }
  }

  async stop() {
    this.#watch.stop()
    await this.#router.stop()
  }

  async #measure() {
    const measuring = measureLinks(this.#plan, {
      links: makeLinkModel(this.#plan).properties,
      enter: namespace => this.enter(namespace),
      signal: this.#until
    })
    this.#measured.links = await withTimeout(
      measuring,
      'the links could not be measured',
      maxMeasuringMs(this.#plan)
    )
  }

  /** What is frozen answers nothing. @param {'begin' | 'ask' | 'cut' | 'relink'} method @param {...unknown} args */
  async #ask(method, ...args) {
    await withTimeout(this.#router.call(method, ...args), `the router did not answer (${method})`)
  }

  /** Since the origin. */
  get #nowNs() {
    return Number(process.hrtime.bigint() - this.#originNs)
  }

  /** One way, of the shortest link. */
  get #minDelayMs() {
    const [shortest] = selectLinks(this.#plan, makeLinkModel(this.#plan).properties)
    return (shortest?.roundTripMs ?? 0) / 2
  }
}
