// Checks of what a server returns: signatures, staleness between servers, registrations it has confirmed.

import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor, dial, dialAny } from '../../../client/dial.js'
import { discoverReply } from '../../../client/discover-pages.js'
import { ClientError, ClientErrorCode, outcomeOf } from '../../../client/errors.js'
import { Purpose, privateKeyOf, signerOfIdentity } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import { StreamPerRequest } from '../../../client/session.js'
import { subStream } from '../../../kit/random.js'
import { timeLimit, within } from '../../../kit/time.js'
import {
  clientNamespaces,
  LOOK_UP_FOR_MS,
  OUT_OF_TIME,
  registrantNamespaces
} from '../../../load/registrations.js'
import { shareInterval } from '../../../measure/statistics.js'
import { encodeDiscover, Status, statusName } from '../../../protocol/rendezvous.js'
import { openSignedRecord, peerIdOfKey, readSignerUnverified } from '../../../protocol/signed-record.js'
import { topicsOf } from '../peer-options.js'
import { confirm, registration, requireOk, startClientNode, unregisterIn } from './load-client.js'

/**
 * @typedef {import('../../../protocol/rendezvous.js').Message} Message
 * @typedef {import('../../../protocol/rendezvous.js').Register} Register
 */

/** Of so many DISCOVER replies the signatures are checked, after the measurement, */
const SAMPLED_REPLIES = 20
/** for no longer than this. */
const CHECKED_FOR_MS = 5000

/**
 * ReplyChecks judges replies: a status other than OK, a reply of the wrong kind, or DISCOVER replies with too few or too many
 * registrations are no success, however fast they came.
 */
export class ReplyChecks {
  #limit
  #expected
  #random
  #clock
  #untilMs = Infinity
  #seen = 0
  /** @type {Register[][]} */
  #sampled = []
  /** @type {Map<string, number>} */
  #failures = new Map()

  /**
   * @param {object} options
   * @param {number} options.limit - the plan's discoverLimit
   * @param {number | null} options.expected - registrations that every reply must hold at least; null: not known
   * @param {() => number} options.random
   * @param {() => number} [options.clock] - ms, monotonic
   */
  constructor({ limit, expected, random, clock = () => performance.now() }) {
    this.#clock = clock
    this.#limit = limit
    this.#expected = expected
    this.#random = random
  }

  /**
   * @param {import('../../../load/registrations.js').MixedType} type
   * @param {Message} message
   * @returns {string} outcome
   */
  outcomeOfReply(type, message) {
    const response = type === 'REGISTER' ? message.registerResponse : message.discoverResponse
    if (response == null) return this.#bad(`${type} was answered with another kind of message`)
    if (response.status !== Status.OK) return statusName(response.status)
    if (type === 'DISCOVER') return this.#outcomeOfPage(message.discoverResponse?.registrations ?? [])
    return 'OK'
  }

  /** @param {unknown} error @returns {string} outcome */
  outcomeOf(error) {
    const outcome = outcomeOf(error)
    if (outcome === 'BAD_REPLY') this.#bad(/** @type {Error} */ (error).message)
    return outcome
  }

  /** unasked counts a reply that no request waits for. */
  unasked() {
    this.#bad('another reply to a request that has had its own')
  }

  /** pagesFailed notes why a namespace could not be read page by page. @param {unknown} error */
  pagesFailed(error) {
    this.#bad(`page by page: ${/** @type {Error} */ (error).message}`)
  }

  /** @param {Register[]} registrations */
  #outcomeOfPage(registrations) {
    const found = registrations.length
    if (found > this.#limit) return this.#bad(`more registrations than the limit of ${this.#limit}`)
    if (this.#expected != null && found < this.#expected)
      return this.#bad(`fewer registrations than the ${this.#expected} there are`)
    this.#sample(registrations)
    return 'OK'
  }

  /** Keeps a uniform sample of all replies (reservoir sampling, Vitter's algorithm R). @param {Register[]} registrations */
  #sample(registrations) {
    if (registrations.length === 0) return
    const slot = this.#seen < SAMPLED_REPLIES ? this.#seen : Math.floor(this.#random() * (this.#seen + 1))
    this.#seen++
    if (slot < SAMPLED_REPLIES) this.#sampled[slot] = registrations
  }

  /** @param {string} detail */
  #bad(detail) {
    this.#failures.set(detail, (this.#failures.get(detail) ?? 0) + 1)
    return 'BAD_REPLY'
  }

  /**
   * finish checks the sampled replies, as far as there is time, and gives what was wrong with any reply.
   *
   * @returns {Promise<{ detail: string, count: number }[]>}
   */
  async finish() {
    for (const registrations of this.#sampled) await this.#checkSample(registrations)
    this.#sampled = []
    return [...this.#failures].map(([detail, count]) => ({ detail, count }))
  }

  /** beginAnew forgets what was seen. */
  beginAnew() {
    this.#sampled = []
    this.#failures.clear()
    this.#seen = 0
    this.#untilMs = Infinity
  }

  /**
   * checkPages judges all pages of a namespace that nobody registers in meanwhile.
   *
   * @param {Register[]} registrations
   */
  async checkPages(registrations) {
    await this.#checkSample(registrations, 'over the pages of a namespace')
  }

  /** Time begins with the first check. */
  #timeIsOver() {
    this.#untilMs = Math.min(this.#untilMs, this.#clock() + CHECKED_FOR_MS)
    return this.#clock() >= this.#untilMs
  }

  /** @param {Register[]} registrations @param {string} [where] */
  async #checkSample(registrations, where = 'in one reply') {
    const peers = []
    for (const { signedPeerRecord } of registrations) {
      if (this.#timeIsOver()) break
      try {
        const { peerId } = await openSignedRecord(signedPeerRecord ?? new Uint8Array())
        peers.push(Buffer.from(peerId).toString('hex'))
      } catch {
        this.#bad('a registration without a valid signed peer record')
      }
    }
    if (new Set(peers).size < peers.length) this.#bad(`the same peer more than once ${where}`)
  }
}

/**
 * @typedef {import('@multiformats/multiaddr').Multiaddr} Multiaddr
 *
 * @typedef {object} SightComponents
 * @property {import('../options.js').Plan} plan
 * @property {import('../../../load/registrations.js').Namespaces} namespaces
 * @property {readonly Multiaddr[]} servers - several
 * @property {import('../../../kit/time.js').Deadlines} deadlines
 * @property {import('../../../measure/operations.js').Meter} meter
 * @property {import('../../../measure/client-overhead.js').Turns} turns
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
  /** @type {import('./load-client.js').ClientNode | undefined} */
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
    const { signedPeerRecord } = /** @type {import('./load-client.js').ClientNode} */ (this.#client)
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
    const { node } = /** @type {import('./load-client.js').ClientNode} */ (this.#client)
    return new StreamPerRequest(await dial(node, server, { signal }))
  }
}

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../load/registrations.js').Namespaces} Namespaces
 * @typedef {import('./load-worker.js').Registered} Registered
 * @typedef {import('../../../report/schema.js').LookUp} LookUp
 *
 * @typedef {object} Confirmed - a registration that the server has said OK to
 * @property {string} ns
 * @property {string} purpose - with `index`: whose it is, see identities.js
 * @property {number} index
 * @property {number} expiresMs - when its time to live is over, on the monotonic clock of the host
 *
 * @typedef {object} LookUpOptions
 * @property {Plan} plan
 * @property {readonly string[]} addresses - multiaddrs of servers that hold the same: the first that is there is asked
 * @property {Namespaces} namespaces
 * @property {number} preloadExpiresMs - when the first of the preloaded registrations is over
 * @property {Registered[]} registered - by clients
 * @property {AbortSignal} stop
 */

/**
 * lookUp asks the server for what it has confirmed, as anybody would: all of it, or a sample drawn from the seed.
 *
 * @param {LookUpOptions} options
 * @returns {Promise<LookUp | null>} null: nothing is registered there
 */
export async function lookUp(options) {
  const { plan, addresses, stop } = options
  const { count, at } = everything(options)
  if (count === 0) return null
  const sample = drawPlaces(count, subStream(plan.seed, 'lookUp')).map(at)
  const servers = addresses.map(address => multiaddr(address))
  const node = await createClientNode({
    privateKey: await privateKeyOf(plan.seed, Purpose.LOOK_UP, 0),
    localAddress: clientAddressFor(servers[0], plan.nClients, process.platform),
    stock: plan.stock
  })
  await node.start()
  try {
    const signal = within(stop, LOOK_UP_FOR_MS)
    const connect = async () => new StreamPerRequest(await dialAny(node, servers, { signal }))
    return {
      registrations: count,
      drawn: sample.length,
      ...(await find(sample, { seed: plan.seed, connect, signal }))
    }
  } finally {
    await node.stop()
  }
}

/** @param {LookUpOptions} options @returns {{ count: number, at: (place: number) => Confirmed }} preloaded ones come first */
function everything({ plan, namespaces, preloadExpiresMs, registered }) {
  const { initialRegistrations: preloaded, nNamespaces } = plan
  const ofRegistrant = registrantNamespaces(plan, namespaces)
  const topics = topicsOf(plan)
  const ends = registered.map(() => 0)
  let count = preloaded
  for (const [i, { numbers }] of registered.entries()) ends[i] = count += numbers.length
  return {
    count,
    at: place => {
      if (place < preloaded)
        return {
          ns: ofRegistrant(place),
          purpose: Purpose.REGISTRANT,
          index: place,
          expiresMs: preloadExpiresMs
        }
      const whose = ends.findIndex(end => place < end)
      const { client, numbers, expireMs } = registered[whose]
      const own = place - (ends[whose] - numbers.length)
      return {
        ns: clientNamespaces(namespaces, nNamespaces, client, { ...topics, own: topics.of(client) })(
          numbers[own]
        ),
        purpose: Purpose.CLIENT,
        index: client,
        expiresMs: expireMs[own]
      }
    }
  }
}

/** @param {Confirmed[]} sample @returns {Map<string, Confirmed[]>} */
function byNamespace(sample) {
  /** @type {Map<string, Confirmed[]>} */
  const spaces = new Map()
  for (const one of sample) {
    const space = spaces.get(one.ns)
    if (space === undefined) spaces.set(one.ns, [one])
    else space.push(one)
  }
  return spaces
}

/** Gives peer ids of confirmed registrations, multihashes in hexadecimal; a client has many. @param {number} seed */
function peerIds(seed) {
  /** @type {Map<number, string>} */
  const clients = new Map()
  const made = (/** @type {Confirmed} */ { purpose, index }) =>
    Buffer.from(peerIdOfKey(signerOfIdentity(seed, purpose, index).publicKey)).toString('hex')
  return (/** @type {Confirmed} */ one) => {
    if (one.purpose !== Purpose.CLIENT) return made(one)
    const id = clients.get(one.index) ?? made(one)
    clients.set(one.index, id)
    return id
  }
}

/**
 * @param {Confirmed[]} sample - in random order, so that namespaces come in random order too
 * @param {object} options
 * @param {number} options.seed - of the plan
 * @param {() => Promise<StreamPerRequest>} options.connect
 * @param {AbortSignal} options.signal
 * @returns {Promise<Omit<LookUp, 'registrations' | 'drawn'>>}
 */
async function find(sample, { seed, connect, signal }) {
  const peerId = peerIds(seed)
  let [lookedUp, missing] = [0, 0]
  /** @type {string | null} */
  let problem = null
  try {
    const requests = await connect()
    for (const [ns, confirmed] of byNamespace(sample)) {
      const wanted = new Map(confirmed.map(one => [peerId(one), one.expiresMs]))
      try {
        await findIn(ns, wanted, { requests, signal })
      } catch (error) {
        if (signal.aborted) throw error
        problem ??= /** @type {Error} */ (error).message
        continue
      }
      // those that may have expired say nothing, whether they were found or not
      const nowMs = Number(process.hrtime.bigint()) / 1e6
      lookedUp += confirmed.filter(({ expiresMs }) => expiresMs > nowMs).length
      missing += [...wanted.values()].filter(expiresMs => expiresMs > nowMs).length
    }
  } catch (error) {
    problem ??= signal.aborted ? OUT_OF_TIME : /** @type {Error} */ (error).message
  }
  const interval = lookedUp === 0 ? null : shareInterval(missing, lookedUp)
  return { lookedUp, missing, interval, problem }
}

/**
 * @typedef {Pick<import('../../../client/session.js').StreamPerRequest, 'request'>} Requests
 */

/** As many registrations as the specification recommends to be returned at most. */
const PAGE = 1000

/**
 * findIn reads a namespace page by page until everything wanted was found, or there are no further pages.
 *
 * @param {string} ns
 * @param {Map<string, unknown>} wanted - by peer id, multihash in hexadecimal; those found are taken out
 * @param {{ requests: Requests, signal: AbortSignal }} options
 * @throws {ClientError} where the namespace could not be read to its end
 */
async function findIn(ns, wanted, { requests, signal }) {
  /** @type {Uint8Array | undefined} */
  let cookie
  let before = ''
  for (;;) {
    const { message } = await requests.request(encodeDiscover({ ns, limit: PAGE, cookie }), { signal })
    const { registrations, cookie: next = new Uint8Array() } = discoverReply(message)
    for (const registration of registrations) wanted.delete(peerOf(registration))
    if (wanted.size === 0 || registrations.length === 0) return
    const first = peerOf(registrations[0])
    if (first === before || (next.length === 0 && registrations.length >= PAGE)) throw endless(ns)
    if (next.length === 0) return
    before = first
    cookie = next
  }
}

/** @param {string} ns */
const endless = ns =>
  new ClientError(
    ClientErrorCode.UNEXPECTED_REPLY,
    `the pages of ${ns} do not go on: the server gives the same again, or no cookie for the next`
  )

/** @param {Register} registration */
function peerOf({ signedPeerRecord = new Uint8Array() }) {
  try {
    return Buffer.from(readSignerUnverified(signedPeerRecord)).toString('hex')
  } catch {
    return ''
  }
}

/** So many registrations are looked up at most: 0 missing of them prove that fewer than 0.03 % of all are. */
const MOST_LOOKED_UP = 10_000

/**
 * drawPlaces draws places among `count` without returning any (Fisher–Yates, as far as they are needed), all of them where they are
 * few, in random order.
 *
 * @param {number} count
 * @param {() => number} random
 * @param {number} [most]
 * @returns {number[]}
 */
export function drawPlaces(count, random, most = MOST_LOOKED_UP) {
  /** @type {Map<number, number>} what stands at a place, where that is not its own number */
  const moved = new Map()
  const at = (/** @type {number} */ place) => moved.get(place) ?? place
  return Array.from({ length: Math.min(count, most) }, (_, first) => {
    const place = first + Math.floor(random() * (count - first))
    const drawn = at(place)
    moved.set(place, at(first))
    return drawn
  })
}
