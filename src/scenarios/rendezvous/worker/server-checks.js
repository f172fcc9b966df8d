// Checks the replies of rendezvous servers, and that confirmed registrations can be found. Also measures how long a
// registration takes to reach another server.

import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { chooseClientAddress, dial, dialAny } from '../../../client/dial.js'
import { readDiscoverReply } from '../../../client/discover-pages.js'
import { ClientError, ClientErrorCode, readOutcome } from '../../../client/errors.js'
import { derivePrivateKey, makeIdentitySigner, Purpose } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import { StreamPerRequest } from '../../../client/session.js'
import { makeSubStream } from '../../../kit/random.js'
import { limitSignal, makeTimeLimit } from '../../../kit/time.js'
import {
  LOOK_UP_TIMEOUT_TEXT,
  MAX_LOOK_UP_MS,
  makeClientNamespaces,
  makeRegistrantNamespaces
} from '../../../load/registrations.js'
import { computeShareInterval } from '../../../measure/statistics.js'
import { encodeDiscover, nameStatus, Status } from '../../../protocol/rendezvous.js'
import { derivePeerId, openSignedRecord, readSignerUnverified } from '../../../protocol/signed-record.js'
import { assignTopics } from '../peer-options.js'
import {
  encodeConfirmation,
  encodeRegistration,
  encodeUnregistration,
  requireOk,
  startClientNode
} from './load-client.js'

/**
 * @typedef {import('../../../protocol/rendezvous.js').Message} Message
 * @typedef {import('../../../protocol/rendezvous.js').Register} Register
 */

/** DISCOVER replies whose signatures are checked after the measurement, */
const SAMPLED_REPLIES = 20
/** within this time. */
const CHECKED_FOR_MS = 5000

/**
 * ReplyChecks checks replies. A status other than OK, a message of the wrong kind, and a DISCOVER reply with too few or too many registrations
 * are failures.
 */
export class ReplyChecks {
  #limit
  #expected
  #random
  #clock
  #untilMs = Infinity
  #replies = 0
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
    if (response.status !== Status.OK) return nameStatus(response.status)
    if (type === 'DISCOVER') return this.#outcomeOfPage(message.discoverResponse?.registrations ?? [])
    return 'OK'
  }

  /** @param {unknown} error @returns {string} outcome */
  outcomeOf(error) {
    const outcome = readOutcome(error)
    if (outcome === 'BAD_REPLY') this.#bad(/** @type {Error} */ (error).message)
    return outcome
  }

  /** unasked counts a reply without a request. */
  unasked() {
    this.#bad('another reply to a request that has had its own')
  }

  /** pagesFailed counts a failure to read a namespace page by page. @param {unknown} error */
  pagesFailed(error) {
    this.#bad(`page by page: ${/** @type {Error} */ (error).message}`)
  }

  /** @param {Register[]} registrations */
  #outcomeOfPage(registrations) {
    const { length } = registrations
    if (length > this.#limit) return this.#bad(`more registrations than the limit of ${this.#limit}`)
    if (this.#expected != null && length < this.#expected)
      return this.#bad(`fewer registrations than the ${this.#expected} there are`)
    this.#sample(registrations)
    return 'OK'
  }

  /** Keeps a uniform sample of all replies (reservoir sampling, Vitter's algorithm R). @param {Register[]} registrations */
  #sample(registrations) {
    if (registrations.length === 0) return
    const slot =
      this.#replies < SAMPLED_REPLIES ? this.#replies : Math.floor(this.#random() * (this.#replies + 1))
    this.#replies++
    if (slot < SAMPLED_REPLIES) this.#sampled[slot] = registrations
  }

  /** @param {string} detail */
  #bad(detail) {
    this.#failures.set(detail, (this.#failures.get(detail) ?? 0) + 1)
    return 'BAD_REPLY'
  }

  /**
   * finish checks the sampled replies within the time limit, and lists what was wrong with any reply.
   *
   * @returns {Promise<{ detail: string, count: number }[]>}
   */
  async finish() {
    for (const registrations of this.#sampled) await this.#checkSample(registrations)
    this.#sampled = []
    return [...this.#failures].map(([detail, count]) => ({ detail, count }))
  }

  /** beginAnew resets samples and failures. */
  beginAnew() {
    this.#sampled = []
    this.#failures.clear()
    this.#replies = 0
    this.#untilMs = Infinity
  }

  /**
   * checkPages checks all pages of a namespace that does not change meanwhile.
   *
   * @param {Register[]} registrations
   */
  async checkPages(registrations) {
    await this.#checkSample(registrations, 'over the pages of a namespace')
  }

  /** @param {Register[]} registrations @param {string} [where] */
  async #checkSample(registrations, where = 'in one reply') {
    // the time limit begins with the first check
    this.#untilMs = Math.min(this.#untilMs, this.#clock() + CHECKED_FOR_MS)
    const peers = []
    for (const { signedPeerRecord } of registrations) {
      if (this.#clock() >= this.#untilMs) break
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
 * @typedef {Pick<import('./load-client.js').LoadClientComponents, 'plan' | 'namespaces' | 'servers' | 'deadlines' | 'meter' | 'turns' | 'settings'>} StalenessComponents -
 *   `servers`: several
 */

const LOOKS_PER_SECOND = 5

/**
 * StalenessWatch measures staleness: a peer of its own registers at one server. From its reply on, it sends DISCOVERs to another server until one
 * returns the registration. The time includes at least one DISCOVER.
 */
export class StalenessWatch {
  #c
  #random
  #looks = 0
  /** @type {import('./load-client.js').ClientNode | undefined} */
  #client

  /** @param {StalenessComponents} components */
  constructor(components) {
    this.#c = components
    this.#random = makeSubStream(components.plan.seed, 'sight')
  }

  /** connect starts the peer. @param {AbortSignal} signal */
  async connect(signal) {
    const { plan, servers, turns, settings } = this.#c
    // its identity is the next after those of the clients
    this.#client = await startClientNode(plan.nClients, { plan, server: servers[0], turns, settings })
    await Promise.all(servers.map(server => this.#ask(server, signal)))
  }

  /** run measures again and again. @param {AbortSignal} signal - begins no further measurement @returns {Promise<void>} when its registrations are removed */
  async run(signal) {
    while (!signal.aborted) {
      const { servers } = this.#c
      const first = Math.floor(this.#random() * servers.length)
      const other = (first + 1 + Math.floor(this.#random() * (servers.length - 1))) % servers.length
      await this.#look(servers[first], servers[other])
      await sleep(1000 / LOOKS_PER_SECOND, undefined, { signal }).catch(() => {})
    }
  }

  async close() {
    await this.#client?.node.stop()
  }

  /** @param {Multiaddr} from @param {Multiaddr} at */
  async #look(from, at) {
    const ns = this.#c.namespaces.sight(this.#looks++)
    try {
      await this.#inTime(signal => this.#register(ns, from, signal))
      await this.#sight(ns, at)
    } catch {
      // a registration without a reply need not be visible; clients report a server that is gone
    } finally {
      await this.#unregister(ns, [at, from])
    }
  }

  /** @param {(signal: AbortSignal) => Promise<void>} ask - its signal aborts at the timeout, or when the run ends early */
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
    const { message } = await requests.request(encodeRegistration(ns, { plan, signedPeerRecord }), { signal })
    requireOk(message.registerResponse, 'a registration that others are to see')
  }

  /** @param {string} ns @param {Multiaddr} at */
  async #sight(ns, at) {
    const acknowledgedNs = process.hrtime.bigint()
    const outcome = await this.#inTime(signal => this.#waitUntilVisible(ns, at, signal)).then(
      () => 'OK',
      readOutcome
    )
    this.#c.meter.record('sight', '', outcome, Number(process.hrtime.bigint() - acknowledgedNs))
  }

  /** @param {string} ns @param {Multiaddr} at @param {AbortSignal} signal */
  async #waitUntilVisible(ns, at, signal) {
    const requests = await this.#ask(at, signal)
    for (;;) {
      const { message } = await requests.request(encodeConfirmation(ns), { signal })
      if ((message.discoverResponse?.registrations ?? []).length > 0) return
    }
  }

  /** @param {string} ns @param {Multiaddr[]} servers - one of them is enough */
  async #unregister(ns, servers) {
    const signal = makeTimeLimit(this.#c.plan.timeoutMs)
    for (const server of servers) {
      try {
        const requests = await this.#ask(server, signal)
        await requests.requestBehind([encodeUnregistration(ns)], encodeConfirmation(ns), { signal })
        return
      } catch {
        // this server is gone; the other one may be running
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
 * @typedef {import('../../../load/registrations.js').RunNamespaces} RunNamespaces
 * @typedef {import('./load-worker.js').ConfirmedByClient} ConfirmedByClient
 * @typedef {import('../../../report/schema.js').LookUp} LookUp
 *
 * @typedef {object} Confirmed - a registration that the server has confirmed
 * @property {string} ns
 * @property {string} purpose - with `index`: its peer, see identities.js
 * @property {number} index
 * @property {number} expiresMs - end of its time to live, on the monotonic clock of the host
 *
 * @typedef {object} LookUpOptions
 * @property {Plan} plan
 * @property {readonly string[]} addresses - multiaddrs of servers with the same registrations: the first that can be reached is read
 * @property {RunNamespaces} namespaces
 * @property {number} preloadExpiresMs - when the first preloaded registration expires
 * @property {ConfirmedByClient[]} registered - by clients
 * @property {AbortSignal} stop
 */

/**
 * lookUpRegistrations looks up the registrations that the server has confirmed, as any client would: all of them, or a sample drawn from the seed.
 *
 * @param {LookUpOptions} options
 * @returns {Promise<LookUp | null>} null: there are no registrations
 */
export async function lookUpRegistrations(options) {
  const { plan, addresses, stop } = options
  const { count, at } = confirmedRegistrations(options)
  if (count === 0) return null
  const sample = drawIndices(count, makeSubStream(plan.seed, 'lookUp')).map(at)
  const servers = addresses.map(address => multiaddr(address))
  const node = await createClientNode({
    privateKey: await derivePrivateKey(plan.seed, Purpose.LOOK_UP, 0),
    localAddress: chooseClientAddress(servers[0], plan.nClients, process.platform),
    stock: plan.stock
  })
  await node.start()
  try {
    const signal = limitSignal(stop, MAX_LOOK_UP_MS)
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

/** @param {LookUpOptions} options @returns {{ count: number, at: (place: number) => Confirmed }} preloaded ones first */
function confirmedRegistrations({ plan, namespaces, preloadExpiresMs, registered }) {
  const { initialRegistrations: preloaded, nNamespaces } = plan
  const ofRegistrant = makeRegistrantNamespaces(plan, namespaces)
  const topics = assignTopics(plan)
  const ends = registered.map(() => 0)
  let count = preloaded
  for (const [i, { numbers }] of registered.entries()) ends[i] = count += numbers.length
  return {
    count,
    at: place => {
      if (place < preloaded) {
        const ns = ofRegistrant(place)
        return { ns, purpose: Purpose.REGISTRANT, index: place, expiresMs: preloadExpiresMs }
      }
      const whose = ends.findIndex(end => place < end)
      const { client: index, numbers, expireMs } = registered[whose]
      const own = place - (ends[whose] - numbers.length)
      const ofClient = { ...topics, own: topics.of(index) }
      const ns = makeClientNamespaces(namespaces, nNamespaces, index, ofClient)(numbers[own])
      return { ns, purpose: Purpose.CLIENT, index, expiresMs: expireMs[own] }
    }
  }
}

/** Gives peer ids, multihashes in hexadecimal; those of clients are cached, since a client has many registrations. @param {number} seed */
function peerIds(seed) {
  /** @type {Map<number, string>} */
  const clients = new Map()
  const made = (/** @type {Confirmed} */ { purpose, index }) =>
    Buffer.from(derivePeerId(makeIdentitySigner(seed, purpose, index).publicKey)).toString('hex')
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
  /** @type {Map<string, Confirmed[]>} */
  const byNamespace = new Map()
  for (const one of sample) {
    const others = byNamespace.get(one.ns)
    if (others === undefined) byNamespace.set(one.ns, [one])
    else others.push(one)
  }
  let [lookedUp, missing] = [0, 0]
  /** @type {string | null} */
  let problem = null
  try {
    const requests = await connect()
    for (const [ns, confirmed] of byNamespace) {
      const wanted = new Map(confirmed.map(one => [peerId(one), one.expiresMs]))
      try {
        await findIn(ns, wanted, { requests, signal })
      } catch (error) {
        if (signal.aborted) throw error
        problem ??= /** @type {Error} */ (error).message
        continue
      }
      // those that may have expired do not count
      const nowMs = Number(process.hrtime.bigint()) / 1e6
      lookedUp += confirmed.filter(({ expiresMs }) => expiresMs > nowMs).length
      missing += [...wanted.values()].filter(expiresMs => expiresMs > nowMs).length
    }
  } catch (error) {
    problem ??= signal.aborted ? LOOK_UP_TIMEOUT_TEXT : /** @type {Error} */ (error).message
  }
  const interval = lookedUp === 0 ? null : computeShareInterval(missing, lookedUp)
  return { lookedUp, missing, interval, problem }
}

/** Registrations of a page: the maximum that the specification recommends. */
const PAGE = 1000

/**
 * Reads a namespace page by page until all wanted registrations were read, or there are no further pages.
 *
 * @param {string} ns
 * @param {Map<string, unknown>} wanted - by peer id, multihash in hexadecimal; those read are removed
 * @param {{ requests: Pick<StreamPerRequest, 'request'>, signal: AbortSignal }} options
 * @throws {ClientError} where the namespace could not be read to its end
 */
async function findIn(ns, wanted, { requests, signal }) {
  /** @type {Uint8Array | undefined} */
  let cookie
  let before = ''
  for (;;) {
    const { message } = await requests.request(encodeDiscover({ ns, limit: PAGE, cookie }), { signal })
    const { registrations, cookie: next = new Uint8Array() } = readDiscoverReply(message)
    for (const registration of registrations) wanted.delete(peerOf(registration))
    if (wanted.size === 0 || registrations.length === 0) return
    const first = peerOf(registrations[0])
    if (first === before || (next.length === 0 && registrations.length >= PAGE))
      throw new ClientError(
        ClientErrorCode.UNEXPECTED_REPLY,
        `the pages of ${ns} do not go on: the server gives the same again, or no cookie for the next`
      )
    if (next.length === 0) return
    before = first
    cookie = next
  }
}

/** @param {Register} registration */
function peerOf({ signedPeerRecord = new Uint8Array() }) {
  try {
    return Buffer.from(readSignerUnverified(signedPeerRecord)).toString('hex')
  } catch {
    return ''
  }
}

/** Registrations looked up at most: if none of them is missing, fewer than 0.03 % of all are. */
const MAX_LOOKED_UP = 10_000

/**
 * drawIndices draws places among `count` without repetition, in random order (Fisher–Yates, as far as needed); all of them, if there are few.
 *
 * @param {number} count
 * @param {() => number} random
 * @param {number} [max]
 * @returns {number[]}
 */
export function drawIndices(count, random, max = MAX_LOOKED_UP) {
  /** @type {Map<number, number>} the number at a place, if not its own */
  const moved = new Map()
  const at = (/** @type {number} */ place) => moved.get(place) ?? place
  return Array.from({ length: Math.min(count, max) }, (_, first) => {
    const place = first + Math.floor(random() * (count - first))
    const drawn = at(place)
    moved.set(place, at(first))
    return drawn
  })
}
