import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { registrantAddress } from '../client/registrant-records.js'
import { encodeFrame } from '../protocol/framing.js'
import { readSignedRecordUnverified, sealPeerRecord } from '../protocol/signed-record.js'
import { MessageType } from '../protocol/status.js'
import { encodeFields } from './encode-fields.js'
import { Exchange } from './exchange.js'
import { listed, Untestable } from './verdict.js'

/**
 * @typedef {import('./exchange.js').Answer} Answer
 * @typedef {import('./encode-fields.js').Fields} Fields
 *
 * @typedef {object} Target - what is known of it
 * @property {import('./peers.js').Peers} peers
 * @property {string} domain - of records that it takes
 * @property {boolean} several - it serves several requests on a stream
 * @property {((signal: AbortSignal) => Promise<void>) | null} restart
 * @property {Map<string, import('./verdict.js').Verdict>} asides - verdicts of checks that another one has found on its way, by id
 *
 * @typedef {object} Found - a registration in a reply
 * @property {string} name - of the peer
 * @property {string} ns
 * @property {number} [ttl] - seconds
 * @property {Uint8Array} record
 *
 * @typedef {Answer & { found: Found[], names: string[], cookie: Uint8Array | undefined }} Discovery
 *
 * @typedef {object} RegisterParts - all have defaults; null leaves one out
 * @property {string | null} [ns]
 * @property {number | bigint | null} [ttl] - seconds
 * @property {Uint8Array | null} [record]
 *
 * @typedef {{ ns?: string, limit?: number | bigint, cookie?: Uint8Array }} Query
 */

/** TWO_HOURS is taken by every target that keeps to the recommended bounds. */
export const TWO_HOURS = 7200
/** ASKER registers nowhere. */
export const ASKER = 'D'

const SERVED_MS = 1000
const GONE_MS = 5000
const LOOK_EVERY_MS = 100
const BATCH = 50
const AT_ONCE = 16
const MOST_PAGES = 40
const ALL_PAGE = 1000

/** Visit is what one check has to do with the target, in namespaces of its own. What was registered on it, leave() takes back. */
export class Visit {
  /** @type {Map<string, Set<string>>} names of peers, by namespace */
  #registered = new Map()
  /** @type {Set<Exchange>} */
  #exchanges = new Set()

  /** @param {Target} target @param {string} ns @param {AbortSignal} signal */
  constructor(target, ns, signal) {
    this.target = target
    this.ns = ns
    this.signal = signal
  }

  /** exchange opens a stream of a peer. @param {string} name */
  async exchange(name) {
    const connection = await this.target.peers.connection(name, this.signal)
    const exchange = await Exchange.open(connection, this.signal)
    this.#exchanges.add(exchange)
    return exchange
  }

  /** ask sends a message on a stream of its own. @param {string} name @param {Uint8Array} message */
  async ask(name, message) {
    const exchange = await this.exchange(name)
    const answer = await exchange.ask(message)
    this.#close(exchange)
    return answer
  }

  /** @param {Exchange} exchange */
  #close(exchange) {
    this.#exchanges.delete(exchange)
    exchange.finish()
  }

  /**
   * record seals a peer's record.
   *
   * @param {string} name
   * @param {{ seq?: number, domain?: string }} [how]
   */
  async record(name, { seq = 1, domain = this.target.domain } = {}) {
    const { privateKey } = await this.target.peers.of(name)
    return sealPeerRecord({ privateKey, addresses: [registrantAddress(0)], seq, domain })
  }

  /** registerMessage is a REGISTER. @param {string} name @param {RegisterParts} [parts] @param {Fields} [more] */
  async registerMessage(name, { ns = this.ns, ttl = TWO_HOURS, record } = {}, more = []) {
    const sealed = record === undefined ? await this.record(name) : (record ?? undefined)
    const names = this.#registered.get(ns ?? '') ?? new Set()
    this.#registered.set(ns ?? '', names.add(name))
    const body = [[1, ns ?? undefined], [2, sealed], [3, ttl ?? undefined], ...more]
    return encodeFields([[1, MessageType.REGISTER], [2, /** @type {Fields} */ (body)], ...more])
  }

  /** register sends a REGISTER. @param {string} name @param {RegisterParts} [parts] @returns {Promise<Answer & { ttl?: number }>} */
  async register(name, parts) {
    return withTtl(await this.ask(name, await this.registerMessage(name, parts)))
  }

  /** registered is what register gives, where a check needs it to succeed. @param {string} name @param {RegisterParts} [parts] */
  async registered(name, parts) {
    const answer = await this.register(name, parts)
    if (!answer.ok) throw new Untestable(`a registration was answered by ${answer.says}`)
    return answer
  }

  /** registeredAll registers peers one after the other. @param {string} names - joined by spaces @param {RegisterParts} [parts] */
  async registeredAll(names, parts) {
    for (const name of names.split(' ')) await this.registered(name, parts)
  }

  /** unregister sends UNREGISTER on a stream of its own, and waits for what the target does with that. @param {string} name @param {{ ns?: string, id?: Uint8Array }} [parts] */
  async unregister(name, { ns = this.ns, id } = {}) {
    const exchange = await this.exchange(name)
    exchange.send(encodeFrame(unregisterMessage(ns, id)))
    await exchange.finish()
    const answer = await exchange.answer(SERVED_MS)
    exchange.drop()
    this.#exchanges.delete(exchange)
    return answer
  }

  /** discover sends a DISCOVER. @param {Query} [query] @param {string} [name] @returns {Promise<Discovery>} */
  async discover({ ns = this.ns, limit, cookie } = {}, name = ASKER) {
    return this.read(await this.ask(name, discoverMessage({ ns, limit, cookie })))
  }

  /** read takes the answer to a DISCOVER apart. @param {Answer} answer @returns {Promise<Discovery>} */
  async read(answer) {
    const { registrations = [], cookie } = answer.message?.discoverResponse ?? {}
    const found = await Promise.all(registrations.map(one => this.#foundOf(one)))
    return { ...answer, found, names: found.map(({ name }) => name), cookie }
  }

  /** discovered is what discover gives, where a check needs it to succeed. @param {Query} [query] @param {string} [name] */
  async discovered(query, name) {
    const answer = await this.discover(query, name)
    if (!answer.ok) throw new Untestable(`DISCOVER was answered by ${answer.says}`)
    return answer
  }

  /** cookie is that of a page, where a check needs one. @param {Query} [query] */
  async cookie(query) {
    const { cookie } = await this.discovered(query)
    if (cookie === undefined || cookie.length === 0) throw new Untestable('DISCOVER gave no cookie')
    return cookie
  }

  /**
   * pages asks for page after page until one is empty or has no cookie, or enough were read.
   *
   * @param {Query} [query]
   * @param {(page: Discovery) => Promise<void>} [between] - pages
   * @returns {Promise<Found[][]>}
   */
  async pages(query = {}, between = async () => {}) {
    const pages = []
    let { cookie } = query
    for (;;) {
      const page = await this.discovered({ ...query, cookie })
      pages.push(page.found)
      cookie = page.cookie
      const more = page.found.length > 0 && cookie !== undefined && cookie.length > 0
      if (!more || pages.length === MOST_PAGES) return pages
      await between(page)
    }
  }

  /** everywhere is what is found of this check without a namespace, page after page. @returns {Promise<Found[]>} */
  async everywhere() {
    const pages = await this.pages({ ns: '', limit: ALL_PAGE })
    if (pages.length === MOST_PAGES)
      throw new Untestable(`${MOST_PAGES} pages hold not all that is registered`)
    return pages
      .flat()
      .filter(({ ns, name }) => (ns === '' ? name !== 'somebody else' : ns.startsWith(this.ns)))
  }

  /** gone waits until a peer is not found any more. @param {string} name @param {string} [ns] @param {number} [withinMs] */
  async gone(name, ns = this.ns, withinMs = GONE_MS) {
    const untilMs = performance.now() + withinMs
    for (;;) {
      const { names } = await this.discovered({ ns })
      if (!names.includes(name)) return true
      if (performance.now() > untilMs) return false
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.signal })
    }
  }

  /** answers sends many requests of a peer, on one stream where the target serves several. @param {string} name @param {Uint8Array[]} messages @returns {Promise<Answer[]>} */
  async answers(name, messages) {
    if (!this.target.several) {
      const limit = pLimit(AT_ONCE)
      return Promise.all(messages.map(message => limit(() => this.ask(name, message))))
    }
    const exchange = await this.exchange(name)
    const answers = []
    for (let at = 0; at < messages.length; at += BATCH) {
      const batch = messages.slice(at, at + BATCH)
      exchange.send(Buffer.concat(batch.map(encodeFrame)))
      for (const _ of batch) answers.push(await exchange.answer())
    }
    this.#close(exchange)
    return answers
  }

  /** stillServes says whether a new stream and a new peer are served. @param {string} name */
  async stillServes(name) {
    for (const each of [name, ASKER]) if ((await this.discover({}, each)).how !== 'reply') return false
    return true
  }

  /** restart starts the target again and waits until it answers. */
  async restart() {
    const { restart, peers } = this.target
    await restart?.(this.signal)
    await peers.disconnect()
    for (;;) {
      this.signal.throwIfAborted()
      const answer = await this.discover().catch(() => null)
      if (answer?.how === 'reply') return
      await peers.disconnect()
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.signal })
    }
  }

  /**
   * leave takes back what was registered, and looks for it.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<number>} registrations that are still there
   */
  async leave(signal) {
    for (const exchange of this.#exchanges) exchange.drop()
    this.#exchanges.clear()
    this.signal = signal
    for (const name of new Set([...this.#registered.values()].flatMap(names => [...names])))
      await this.#takeBack(name)
    return this.#left()
  }

  /** @param {string} name */
  async #takeBack(name) {
    const namespaces = [...this.#registered].flatMap(([ns, names]) => (names.has(name) ? [ns] : []))
    if (!this.target.several || namespaces.length === 1) {
      const limit = pLimit(AT_ONCE)
      await Promise.all(namespaces.map(ns => limit(() => this.unregister(name, { ns }))))
      return
    }
    const exchange = await this.exchange(name)
    for (let at = 0; at < namespaces.length; at += BATCH) {
      const batch = namespaces.slice(at, at + BATCH).map(ns => unregisterMessage(ns))
      const last = discoverMessage({ ns: this.ns, limit: 1 })
      exchange.send(Buffer.concat([...batch, last].map(encodeFrame)))
      await exchange.answer()
    }
    this.#close(exchange)
  }

  async #left() {
    const namespaces = [...this.#registered.keys()].filter(ns => ns !== '')
    const messages = namespaces.map(ns => discoverMessage({ ns }))
    const answers = messages.length === 0 ? [] : await this.answers(ASKER, messages)
    const pages = await Promise.all(answers.map(answer => this.read(answer)))
    return pages.reduce((sum, { found }) => sum + found.length, 0)
  }

  /** @param {import('../protocol/messages.js').Register} registration @returns {Promise<Found>} */
  async #foundOf({ ns = '', ttl, signedPeerRecord: record = new Uint8Array(0) }) {
    return { ns, ttl, record, name: await this.#nameIn(record) }
  }

  /** @param {Uint8Array} record */
  async #nameIn(record) {
    try {
      return await this.target.peers.nameOf(readSignedRecordUnverified(record).peerId)
    } catch {
      return 'an unreadable record'
    }
  }
}

/** @param {Answer} answer */
const withTtl = answer => {
  const ttl = answer.message?.registerResponse?.ttl
  return { ...answer, ttl, says: ttl === undefined ? answer.says : `${answer.says}, ttl ${ttl} s` }
}

/** @param {Query} query @param {Fields} [more] */
export const discoverMessage = ({ ns, limit, cookie }, more = []) =>
  encodeFields([
    [1, MessageType.DISCOVER],
    [5, [[1, ns === '' ? undefined : ns], [2, limit], [3, cookie], ...more]],
    ...more
  ])

/** @param {string} ns @param {Uint8Array} [id] - the deprecated field */
const unregisterMessage = (ns, id) =>
  encodeFields([
    [1, MessageType.UNREGISTER],
    [
      4,
      [
        [1, ns],
        [2, id]
      ]
    ]
  ])

/** namesIn names the peers of registrations. @param {readonly Found[]} found */
export const namesIn = found => listed(found.map(({ name }) => name))
