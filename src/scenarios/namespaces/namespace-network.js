import { Distribution } from '../../measure/distribution.js'
import { lateAllowedMs } from '../../network/namespaces/as-asked.js'
import { enterCommand } from '../../network/namespaces/namespaces.js'
import { netemLack } from '../../network/namespaces/requirements.js'
import { linkModelOf } from '../../network/simulated/link-settings.js'
import { answeredWithin } from '../../workers/answered-within.js'
import { startForkedProcess } from '../../workers/forked-process.js'
import { isStopped } from '../../workers/process-state.js'
import { WorkerWatch } from '../worker-watch.js'
import { kindsOfLinks, measuredLinks } from './measured-links.js'

/**
 * @typedef {import('../gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../network/namespaces/router.js').RouterUsage} RouterUsage
 * @typedef {import('../gossip/gossip-types.js').NamespaceFigures} NamespaceFigures
 */

const ENTRY = new URL('./router-entry.js', import.meta.url)

/** Where nodes and router want a core, the router is first: a packet that waits for it is late, and a node is only slow. */
const AFTER_ROUTER = ['nice', '-n', '5']

/** Beyond what a busy machine takes. */
const WITHIN_MS = 60_000

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
  #watch
  /** @type {RouterUsage | null} */
  #usage = null
  #found

  /**
   * start makes the namespaces of a plan, and measures their links.
   *
   * @param {GossipPlan} plan
   * @param {object} parts
   * @param {bigint} parts.originNs
   * @param {(error: Error) => void} parts.onTrouble - it ended by itself, or tells nothing any more
   * @param {AbortSignal} [parts.signal] - ends it at once while it starts
   * @returns {Promise<NamespaceNetwork>}
   */
  static async start(plan, { originNs, onTrouble, signal }) {
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
      setup: { plan, namespaces: plan.workers, congestion, originNs },
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
      const made = new NamespaceNetwork(plan, { router, held, onTrouble: raise })
      network = made
      hear = usage => made.#heard(usage)
      await inTime(made.#measure(until), 'the links could not be measured')
      return made
    } catch (error) {
      ending.abort()
      if (network !== null) network.#watch.stop()
      await router.kill()
      throw error
    }
  }

  /**
   * @param {GossipPlan} plan
   * @param {object} parts
   * @param {import('../../workers/forked-process.js').ForkedProcess} parts.router
   * @param {import('../../network/namespaces/namespaces.js').Held} parts.held
   * @param {(error: Error) => void} parts.onTrouble
   */
  constructor(plan, { router, held, onTrouble }) {
    this.#plan = plan
    this.#router = router
    this.#held = held
    this.#found = {
      step: 'router',
      netem: netemLack(held),
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
    return [...enterCommand(this.#held, worker), ...AFTER_ROUTER]
  }

  /** pid of the router, which could be late. */
  get pid() {
    return this.#router.pid
  }

  /** begin is told when publishing begins. @param {number} startNs - since the origin */
  begin(startNs) {
    return this.#router.call('begin', startNs)
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

  /** @param {AbortSignal} signal */
  async #measure(signal) {
    this.#found.links = await measuredLinks(this.#plan, {
      links: linkModelOf(this.#plan),
      enter: namespace => this.enter(namespace),
      signal
    })
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
