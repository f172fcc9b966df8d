import { setTimeout as sleep } from 'node:timers/promises'
import { dial } from '../../../client/dial.js'
import { outcomeOf } from '../../../client/outcome-of.js'
import { StreamPerRequest } from '../../../client/stream-per-request.js'
import { subStream } from '../../../kit/random.js'
import { timeLimit } from '../../../kit/time-limit.js'
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
 * @property {import('../../../load/deadlines.js').Deadlines} deadlines
 * @property {import('../../../measure/meter.js').Meter} meter
 * @property {import('../../../measure/turns.js').Turns} turns
 * @property {import('../../../libp2p/node-settings.js').SettingsReader} settings - of the nodes of this process
 */

const LOOKS_PER_SECOND = 5

/**
 * SightWatch measures staleness: a peer of its own registers at one server, and asks another one, again and again, from the moment on
 * when that was acknowledged, until the registration is seen there. One DISCOVER is in the time at least.
 */
export class SightWatch {
  #c
  #random
  #looks = 0
  /** @type {import('./client-node.js').ClientNode | undefined} */
  #client

  /** @param {SightComponents} components */
  constructor(components) {
    this.#c = components
    this.#random = subStream(components.plan.seed, 'sight')
  }

  /** connect starts the peer. @param {AbortSignal} signal */
  async connect(signal) {
    const { plan, servers, turns, settings } = this.#c
    // its identity is that behind the last client
    this.#client = await startClientNode(plan.nClients, { plan, server: servers[0], turns, settings })
    await Promise.all(servers.map(server => this.#ask(server, signal)))
  }

  /** run looks now and then. @param {AbortSignal} signal - no further look begins; one under way ends as it would @returns {Promise<void>} when nothing is registered any more */
  async run(signal) {
    while (!signal.aborted) {
      const [from, at] = this.#twoServers()
      await this.#look(from, at)
      await sleep(1000 / LOOKS_PER_SECOND, undefined, { signal }).catch(() => {})
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

  /** @param {Multiaddr} from @param {Multiaddr} at */
  async #look(from, at) {
    const ns = this.#c.namespaces.sight(this.#looks++)
    try {
      await this.#inTime(signal => this.#register(ns, from, signal))
      await this.#sight(ns, at)
    } catch {
      // what was not acknowledged nobody has to see, and a server that is gone is told by those who load it
    } finally {
      await this.#takeBack(ns, [at, from])
    }
  }

  /** @param {(signal: AbortSignal) => Promise<void>} ask - is told when it takes too long, or the run is broken off */
  async #inTime(ask) {
    const guard = this.#c.deadlines.guard()
    try {
      await ask(guard.signal)
    } finally {
      guard.release()
    }
  }

  /** @param {string} ns @param {Multiaddr} from @param {AbortSignal} signal */
  async #register(ns, from, signal) {
    const { plan } = this.#c
    const { signedPeerRecord } = /** @type {import('./client-node.js').ClientNode} */ (this.#client)
    const requests = await this.#ask(from, signal)
    const { message } = await requests.request(registration(ns, { plan, signedPeerRecord }), { signal })
    requireOk(message.registerResponse, 'a registration that others are to see')
  }

  /** @param {string} ns @param {Multiaddr} at */
  async #sight(ns, at) {
    const acknowledgedNs = process.hrtime.bigint()
    const outcome = await this.#inTime(signal => this.#seen(ns, at, signal)).then(() => 'OK', outcomeOf)
    this.#c.meter.record('sight', '', outcome, Number(process.hrtime.bigint() - acknowledgedNs))
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
