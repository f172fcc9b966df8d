import pLimit from 'p-limit'
import { encodeFrame } from '../protocol/framing.js'
import { readSignedRecordUnverified } from '../protocol/signed-record.js'
import { Exchange } from './exchange.js'
import { discoverMessage } from './request-messages.js'
import { Untestable } from './verdict.js'

/**
 * @typedef {import('./exchange.js').Answer} Answer
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
 * @typedef {import('./request-messages.js').Query} Query
 */

/** ASKER registers nowhere. */
export const ASKER = 'D'

/** BATCH: so many messages go out at a time on one stream. */
export const BATCH = 50
/** AT_ONCE: so many streams are open at a time. */
export const AT_ONCE = 16
const MOST_PAGES = 40
const ALL_PAGE = 1000

/** Questions are what a check asks the target, in namespaces of its own. */
export class Questions {
  /** @type {Set<Exchange>} that are open */
  exchanges = new Set()

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
    this.exchanges.add(exchange)
    return exchange
  }

  /** ask sends a message on a stream of its own. @param {string} name @param {Uint8Array} message */
  async ask(name, message) {
    const exchange = await this.exchange(name)
    const answer = await exchange.ask(message)
    this.close(exchange)
    return answer
  }

  /** close ends a stream of which nothing more is asked. @param {Exchange} exchange */
  close(exchange) {
    this.exchanges.delete(exchange)
    exchange.finish()
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
    this.close(exchange)
    return answers
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
