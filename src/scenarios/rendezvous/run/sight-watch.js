import { setTimeout as sleep } from 'node:timers/promises'
import { dial } from '../../../client/dial.js'
import { outcomeOf } from '../../../client/outcome-of.js'
import { StreamPerRequest } from '../../../client/stream-per-request.js'
import { subStream } from '../../../kit/random.js'
import { timeLimit, within } from '../../../kit/time-limit.js'
import { startClientNode } from './client-node.js'
import { confirm, registration, unregisterIn } from './client-requests.js'
import { requireOk } from './require-ok.js'

/**
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 *
 * @typedef {object} SightComponents
 * @property {import('../../../plan/plan.js').Plan} plan
 * @property {import('../../../plan/namespaces.js').Namespaces} namespaces
 * @property {readonly Multiaddr[]} servers - several
 * @property {import('../../../measure/meter.js').Meter} meter
 * @property {import('../../../measure/turns.js').Turns} turns
 */

/** A look is several requests: there are so many times fewer of them than requests of the probe. */
const LOOKS_LESS = 6

/**
 * watchesSight says whether a run measures how long servers take to see what another one has acknowledged. At servers of others that
 * are only read from nothing is registered.
 *
 * @param {import('../../../plan/plan.js').Plan} plan
 */
export const watchesSight = ({ servers, targets, benchmarkType, probeRatePerSecond }) =>
  probeRatePerSecond > 0 && (servers > 1 || (targets != null && benchmarkType !== 'DISCOVER'))

/**
 * SightWatch measures staleness: a peer of its own registers at one server, and asks another one, again and again, from the moment on
 * when that was acknowledged, until the registration is seen there. One DISCOVER is in the time at least.
 */
export class SightWatch {
  #c
  #random
  #everyMs
  #looks = 0
  /** @type {import('./client-node.js').ClientNode | undefined} */
  #client

  /** @param {SightComponents} components */
  constructor(components) {
    this.#c = components
    const { seed, probeRatePerSecond } = components.plan
    this.#random = subStream(seed, 'sight')
    this.#everyMs = (1000 * LOOKS_LESS) / probeRatePerSecond
  }

  /** connect starts the peer. @param {AbortSignal} signal */
  async connect(signal) {
    const { plan, servers, turns } = this.#c
    // the probe is the one behind the last client
    this.#client = await startClientNode(plan.nClients + 1, { plan, server: servers[0], turns })
    await Promise.all(servers.map(server => this.#ask(server, signal)))
  }

  /** run looks now and then. @param {AbortSignal} signal - ends it @returns {Promise<void>} when nothing is registered any more */
  async run(signal) {
    while (!signal.aborted) {
      const [from, at] = this.#twoServers()
      await this.#look(from, at, signal)
      await sleep(this.#everyMs, undefined, { signal }).catch(() => {})
    }
  }

  async close() {
    await this.#client?.node.stop()
  }

  #twoServers() {
    const { servers } = this.#c
    const first = Math.floor(this.#random() * servers.length)
    const other = (first + 1 + Math.floor(this.#random() * (servers.length - 1))) % servers.length
    return [servers[first], servers[other]]
  }

  /** @param {Multiaddr} from @param {Multiaddr} at @param {AbortSignal} stop */
  async #look(from, at, stop) {
    const { plan, namespaces } = this.#c
    const { signedPeerRecord } = /** @type {import('./client-node.js').ClientNode} */ (this.#client)
    const ns = namespaces.sight(this.#looks++)
    const inTime = within(stop, plan.timeoutMs)
    try {
      const requests = await this.#ask(from, inTime)
      const { message } = await requests.request(registration(ns, { plan, signedPeerRecord }), {
        signal: inTime
      })
      requireOk(message.registerResponse, 'a registration that others are to see')
      await this.#sight(ns, at, stop)
    } catch {
      // what was not acknowledged nobody has to see, and a server that is gone is told by those who load it
    } finally {
      await this.#takeBack(ns, [at, from])
    }
  }

  /** @param {string} ns @param {Multiaddr} at @param {AbortSignal} stop */
  async #sight(ns, at, stop) {
    const { plan, meter } = this.#c
    const acknowledgedNs = process.hrtime.bigint()
    const signal = within(stop, plan.timeoutMs)
    const outcome = await this.#seen(ns, at, signal).then(() => 'OK', outcomeOf)
    if (!stop.aborted) meter.record('sight', '', outcome, Number(process.hrtime.bigint() - acknowledgedNs))
  }

  /** @param {string} ns @param {Multiaddr} at @param {AbortSignal} signal */
  async #seen(ns, at, signal) {
    const requests = await this.#ask(at, signal)
    for (;;) {
      const { message } = await requests.request(confirm(ns), { signal })
      if ((message.discoverResponse?.registrations ?? []).length > 0) return
    }
  }

  /** @param {string} ns @param {Multiaddr[]} servers - the first that is there */
  async #takeBack(ns, servers) {
    const signal = timeLimit(this.#c.plan.timeoutMs)
    for (const server of servers) {
      try {
        const requests = await this.#ask(server, signal)
        await requests.requestBehind([unregisterIn(ns)], confirm(ns), { signal })
        return
      } catch {
        // it is gone; the other one may be there
      }
    }
  }

  /** @param {Multiaddr} server @param {AbortSignal} signal */
  async #ask(server, signal) {
    const { node } = /** @type {import('./client-node.js').ClientNode} */ (this.#client)
    return new StreamPerRequest(await dial(node, server, { signal }))
  }
}
