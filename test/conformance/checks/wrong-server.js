import '../../../src/kit/runtime.js'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { findStack } from '../../../src/libp2p/stacks.js'
import {
  decodeMessage,
  encodeDiscoverResponse,
  encodeFrame,
  encodeRegisterBody,
  encodeRegisterResponse,
  FrameDecoder,
  MessageType,
  PROTOCOL,
  Status
} from '../../../src/protocol/rendezvous.js'
import { openSignedRecord, readSignedRecordUnverified } from '../../../src/protocol/signed-record.js'
import { Cookies, InvalidCookieError } from '../../../src/server/rendezvous/requests.js'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('../../../src/protocol/rendezvous.js').Message} Message
 *
 * @typedef {object} Registration
 * @property {string} peer - id
 * @property {string} ns
 * @property {number} ttl
 * @property {number} untilMs
 * @property {Uint8Array} record
 * @property {number} n - grows with each registration
 */

const HOUR = 3600
const CAP = 1000
const NEVER_MS = 1e12

/**
 * WrongServer keeps to the specification as far as it can be short, but for what it `does` otherwise: one thing, or one and another.
 */
export class WrongServer {
  deaf = false
  /** @type {Registration[]} */
  registrations = []
  n = 0
  #cookies = new Cookies()
  /** @type {Set<string>} */
  #used = new Set()
  /** @type {Set<Stream>} */
  #streams = new Set()
  #otherwise

  /** @param {string} does */
  constructor(does) {
    this.#otherwise = does.split(' and ')
  }

  async start() {
    this.node = await findStack('libp2p-3').createNode({
      lean: true,
      privateKey: await generateKeyPair('Ed25519'),
      addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
      connectionManager: { allow: ['/ip4/127.0.0.0/ipcidr/8'] },
      connectionMonitor: { enabled: false }
    })
    await this.node.start()
    await this.speak()
    this.address = String(this.node.getMultiaddrs()[0])
    return this
  }

  async speak() {
    await this.node?.handle(PROTOCOL, (stream, connection) => this.#serve(stream, connection), {
      maxInboundStreams: 1000
    })
  }

  async restart() {
    if (this.#is('forgets all at a restart')) this.registrations = []
    if (this.#is('counts anew after a restart')) Object.assign(this, { registrations: [], n: 0 })
    for (const connection of this.node?.getConnections() ?? []) connection.abort(new Error('restart'))
  }

  /** @param {string} what */
  #is(what) {
    return this.#otherwise.includes(what)
  }

  /** @param {Stream} stream @param {import('@libp2p/interface').Connection} connection */
  #serve(stream, connection) {
    const peer = connection.remotePeer.toMultihash().bytes
    const decoder = new FrameDecoder(16_384)
    let served = Promise.resolve()
    if (this.#is('serves one stream at a time') && this.#streams.size > 3)
      return stream.abort(new Error('busy'))
    this.#streams.add(stream)
    stream.addEventListener('close', () => this.#streams.delete(stream))
    if (this.#is('ties registrations to the connection'))
      connection.addEventListener('close', () => this.#forget(Buffer.from(peer).toString('hex')))
    stream.addEventListener('message', ({ data }) => {
      if (this.#is('takes each piece for a message') && data.byteLength < 3)
        return stream.abort(new Error('cut'))
      served = served
        .then(() => this.#take(stream, [...frames(decoder, data.subarray())], peer))
        .catch(error => this.#bad(stream, error))
    })
    stream.addEventListener('remoteCloseWrite', () => {
      if (this.#is('drops what is half closed')) return stream.abort(new Error('half closed'))
      served
        .then(() => (decoder.midFrame ? this.#bad(stream, new Error('cut')) : stream.close()))
        .catch(() => {})
    })
  }

  /** @param {Stream} stream @param {Error} error */
  #bad(stream, error) {
    if (this.#is('dies of what is broken')) this.deaf = true
    if (!this.#is('keeps broken streams')) stream.abort(error)
  }

  /** @param {Stream} stream @param {Uint8Array[]} frames @param {Uint8Array} peer */
  async #take(stream, frames, peer) {
    const replies = []
    for (const frame of frames) {
      if (this.deaf || this.#is('answers nothing')) return
      if (this.#is('knows all fields') && Buffer.from(frame).includes('unknown'))
        throw new Error('unknown field')
      if (this.#is('counts to 2^53') && Buffer.from(frame).includes(Buffer.alloc(9, 0xff)))
        throw new Error('number')
      const reply = await this.#reply(decodeMessage(frame), peer, frame)
      if (reply !== undefined)
        replies.push(this.#is('answers junk') ? Buffer.alloc(20, 0xff) : encodeFrame(reply))
      if (this.#is('serves one request on a stream')) break
    }
    if (this.#is('announces 1 GiB')) replies.splice(0, 9, Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x04))
    if (this.#is('answers backwards')) replies.reverse()
    if (this.#is('answers twice')) replies.push(...replies)
    if (this.#is('answers without end'))
      while (replies.length > 0 && replies.length < 100_000) replies.push(replies[0])
    if (replies.length > 0 && stream.status === 'open') stream.send(Buffer.concat(replies))
    if (this.#is('serves one request on a stream')) await stream.close()
  }

  /** @param {Message} message @param {Uint8Array} peer @param {Uint8Array} frame */
  async #reply(message, peer, frame) {
    const id = Buffer.from(peer).toString('hex')
    if (message.type === MessageType.REGISTER) return this.#registerReply(message.register ?? {}, peer)
    if (message.type === MessageType.DISCOVER) return this.#discover(message.discover ?? {}, id)
    if (message.type === MessageType.UNREGISTER)
      return this.#unregister(message.unregister?.ns ?? '', id, Buffer.from(frame))
    throw new Error('no request')
  }

  /** @param {import('../../../src/protocol/rendezvous.js').Register} request @param {Uint8Array} peer */
  async #registerReply(request, peer) {
    const [status, ttl] = await this.#register(request, peer)
    const told = this.#is('tells no time to live') ? undefined : ttl
    return encodeRegisterResponse({
      status: this.#is('has statuses of its own') && status > 0 ? 999 : status,
      ttl: told
    })
  }

  /** @param {import('../../../src/protocol/rendezvous.js').Register} request @param {Uint8Array} peer @returns {Promise<[status: number, ttl?: number]>} */
  async #register({ ns = '', ttl: asked, signedPeerRecord: record }, peer) {
    const peerId = Buffer.from(peer).toString('hex')
    if (this.#is('takes nobody')) return [Status.E_UNAVAILABLE]
    if (ns === '' && record === undefined && this.#is('dies of what is broken')) this.deaf = true
    if (!this.#namespaceFits(ns) || ns === '')
      if (!this.#is('takes any namespace')) return [Status.E_INVALID_NAMESPACE]
    let ttl = asked ?? (this.#is('has a default of an hour') ? HOUR : 2 * HOUR)
    const fits =
      (ttl >= 2 * HOUR || ttl === 3) &&
      ttl <= 72 * HOUR &&
      !(this.#is('takes two days at most') && ttl > 48 * HOUR)
    if (!fits && !this.#is('takes any time to live')) return [Status.E_INVALID_TTL]
    if (record === undefined) return [this.#is('takes anybody') ? 0 : Status.E_INVALID_SIGNED_PEER_RECORD]
    const refused = this.#is('takes anybody') ? 0 : await this.#recordStatus(record, peer)
    if (refused !== 0) return [refused]
    const before = this.registrations.find(one => one.peer === peerId && one.ns === this.#key(ns))
    const many = this.registrations.filter(one => one.peer === peerId).length
    const cap = this.#is('takes 32 of a peer') ? 32 : this.#is('has no cap') ? Infinity : CAP
    if (many >= cap && (before === undefined || this.#is('counts renewals'))) return [Status.E_NOT_AUTHORIZED]
    if (before !== undefined && this.#is('keeps the longer time')) ttl = Math.max(ttl, before.ttl)
    if (before !== undefined && seqOf(record) < seqOf(before.record) && !this.#is('takes older records'))
      return [0, ttl]
    if (!this.#is('adds renewals')) this.registrations = this.registrations.filter(one => one !== before)
    const untilMs = this.#is('keeps for ever') ? NEVER_MS : performance.now() + ttl * 1000
    const n = before !== undefined && this.#is('takes renewals for old') ? before.n : ++this.n
    this.registrations.push({ peer: peerId, ns: this.#key(ns), ttl, untilMs, record, n })
    this.registrations.sort((a, b) => a.n - b.n)
    return [Status.OK, ttl]
  }

  /** @param {string} ns */
  #namespaceFits(ns) {
    const most = this.#is('takes short namespaces') ? 100 : 255
    return this.#is('takes any namespace') || Buffer.byteLength(ns) <= most
  }

  /** @param {string} ns */
  #key(ns) {
    return this.#is('knows no accents') ? ns.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : ns
  }

  /** @param {Uint8Array} record @param {Uint8Array} peer */
  async #recordStatus(record, peer) {
    try {
      const { peerId, domain, publicKey } = await openSignedRecord(record)
      if (this.#is(`takes no ${domain}`)) throw new Error('domain')
      if (this.#is('knows Ed25519 alone') && publicKey[1] !== 1) throw new Error('key')
      return Buffer.compare(peerId, peer) === 0 ? 0 : Status.E_NOT_AUTHORIZED
    } catch {
      return Status.E_INVALID_SIGNED_PEER_RECORD
    }
  }

  /** @param {string} peer */
  #forget(peer) {
    this.registrations = this.registrations.filter(one => one.peer !== peer)
  }

  /** @param {string} ns @param {string} id @param {Buffer} frame */
  #unregister(ns, id, frame) {
    const looks = this.#is('refuses the field id') || this.#is('obeys the field id')
    const isIn = (/** @type {Registration} */ { peer }) => frame.includes(Buffer.from(peer, 'hex'))
    const idField = looks ? this.registrations.find(isIn)?.peer : undefined
    if (idField !== undefined && this.#is('refuses the field id')) throw new Error('id')
    const named = (this.#is('obeys the field id') ? idField : undefined) ?? id
    if (this.#is('keeps who unregisters')) return
    const everybody = this.#is('unregisters everybody')
    this.registrations = this.registrations.filter(
      one => one.ns !== this.#key(ns) || (!everybody && one.peer !== named)
    )
    if (this.#is('answers UNREGISTER')) return encodeRegisterResponse({ status: 0 })
  }

  /** @param {import('../../../src/protocol/rendezvous.js').Discover} request @param {string} asker */
  #discover({ ns = '', limit = 0, cookie }, asker) {
    const refuse = (/** @type {number} */ status) => encodeDiscoverResponse({ status })
    if (!this.#namespaceFits(ns)) return refuse(Status.E_INVALID_NAMESPACE)
    if (ns === '' && this.#is('needs a namespace')) return refuse(Status.E_INVALID_NAMESPACE)
    const bound = this.#is('binds cookies to nothing') ? undefined : ns || undefined
    let after = 0
    try {
      if (cookie?.length && !this.#is('ignores cookies')) after = Number(this.#read(bound, cookie, asker))
    } catch (error) {
      if (error instanceof InvalidCookieError) return refuse(Status.E_INVALID_COOKIE)
      throw error
    }
    const all = this.registrations.filter(
      one => one.untilMs > performance.now() && this.#isIn(one.ns, this.#key(ns))
    )
    if (all.length === 0 && ns !== '' && this.#is('has no empty namespaces'))
      return refuse(Status.E_INVALID_NAMESPACE)
    if (this.#is('gives too much'))
      return encodeDiscoverResponse({ status: 0, bodies: Array(50_000).fill(new Uint8Array(0)) })
    const [page, cursor] = this.#page(all, after, limit)
    const made = this.#cookies.make(bound, cursor)
    const mine = this.#is('binds cookies to a peer') ? Buffer.concat([made, Buffer.from(asker)]) : made
    return encodeDiscoverResponse({
      status: 0,
      cookie: this.#is('gives no cookies') ? undefined : mine,
      bodies: page.map(one => this.#body(one))
    })
  }

  /** @param {Registration[]} all @param {number} after @param {number} limit @returns {[Registration[], number]} */
  #page(all, after, limit) {
    const most =
      this.#is('ignores limits') || (this.#is('has pages without end') && limit === 0)
        ? Infinity
        : limit || 1000
    if (this.#is('takes a limit of 0 for none') && limit === 0) return [[], after]
    if (this.#is('counts cookies by place'))
      return [all.slice(after, after + most), Math.min(all.length, after + most)]
    const news = all.filter(({ n }) => n > after)
    if (this.#is('gives the newest first')) news.reverse()
    const page = news.slice(0, most)
    return [page, page.at(-1)?.n ?? after]
  }

  /** @param {string | undefined} ns @param {Uint8Array} cookie @param {string} asker */
  #read(ns, cookie, asker) {
    const text = Buffer.from(cookie).toString('hex')
    if (this.#is('takes cookies once') && this.#used.has(text)) throw new InvalidCookieError('used')
    this.#used.add(text)
    if (!this.#is('binds cookies to a peer')) return this.#cookies.read(ns, cookie)
    if (!Buffer.from(cookie).subarray(30).equals(Buffer.from(asker)))
      throw new InvalidCookieError('of others')
    return this.#cookies.read(ns, cookie.subarray(0, 30))
  }

  /** @param {string} its @param {string} asked */
  #isIn(its, asked) {
    return asked === '' || its === asked || (this.#is('finds what begins alike') && its.startsWith(asked))
  }

  /** @param {Registration} registration */
  #body({ ns, ttl, record }) {
    const changed = record.slice()
    if (this.#is('spoils records')) changed[changed.length - 1] ^= 1
    const longer = this.#is('rewrites records')
      ? Buffer.concat([record, Uint8Array.of(0xf8, 0x01, 1)])
      : changed
    return encodeRegisterBody({
      ns: this.#is('leaves namespaces out') ? undefined : ns,
      signedPeerRecord: longer,
      ttl: this.#is('tells more than it granted') ? 9 * ttl : ttl
    })
  }

  async stop() {
    await this.node?.stop()
  }
}

/** @param {FrameDecoder} decoder @param {Uint8Array} data */
function* frames(decoder, data) {
  for (const frame of decoder.push(data)) yield frame.slice()
}

/** @param {Uint8Array} record */
const seqOf = record => {
  try {
    return readSignedRecordUnverified(record).seq
  } catch {
    return 0n
  }
}
