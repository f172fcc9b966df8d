import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../../kit/lists.js'
import { Distribution } from '../../measure/distribution.js'
import { afterRouter } from '../../network/namespaces/after-router.js'
import { lateAllowedMs } from '../../network/namespaces/as-asked.js'
import { deviceCounts } from '../../network/namespaces/device-counts.js'
import { addressOf } from '../../network/namespaces/frames.js'
import { ladder } from '../../network/namespaces/ladder.js'
import { enterCommand } from '../../network/namespaces/namespaces.js'
import { linkModelOf } from '../../network/simulated/link-settings.js'
import { answeredWithin } from '../../workers/answered-within.js'
import { startForkedProcess } from '../../workers/forked-process.js'
import { isStopped } from '../../workers/process-state.js'
import { WorkerWatch } from '../worker-watch.js'
import { kindsOfLinks } from './links-asked.js'
import { measuredLinks } from './measured-links.js'

/**
 * @typedef {import('./network-plan.js').NetworkPlan} NetworkPlan
 * @typedef {import('../../network/namespaces/router.js').RouterUsage} RouterUsage
 * @typedef {import('../gossip/gossip-types.js').NamespaceFigures} NamespaceFigures
 */

const ENTRY = new URL('./router-entry.js', import.meta.url)

/** Beyond what a busy machine takes. */
const WITHIN_MS = 60_000

/** What connections that were closed still send has come by then, beside round trips. */
const SETTLES_MS = 300

/** @template T @param {Promise<T>} answer @param {string} what */
const inTime = (answer, what) =>
  answeredWithin(answer, WITHIN_MS, () => new Error(`${what} within ${WITHIN_MS / 1000} s`))

/** NetworkDiedError is thrown when what joins the nodes ended by itself. */
class NetworkDiedError extends Error {
  name = 'NetworkDiedError'
  code = 'NETWORK_DIED'
}

/** NamespaceNetwork joins nodes in namespaces: the process that routes between them, and what it tells. */
export class NamespaceNetwork {
  #plan
  #router
  #held
  #until
  #originNs
  #watch
  /** @type {RouterUsage | null} */
  #usage = null
  #told = () => {}
  #found

  /**
   * start makes the namespaces of a plan, and measures their links.
   *
   * @param {NetworkPlan} plan
   * @param {object} parts
   * @param {bigint} parts.originNs
   * @param {readonly string[]} [parts.given] - namespaces that are there already, see muxCommand
   * @param {(error: Error) => void} parts.onTrouble - it ended by itself, or tells nothing any more
   * @param {AbortSignal} [parts.signal] - ends it at once while it starts
   * @returns {Promise<NamespaceNetwork>}
   */
  static async start(plan, { originNs, given, onTrouble, signal }) {
    const congestion = plan.congestionControl ?? 'host'
    const ending = new AbortController()
    const until = AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])])
    const raise = (/** @type {Error} */ error) => {
      ending.abort()
      onTrouble(error)
    }
    /** @type {(usage: RouterUsage) => void} */
    let hear = () => {}
    const router = await startForkedProcess({
      entry: ENTRY,
      name: 'router',
      setup: { plan, namespaces: plan.workers, congestion, given, originNs },
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
      const held = await inTime(router.call('open'), 'namespaces could not be made')
      const made = new NamespaceNetwork(plan, { router, held, originNs, until, onTrouble: raise })
      network = made
      hear = usage => made.#heard(usage)
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
   * @param {import('../../workers/forked-process.js').ForkedProcess} parts.router
   * @param {import('../../network/namespaces/namespaces.js').Held} parts.held
   * @param {bigint} parts.originNs
   * @param {AbortSignal} parts.until - ends what measures links
   * @param {(error: Error) => void} parts.onTrouble
   */
  constructor(plan, { router, held, originNs, until, onTrouble }) {
    this.#plan = plan
    this.#router = router
    this.#held = held
    this.#originNs = originNs
    this.#until = until
    const rungs = ladder(held)
    this.#found = {
      step: 'router',
      netem: rungs[0].lacks,
      ladder: rungs,
      links: /** @type {NamespaceFigures['links']} */ ([])
    }
    this.#watch = new WorkerWatch(['router'], onTrouble, {
      pidOf: () => router.pid,
      stopped: pid => isStopped(pid) || isStopped(held.pid)
    })
    this.#watch.begin()
  }

  /** enter is a command that becomes another one in the namespace of a worker. @param {number} worker */
  enter(worker) {
    return [...enterCommand(this.#held, worker), ...afterRouter(this.#plan.workers)]
  }

  /** address of a namespace. @param {number} namespace */
  address(namespace) {
    return addressOf(namespace)
  }

  /** pid of the router, which could be late. */
  get pid() {
    return this.#router.pid
  }

  /** begin is told when publishing begins. @param {number} [startNs] - since the origin; default: now */
  begin(startNs = this.#nowNs) {
    return this.#router.call('begin', startNs)
  }

  /** cut has partitions count from now on. */
  cut() {
    return this.#router.call('cut', this.#nowNs)
  }

  /** relink puts other links between the namespaces, when nothing is sent, and measures them. @param {NetworkPlan} plan */
  async relink(plan) {
    await sleep(SETTLES_MS + 4 * this.#leastDelayMs)
    this.#plan = plan
    await this.#router.call('relink', plan)
    await this.#measure()
  }

  /** latest has the router tell what it has counted by now. */
  async latest() {
    const told = new Promise(resolve => {
      this.#told = () => resolve(null)
    })
    await this.#router.call('ask')
    await inTime(told, 'the router did not tell')
  }

  /**
   * figuresWith are what is known so far of a network with processes in it.
   *
   * @param {readonly number[]} pids - one of each namespace
   * @returns {NamespaceFigures}
   */
  figuresWith(pids) {
    return { ...this.figures(), dropped: sumOf(pids, droppedAt) }
  }

  /** figures are what is known so far. @returns {Omit<NamespaceFigures, 'dropped'>} */
  figures() {
    const { congestionControl } = this.#plan
    return {
      ...this.#found,
      congestionControl: { asked: congestionControl, found: this.#held.congestion },
      router: this.#usage === null ? null : routerFigures(this.#usage),
      lateAllowedMs: lateAllowedMs(this.#leastDelayMs)
    }
  }

  async stop() {
    this.#watch.stop()
    await this.#router.stop()
  }

  async #measure() {
    const measuring = measuredLinks(this.#plan, {
      links: linkModelOf(this.#plan),
      enter: namespace => this.enter(namespace),
      signal: this.#until
    })
    this.#found.links = await inTime(measuring, 'the links could not be measured')
  }

  /** Since the origin. */
  get #nowNs() {
    return Number(process.hrtime.bigint() - this.#originNs)
  }

  /** One way, of the shortest link. */
  get #leastDelayMs() {
    const { linkLatencies, linkLatencyMs } = this.#plan
    if (linkLatencies === null) return linkLatencyMs
    return kindsOfLinks(this.#plan, linkModelOf(this.#plan))[0].roundTripMs / 2
  }

  /** @param {RouterUsage} usage */
  #heard(usage) {
    this.#watch.heard(0)
    this.#usage = usage
    this.#told()
  }
}

/** @param {number} pid @returns {number} packets that left its namespace in vain */
function droppedAt(pid) {
  try {
    return deviceCounts(pid).dropped
  } catch {
    return 0 // it has ended
  }
}

/** @param {RouterUsage} usage @returns {NonNullable<NamespaceFigures['router']>} */
function routerFigures({ wallMs, cpuMicros, lateness, ...counts }) {
  const late = new Distribution()
  late.known.merge(lateness)
  return {
    ...counts,
    packetsPerSecond: wallMs > 0 ? (1000 * counts.packets) / wallMs : null,
    cpuMicrosPerPacket: counts.packets > 0 ? cpuMicros / counts.packets : null,
    lateness: late.knownSummary()
  }
}
