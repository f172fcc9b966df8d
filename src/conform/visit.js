import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { registrantAddress } from '../client/registrant-records.js'
import { encodeFrame } from '../protocol/framing.js'
import { sealPeerRecord } from '../protocol/signed-record.js'
import { MessageType } from '../protocol/status.js'
import { encodeFields } from './encode-fields.js'
import { ASKER, AT_ONCE, BATCH, Questions } from './questions.js'
import { discoverMessage, unregisterMessage } from './request-messages.js'
import { listed, Untestable } from './verdict.js'

/**
 * @typedef {import('./questions.js').Answer} Answer
 * @typedef {import('./encode-fields.js').Fields} Fields
 * @typedef {import('./questions.js').Found} Found
 *
 * @typedef {object} RegisterParts - all have defaults; null leaves one out
 * @property {string | null} [ns]
 * @property {number | bigint | null} [ttl] - seconds
 * @property {Uint8Array | null} [record]
 */

/** TWO_HOURS is taken by every target that keeps to the recommended bounds. */
export const TWO_HOURS = 7200
const SERVED_MS = 1000
const GONE_MS = 5000
const LOOK_EVERY_MS = 100

/** Visit is what one check has to do with the target. What was registered on it, leave() takes back. */
export class Visit extends Questions {
  /** @type {Map<string, Set<string>>} names of peers, by namespace */
  #registered = new Map()

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
    this.exchanges.delete(exchange)
    return answer
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
    for (const exchange of this.exchanges) exchange.drop()
    this.exchanges.clear()
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
    this.close(exchange)
  }

  async #left() {
    const namespaces = [...this.#registered.keys()].filter(ns => ns !== '')
    const messages = namespaces.map(ns => discoverMessage({ ns }))
    const answers = messages.length === 0 ? [] : await this.answers(ASKER, messages)
    const pages = await Promise.all(answers.map(answer => this.read(answer)))
    return pages.reduce((sum, { found }) => sum + found.length, 0)
  }
}

/** @param {Answer} answer */
const withTtl = answer => {
  const ttl = answer.message?.registerResponse?.ttl
  return { ...answer, ttl, says: ttl === undefined ? answer.says : `${answer.says}, ttl ${ttl} s` }
}

/** namesIn names the peers of registrations. @param {readonly Found[]} found */
export const namesIn = found => listed(found.map(({ name }) => name))
