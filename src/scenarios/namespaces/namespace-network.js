import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../../kit/lists.js'
import { afterRouter } from '../../network/namespaces/after-router.js'
import { lateAllowedMs } from '../../network/namespaces/as-asked.js'
import { addressOf } from '../../network/namespaces/frames.js'
import { ladder } from '../../network/namespaces/ladder.js'
import { enterCommand } from '../../network/namespaces/namespaces.js'
import { linkModelOf } from '../../network/simulated/link-settings.js'
import { answeredWithin } from '../../workers/answered-within.js'
import { startForkedProcess } from '../../workers/forked-process.js'
import { isStopped } from '../../workers/process-state.js'
import { WorkerWatch } from '../worker-watch.js'
import { Carried } from './carried.js'
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

/** What is sent there and back to measure a link, one after the other, with what TCP sends again. */
const ROUND_TRIPS = 12

/** @template T @param {Promise<T>} answer @param {string} what @param {number} [ms] */
const inTime = (answer, what, ms = WITHIN_MS) =>
  answeredWithin(answer, ms, () => new Error(`${what} within ${Math.round(ms / 1000)} s`))

/** measuringMs is how long the links of a plan may take to be measured. @param {NetworkPlan} plan */
export const measuringMs = plan =>
  WITHIN_MS +
  ROUND_TRIPS * sumOf(kindsOfLinks(plan, linkModelOf(plan).properties), ({ roundTripMs }) => roundTripMs)

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
  #carried = new Carried()
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
    const told = new Promise(resolve => {
      this.#told = () => resolve(null)
    })
    await inTime(told, 'the router did not tell what it had carried')
    this.#carried.keep()
  }

  /** cut has partitions count from a moment on. @param {number} [startNs] - since the origin; default: now */
  async cut(startNs = this.#nowNs) {
    await this.#ask('cut', startNs)
  }

  /** relink puts other links between the namespaces, when nothing is sent, and measures them. @param {NetworkPlan} plan */
  async relink(plan) {
    await sleep(SETTLES_MS + 4 * this.#leastDelayMs)
    this.#plan = plan
    await this.#ask('relink', plan)
    this.#carried.begin()
    await this.#measure()
  }

  /** figures are what is known so far. @returns {NamespaceFigures} */
  get figures() {
    const { congestionControl } = this.#plan
    return {
      ...this.#found,
      ...this.#carried.figures,
      congestionControl: { asked: congestionControl, found: this.#held.congestion },
      lateAllowedMs: lateAllowedMs(this.#leastDelayMs)
    }
  }

  async stop() {
    this.#watch.stop()
    await this.#router.stop()
  }

  async #measure() {
    const measuring = measuredLinks(this.#plan, {
      links: linkModelOf(this.#plan).properties,
      enter: namespace => this.enter(namespace),
      signal: this.#until
    })
    this.#found.links = await inTime(measuring, 'the links could not be measured', measuringMs(this.#plan))
  }

  /** What is frozen answers nothing. @param {'begin' | 'ask' | 'cut' | 'relink'} method @param {...unknown} args */
  async #ask(method, ...args) {
    await inTime(this.#router.call(method, ...args), `the router did not answer (${method})`)
  }

  /** Since the origin. */
  get #nowNs() {
    return Number(process.hrtime.bigint() - this.#originNs)
  }

  /** One way, of the shortest link. */
  get #leastDelayMs() {
    const [shortest] = kindsOfLinks(this.#plan, linkModelOf(this.#plan).properties)
    return (shortest?.roundTripMs ?? 0) / 2
  }

  /** @param {RouterUsage} usage */
  #heard(usage) {
    this.#watch.heard(0)
    this.#carried.tell(usage)
    this.#told()
  }
}
