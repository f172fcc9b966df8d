// The requests that one conformance check sends to a rendezvous server as several peers, in its own namespaces, also
// malformed bytes.
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { writer } from 'protons-runtime'
import { makeAbortError, makeOpenError } from '../../client/errors.js'
import { makeRegistrantAddress } from '../../client/identities.js'
import { MAX_OUTBOUND_STREAMS } from '../../client/session.js'
import {
  decodeMessage,
  encodeFrame,
  FrameDecoder,
  MessageType,
  nameStatus,
  PROTOCOL
} from '../../protocol/rendezvous.js'
import { readSignedRecordUnverified, sealPeerRecord } from '../../protocol/signed-record.js'
import { formatPeers, UntestableError } from './verdict.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('../../protocol/rendezvous.js').Message} Message
 *
 * @typedef {'reply' | 'reset' | 'closed' | 'silent' | 'malformed' | 'too much'} AnswerKind
 *
 * @typedef {object} CheckAnswer
 * @property {AnswerKind} how
 * @property {boolean} ok - a reply of status OK
 * @property {string} says - in words
 * @property {number} [status]
 * @property {Message} [message]
 */

/** A reply is not waited for longer. */
const REPLY_MS = 3000
/** Replies are below 1 MiB, as far as other implementations read them. */
const MAX_REPLY_BYTES = 2 << 20
const MAX_REGISTRATIONS = 20_000
/** Of all that one stream brings. */
const MAX_BYTES = 16 << 20
/** That nobody has asked for yet. */
const MAX_ANSWERS = 200

/** @type {Record<string, string>} */
const WORDS = {
  reset: 'a reset of the stream',
  closed: 'a closed stream',
  silent: `nothing for ${REPLY_MS / 1000} s`,
  malformed: 'bytes that are no message',
  'too much': 'more bytes than are read'
}

/** @param {AnswerKind} how @returns {CheckAnswer} */
const withoutReply = how => ({ how, ok: false, says: WORDS[how] })

/** @param {Message} message @returns {CheckAnswer} */
function answerOf(message) {
  const body = message.registerResponse ?? message.discoverResponse
  if (body === undefined) return withoutReply('malformed')
  if ('registrations' in body && body.registrations.length > MAX_REGISTRATIONS)
    return withoutReply('too much')
  return { how: 'reply', ok: body.status === 0, status: body.status, says: nameStatus(body.status), message }
}

/**
 * Exchange is one stream to the target, on which anything can be sent. Nothing that a client would do about an answer is done here.
 * What is read is bounded, and how long it is waited for.
 */
class Exchange {
  #stream
  #signal
  #decoder = new FrameDecoder(MAX_REPLY_BYTES)
  #bytes = 0
  /** @type {CheckAnswer[]} */
  #answers = []
  /** how it ended @type {AnswerKind | null} */
  #over = null
  #wake = () => {}

  /** @param {import('@libp2p/interface').Stream} stream @param {AbortSignal} signal */
  constructor(stream, signal) {
    this.#stream = stream
    this.#signal = signal
    stream.addEventListener('message', ({ data }) => this.#receive(data.subarray()))
    // a frame of the muxer may carry data and the end together, and libp2p tells of the end first
    stream.addEventListener('remoteCloseWrite', () => queueMicrotask(() => this.#end('closed')))
    stream.addEventListener('close', () => this.#end(stream.status === 'reset' ? 'reset' : 'closed'))
    if (stream.status !== 'open') this.#end(stream.status === 'reset' ? 'reset' : 'closed')
    const onAbort = () => this.#wake()
    signal.addEventListener('abort', onAbort)
    stream.addEventListener('close', () => signal.removeEventListener('abort', onAbort))
  }

  /**
   * open opens a stream.
   *
   * @param {Connection} connection
   * @param {AbortSignal} signal - for all that is done on it
   * @throws {import('../../client/errors.js').ClientError}
   */
  static async open(connection, signal) {
    try {
      const how = { signal, maxOutboundStreams: MAX_OUTBOUND_STREAMS }
      return new Exchange(await connection.newStream(PROTOCOL, how), signal)
    } catch (error) {
      throw makeOpenError(error, connection, signal)
    }
  }

  /** send sends bytes as they are; nothing where the stream is over. @param {Uint8Array} bytes */
  send(bytes) {
    if (this.#stream.status === 'open' && this.#stream.writeStatus === 'writable') this.#stream.send(bytes)
    return this
  }

  /** ask sends a message and gives its answer. @param {Uint8Array} message */
  ask(message) {
    return this.send(encodeFrame(message)).answer()
  }

  /**
   * answer is the next reply, or how the stream ended instead.
   *
   * @param {number} [waitMs]
   * @returns {Promise<CheckAnswer>}
   * @throws {import('../../client/errors.js').ClientError} when the signal aborts
   */
  async answer(waitMs = REPLY_MS) {
    const untilMs = performance.now() + waitMs
    for (;;) {
      if (this.#signal.aborted) throw makeAbortError(this.#signal, 'a check')
      const answer = this.#answers.shift()
      if (answer !== undefined) return answer
      if (this.#over !== null) return withoutReply(this.#over)
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) return withoutReply('silent')
      await this.#news(leftMs)
    }
  }

  /** finish ends our half of the stream. */
  async finish() {
    if (this.#stream.status === 'open') await this.#stream.close({ signal: this.#signal }).catch(() => {})
    return this
  }

  /** drop lets go of the stream, whatever it does. */
  drop() {
    this.#stream.abort(new Error('the check is over'))
  }

  /** @param {number} withinMs @returns {Promise<void>} */
  #news(withinMs) {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, withinMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** @param {Uint8Array} data */
  #receive(data) {
    if (this.#over !== null) return
    this.#bytes += data.length
    if (this.#bytes > MAX_BYTES || this.#answers.length > MAX_ANSWERS) return this.#end('too much', true)
    try {
      for (const frame of this.#decoder.push(data)) this.#answers.push(answerOf(decodeMessage(frame.slice())))
    } catch (error) {
      this.#end(/** @type {any} */ (error).code === 'ERR_FRAME_TOO_LARGE' ? 'too much' : 'malformed', true)
    }
    this.#wake()
  }

  /** @param {AnswerKind} how @param {boolean} [abort] */
  #end(how, abort = false) {
    this.#over ??= how
    if (abort) this.drop()
    this.#wake()
  }
}

/**
 * @typedef {object} CheckTarget - what is known of it
 * @property {import('../examination.js').CheckPeers} peers
 * @property {string} domain - of records that it takes
 * @property {boolean} several - it serves several requests on a stream
 * @property {((signal: AbortSignal) => Promise<void>) | null} restart
 * @property {Map<string, import('./verdict.js').ConformanceVerdict>} asides - verdicts of checks that another one has found on its way, by id
 *
 * @typedef {object} DiscoveredRegistration - a registration in a reply
 * @property {string} name - of the peer
 * @property {string} ns
 * @property {number} [ttl] - seconds
 * @property {Uint8Array} record
 *
 * @typedef {CheckAnswer & { registrations: DiscoveredRegistration[], names: string[], cookie: Uint8Array | undefined }} Discovery
 */

/** QUERYING_PEER registers nowhere. */
export const QUERYING_PEER = 'D'

/** BATCH: so many messages go out at a time on one stream. */
const BATCH = 50
/** AT_ONCE: so many streams are open at a time. */
const AT_ONCE = 16
const MAX_PAGES = 40
const ALL_PAGE = 1000

/**
 * @typedef {object} RegisterParts - all have defaults; null leaves one out
 * @property {string | null} [ns]
 * @property {number | bigint | null} [ttl] - seconds
 * @property {Uint8Array | null} [record]
 */

/** TWO_HOURS_SECONDS is a time to live that every target within the recommended bounds accepts. */
export const TWO_HOURS_SECONDS = 7200
const SERVED_MS = 1000
const REMOVAL_MS = 5000
const LOOK_EVERY_MS = 100

/** CheckSession is all that one check does with the target, in namespaces of its own. leave() removes what was registered on it. */
export class CheckSession {
  /** @type {Set<Exchange>} that are open */
  exchanges = new Set()
  /** @type {Map<string, Set<string>>} names of peers, by namespace */
  #registered = new Map()

  /** @param {CheckTarget} target @param {string} ns @param {AbortSignal} signal */
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

  /** discover sends a DISCOVER. @param {CheckQuery} [query] @param {string} [name] @returns {Promise<Discovery>} */
  async discover({ ns = this.ns, limit, cookie } = {}, name = QUERYING_PEER) {
    return this.read(await this.ask(name, encodeDiscoverFields({ ns, limit, cookie })))
  }

  /** read takes the answer to a DISCOVER apart. @param {CheckAnswer} answer @returns {Promise<Discovery>} */
  async read(answer) {
    const { registrations = [], cookie } = answer.message?.discoverResponse ?? {}
    const described = await Promise.all(registrations.map(one => this.#readRegistration(one)))
    return { ...answer, registrations: described, names: described.map(({ name }) => name), cookie }
  }

  /** discovered is what discover gives, where a check needs it to succeed. @param {CheckQuery} [query] @param {string} [name] */
  async discovered(query, name) {
    const answer = await this.discover(query, name)
    if (!answer.ok) throw new UntestableError(`DISCOVER was answered by ${answer.says}`)
    return answer
  }

  /** cookie is that of a page, where a check needs one. @param {CheckQuery} [query] */
  async cookie(query) {
    const { cookie } = await this.discovered(query)
    if (cookie === undefined || cookie.length === 0) throw new UntestableError('DISCOVER gave no cookie')
    return cookie
  }

  /**
   * pages asks for page after page until one is empty or has no cookie, or enough were read.
   *
   * @param {CheckQuery} [query]
   * @param {(page: Discovery) => Promise<void>} [between] - pages
   * @returns {Promise<DiscoveredRegistration[][]>}
   */
  async pages(query = {}, between = async () => {}) {
    const pages = []
    let { cookie } = query
    for (;;) {
      const page = await this.discovered({ ...query, cookie })
      pages.push(page.registrations)
      cookie = page.cookie
      const more = page.registrations.length > 0 && cookie !== undefined && cookie.length > 0
      if (!more || pages.length === MAX_PAGES) return pages
      await between(page)
    }
  }

  /** everywhere discovers the registrations of this check without a namespace, page after page. @returns {Promise<DiscoveredRegistration[]>} */
  async everywhere() {
    const pages = await this.pages({ ns: '', limit: ALL_PAGE })
    if (pages.length === MAX_PAGES)
      throw new UntestableError(`${MAX_PAGES} pages hold not all that is registered`)
    return pages
      .flat()
      .filter(({ ns, name }) => (ns === '' ? name !== 'somebody else' : ns.startsWith(this.ns)))
  }

  /** answers sends many requests of a peer, on one stream where the target serves several. @param {string} name @param {Uint8Array[]} messages @returns {Promise<CheckAnswer[]>} */
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

  /** @param {import('../../protocol/rendezvous.js').Register} registration @returns {Promise<DiscoveredRegistration>} */
  async #readRegistration({ ns = '', ttl, signedPeerRecord: record = new Uint8Array(0) }) {
    try {
      const name = await this.target.peers.nameOf(readSignedRecordUnverified(record).peerId)
      return { ns, ttl, record, name }
    } catch {
      return { ns, ttl, record, name: 'an unreadable record' }
    }
  }

  /**
   * record seals a peer's record.
   *
   * @param {string} name
   * @param {{ seq?: number, domain?: string }} [how]
   */
  async record(name, { seq = 1, domain = this.target.domain } = {}) {
    const { privateKey } = await this.target.peers.of(name)
    return sealPeerRecord({ privateKey, addresses: [makeRegistrantAddress(0)], seq, domain })
  }

  /** registerMessage is a REGISTER. @param {string} name @param {RegisterParts} [parts] @param {MessageFields} [more] */
  async registerMessage(name, { ns = this.ns, ttl = TWO_HOURS_SECONDS, record } = {}, more = []) {
    const sealed = record === undefined ? await this.record(name) : (record ?? undefined)
    const names = this.#registered.get(ns ?? '') ?? new Set()
    this.#registered.set(ns ?? '', names.add(name))
    const body = [[1, ns ?? undefined], [2, sealed], [3, ttl ?? undefined], ...more]
    return encodeFields([[1, MessageType.REGISTER], [2, /** @type {MessageFields} */ (body)], ...more])
  }

  /** register sends a REGISTER. @param {string} name @param {RegisterParts} [parts] @returns {Promise<CheckAnswer & { ttl?: number }>} */
  async register(name, parts) {
    const answer = await this.ask(name, await this.registerMessage(name, parts))
    const ttl = answer.message?.registerResponse?.ttl
    return ttl === undefined ? answer : { ...answer, ttl, says: `${answer.says}, ttl ${ttl} s` }
  }

  /** registered is what register gives, where a check needs it to succeed. @param {string} name @param {RegisterParts} [parts] */
  async registered(name, parts) {
    const answer = await this.register(name, parts)
    if (!answer.ok) throw new UntestableError(`a registration was answered by ${answer.says}`)
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

  /** waitForRemoval waits until DISCOVER no longer returns a peer. @param {string} name @param {string} [ns] @param {number} [withinMs] */
  async waitForRemoval(name, ns = this.ns, withinMs = REMOVAL_MS) {
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
    for (const each of [name, QUERYING_PEER])
      if ((await this.discover({}, each)).how !== 'reply') return false
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
      const last = encodeDiscoverFields({ ns: this.ns, limit: 1 })
      exchange.send(Buffer.concat([...batch, last].map(encodeFrame)))
      await exchange.answer()
    }
    this.close(exchange)
  }

  async #left() {
    const namespaces = [...this.#registered.keys()].filter(ns => ns !== '')
    const messages = namespaces.map(ns => encodeDiscoverFields({ ns }))
    const answers = messages.length === 0 ? [] : await this.answers(QUERYING_PEER, messages)
    const pages = await Promise.all(answers.map(answer => this.read(answer)))
    return pages.reduce((sum, { registrations }) => sum + registrations.length, 0)
  }
}

/** describePeers names the peers of registrations. @param {readonly DiscoveredRegistration[]} registrations */
export const describePeers = registrations => formatPeers(registrations.map(({ name }) => name))

/**
 * @typedef {{ ns?: string, limit?: number | bigint, cookie?: Uint8Array }} CheckQuery
 */

/** encodeDiscoverFields is a DISCOVER. @param {CheckQuery} query @param {MessageFields} [more] */
export const encodeDiscoverFields = ({ ns, limit, cookie }, more = []) =>
  encodeFields([
    [1, MessageType.DISCOVER],
    [5, [[1, ns === '' ? undefined : ns], [2, limit], [3, cookie], ...more]],
    ...more
  ])

/** unregisterMessage is an UNREGISTER. @param {string} ns @param {Uint8Array} [id] - the deprecated field */
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

/**
 * @typedef {number | bigint | string | Uint8Array | MessageFields | undefined} FieldValue - a varint, text, bytes, or a message; undefined: left out
 * @typedef {readonly (readonly [field: number, value: FieldValue])[]} MessageFields
 */

/**
 * encodeFields encodes a protobuf message of any fields, known to the protocol or not.
 *
 * @param {MessageFields} fields
 * @returns {Uint8Array}
 */
export function encodeFields(fields) {
  const w = writer()
  for (const [field, value] of fields) {
    if (value === undefined) continue
    if (typeof value === 'number' || typeof value === 'bigint') w.uint32(field << 3).uint64(BigInt(value))
    else {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value
      w.uint32((field << 3) | 2).bytes(bytes instanceof Uint8Array ? bytes : encodeFields(bytes))
    }
  }
  return w.finish()
}
