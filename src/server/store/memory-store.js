// Store of registrations in the server's own memory, compact and outside the JavaScript heap. Implements the interface
// in registration.js.
import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Heap } from '../../kit/collections.js'
import { Column, HashIndex, hashBytes, IdPool, mixBits, OrderList, Slab } from './off-heap.js'
import { AddOutcome, computeBodyBytes, computeEntryBytes, encodeBody, writeEntry } from './registration.js'

/** ExpiryHeap finds the entry that expires next. */
export class ExpiryHeap {
  /** entry → its place in the heap */
  #places = new Column(Int32Array)
  /** @type {Heap<number>} */
  #heap = new Heap({ placed: (entry, place) => this.#places.set(entry, place) })

  get size() {
    return this.#heap.size
  }

  /** @param {number} entry - not in the heap @param {number} time */
  add(entry, time) {
    this.#heap.add(entry, time)
  }

  /** @param {number} entry - in the heap */
  remove(entry) {
    this.#heap.removeAt(this.#places.get(entry))
  }

  /** timeOf gives the time at which an entry expires. @param {number} entry - in the heap */
  timeOf(entry) {
    return this.#heap.keyAt(this.#places.get(entry))
  }

  /** due gives an entry that has expired at `now`, or -1. @param {number} now */
  due(now) {
    const entry = this.#heap.first()
    return entry !== undefined && this.#heap.firstKey <= now ? entry : -1
  }
}

/** Holders numbers the holders of registrations, peers or groups of addresses, and counts the registrations of each. */
class Holders {
  #slab = new Slab((holder, ref) => this.#refs.set(holder, ref))
  #seed
  #ids = new IdPool()
  #index = new HashIndex()
  /** holder → its id in the slab */
  #refs = new Column(Int32Array)
  #counts = new Column(Int32Array)
  #bytes = new Column(Float64Array)
  /** highest sequence numbers of signed records */
  #recordSeqs = new Column(BigUint64Array)

  /** @param {number} seed - random, so that no client can choose ids with the same hash */
  constructor(seed) {
    this.#seed = seed
  }

  /** size is the number of holders. */
  get size() {
    return this.#index.size
  }

  /** find gives the number of a holder, or -1. @param {Uint8Array} id @param {number} [hash] */
  find(id, hash = hashBytes(id, this.#seed)) {
    for (let holder = this.#index.first(hash); holder >= 0; holder = this.#index.next(holder)) {
      if (this.#slab.equals(this.#refs.get(holder), id)) return holder
    }
    return -1
  }

  /** count gives the number of a holder's registrations. @param {number} holder - a number, or -1 */
  count(holder) {
    return holder < 0 ? 0 : this.#counts.get(holder)
  }

  /** bytes gives the bytes of a holder's registrations. @param {number} holder - a number, or -1 */
  bytes(holder) {
    return holder < 0 ? 0 : this.#bytes.get(holder)
  }

  /** recordSeq gives the highest sequence number among the signed records of a holder's registrations, replaced ones too. @param {number} holder - a number, or -1 */
  recordSeq(holder) {
    return holder < 0 ? 0n : this.#recordSeqs.get(holder)
  }

  /**
   * hold counts one more registration of a holder and returns the holder's number.
   *
   * @param {Uint8Array} id
   * @param {number} bytes
   * @param {bigint} [recordSeq] - of its signed record
   */
  hold(id, bytes, recordSeq = 0n) {
    const hash = hashBytes(id, this.#seed)
    const known = this.find(id, hash)
    const holder = known < 0 ? this.#insert(id, hash) : known
    this.#counts.set(holder, this.#counts.get(holder) + 1)
    this.#bytes.set(holder, this.#bytes.get(holder) + bytes)
    if (recordSeq > this.#recordSeqs.get(holder)) this.#recordSeqs.set(holder, recordSeq)
    return holder
  }

  /** release counts one registration less; a holder without registrations is removed. @param {number} holder @param {number} bytes */
  release(holder, bytes) {
    const count = this.#counts.get(holder) - 1
    this.#counts.set(holder, count)
    this.#bytes.set(holder, this.#bytes.get(holder) - bytes)
    if (count > 0) return
    this.#index.remove(holder)
    this.#slab.free(this.#refs.get(holder))
    this.#ids.release(holder)
  }

  /** @param {Uint8Array} id @param {number} hash */
  #insert(id, hash) {
    const holder = this.#ids.take()
    const ref = this.#slab.allocate(id.length, holder)
    this.#slab.write(ref, 0, id)
    this.#refs.set(holder, ref)
    this.#counts.set(holder, 0)
    this.#bytes.set(holder, 0)
    if (this.#recordSeqs.get(holder) > 0n) this.#recordSeqs.set(holder, 0n)
    this.#index.add(holder, hash)
    return holder
  }
}

/**
 * @typedef {object} Namespace
 * @property {number} id
 * @property {string} name
 * @property {OrderList} order - its registrations
 */

/** Namespaces holds the namespaces that have registrations. */
class Namespaces {
  #seqs
  #ids = new IdPool()
  /** @type {Map<string, Namespace>} */
  #byName = new Map()
  /** @type {Array<Namespace | undefined>} */
  #byId = []

  /** @param {Column} seqs - sequence number of each registration */
  constructor(seqs) {
    this.#seqs = seqs
  }

  get size() {
    return this.#byName.size
  }

  /** find gives the namespace of a name, if it has registrations. @param {string} name */
  find(name) {
    return this.#byName.get(name)
  }

  /** append adds a registration to a namespace, which is made if it does not exist. */
  append(/** @type {string} */ name, /** @type {number} */ registration) {
    const namespace = this.#byName.get(name) ?? this.#add(name)
    namespace.order.append(registration)
    return namespace
  }

  /** remove takes a registration out of its namespace; a namespace without registrations is removed. */
  remove(/** @type {number} */ id, /** @type {number} */ registration) {
    const { name, order } = /** @type {Namespace} */ (this.#byId[id])
    order.remove(registration)
    if (order.size > 0) return
    this.#byName.delete(name)
    this.#byId[id] = undefined
    this.#ids.release(id)
  }

  /** @param {string} name */
  #add(name) {
    const namespace = { id: this.#ids.take(), name, order: new OrderList(this.#seqs) }
    this.#byName.set(name, namespace)
    this.#byId[namespace.id] = namespace
    return namespace
  }
}

/**
 * @typedef {import('./registration.js').NewRegistration} NewRegistration
 * @typedef {import('./registration.js').Page} Page
 * @typedef {import('./registration.js').PageQuery} PageQuery
 * @typedef {import('./registration.js').RegistrationStore} RegistrationStore
 *
 * @typedef {object} MemoryStoreInit
 * @property {number} [maxPeerRegistrations] - default no limit
 * @property {number} [maxRegistrations] - default no limit
 * @property {number} [maxStoreBytes] - default no limit
 * @property {() => number} [now] - ms on a clock that never steps back
 */

// expired registrations removed at once, about half a millisecond of work
const EXPIRE_AT_ONCE = 256
const SWEEP_INTERVAL_MS = 1000
// expired registrations that a page skips, about 0.1 ms; with more of them, the page waits until they are removed
const MAX_SKIPPED = 2048

// estimated memory: of a registration besides its bytes, of a namespace and of a peer besides their registrations
const REGISTRATION_BYTES = 200
const NAMESPACE_BYTES = 1024
const PEER_BYTES = 200

/**
 * MemoryStore keeps registrations in this process: their bytes in a slab, everything else about them in columns of
 * numbers, so that 200,000 of them take about 70 MB and give the garbage collector nothing to do.
 *
 * Every operation first removes expired registrations. If there are many, the rest is removed in later turns of the event loop: no
 * operation sees them, and only an operation waits that would be refused, or a page that would have to skip many of them.
 *
 * @implements {RegistrationStore}
 */
export class MemoryStore {
  #now
  #maxPeerRegistrations
  #maxRegistrations
  #maxStoreBytes
  #registrationBytes = 0
  #seed = randomBytes(4).readInt32LE()
  #slab = new Slab((registration, ref) => this.#bodies.set(registration, ref))
  #peers = new Holders(this.#seed)
  /** of addresses, which must leave some room to others */
  #groups = new Holders(this.#seed)
  #lastSeq = 0
  #ids = new IdPool()
  /** finds a registration by peer and namespace */
  #pairs = new HashIndex()
  #expiry = new ExpiryHeap()
  // by registration:
  #seqs = new Column(Float64Array)
  #bodies = new Column(Int32Array)
  #peerOf = new Column(Int32Array)
  /** -1: of none */
  #groupOf = new Column(Int32Array)
  #namespaceOf = new Column(Int32Array)
  #namespaces = new Namespaces(this.#seqs)
  #order = new OrderList(this.#seqs)
  /** @type {NodeJS.Timeout | undefined} */
  #sweeper
  /** while one is under way @type {Promise<void> | undefined} */
  #sweeping

  /** @param {MemoryStoreInit} [init] */
  constructor({ maxPeerRegistrations, maxRegistrations, maxStoreBytes, now } = {}) {
    this.#maxPeerRegistrations = maxPeerRegistrations ?? Infinity
    this.#maxRegistrations = maxRegistrations ?? Infinity
    this.#maxStoreBytes = maxStoreBytes ?? Infinity
    this.#now = now ?? (() => performance.now())
  }

  /** start begins to remove expired registrations in the absence of operations, too. */
  start() {
    this.#sweeper ??= setInterval(() => this.sweep(), SWEEP_INTERVAL_MS).unref()
  }

  stop() {
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }

  /** sweep removes all expired registrations, a part in each turn of the event loop; concurrent callers share one sweep. */
  sweep() {
    const removeExpired = async () => {
      while (this.#expireSome()) await nextTurn()
    }
    this.#sweeping ??= removeExpired().finally(() => {
      this.#sweeping = undefined
    })
    return this.#sweeping
  }

  #expire() {
    if (this.#sweeping === undefined && this.#expireSome()) this.sweep()
  }

  /** @param {NewRegistration} registration @returns {string | Promise<string>} */
  add(registration) {
    this.#expire()
    const outcome = this.#add(registration)
    const taken = outcome === AddOutcome.ADDED || outcome === AddOutcome.REPLACED
    return taken ? outcome : (this.#sweeping?.then(() => this.#add(registration)) ?? outcome)
  }

  /** @param {NewRegistration} registration */
  #add(registration) {
    const old = this.#find(registration.peerId, registration.ns)
    const refusal = this.#refusal(registration, old)
    if (refusal !== undefined) return refusal
    this.#insert(registration)
    if (old >= 0) this.#remove(old)
    return old < 0 ? AddOutcome.ADDED : AddOutcome.REPLACED
  }

  /** @param {NewRegistration} registration */
  refusal(registration) {
    this.#expire()
    if (this.#sweeping !== undefined) return
    return this.#refusal(registration, this.#find(registration.peerId, registration.ns))
  }

  /**
   * A peer may have as many bytes as are free, and a group of addresses as many bytes and registrations as are free, so that some are
   * always left for others.
   *
   * @param {NewRegistration} registration @param {number} old - registration that is replaced, or -1
   */
  #refusal({ peerId, ns, signedPeerRecord, recordSeq, group }, old) {
    const bytes = computeBodyBytes(Buffer.byteLength(ns), signedPeerRecord.length) + REGISTRATION_BYTES
    const more = bytes - (old < 0 ? 0 : this.#bytesAt(old))
    const peer = this.#peers.find(peerId)
    if (recordSeq !== undefined && recordSeq < this.#peers.recordSeq(peer)) return AddOutcome.STALE
    if (more > 0 && this.#lacksBytes(this.#peers.bytes(peer) + more, more)) return AddOutcome.STORE_FULL
    if (old < 0 && this.#peers.count(peer) >= this.#maxPeerRegistrations) return AddOutcome.PEER_FULL
    if (old < 0 && this.#ids.used >= this.#maxRegistrations) return AddOutcome.STORE_FULL
    if (group !== undefined && this.#isTooMuchOf(group, old, { bytes, more })) return AddOutcome.STORE_FULL
  }

  /** @param {string} name - of a group @param {number} old @param {{ bytes: number, more: number }} size - of the new registration */
  #isTooMuchOf(name, old, { bytes, more }) {
    const group = this.#groups.find(Buffer.from(name))
    // a replaced registration of another group does not count for this one
    const isOwn = old >= 0 && group >= 0 && this.#groupOf.get(old) === group
    const moreOfGroup = isOwn ? more : bytes
    if (moreOfGroup > 0 && this.#lacksBytes(this.#groups.bytes(group) + moreOfGroup, more)) return true
    return !isOwn && this.#groups.count(group) >= this.#maxRegistrations - this.#ids.used
  }

  /** @param {number} usedBytes - bytes of a holder with the new registration @param {number} more - additional bytes in all */
  #lacksBytes(usedBytes, more) {
    return usedBytes > this.#maxStoreBytes - this.bytes - more
  }

  /** bytes is the estimated memory of all registrations. */
  get bytes() {
    return this.#registrationBytes + this.#namespaces.size * NAMESPACE_BYTES + this.#peers.size * PEER_BYTES
  }

  /** @param {number} registration */
  #bytesAt(registration) {
    return this.#slab.length(this.#bodies.get(registration)) + REGISTRATION_BYTES
  }

  /** @param {Uint8Array} peerId @param {string} ns */
  remove(peerId, ns) {
    this.#expire()
    const registration = this.#find(peerId, ns)
    if (registration < 0) return false
    this.#remove(registration)
    return true
  }

  /** @param {PageQuery} query @returns {Page | Promise<Page>} */
  page(query) {
    this.#expire()
    return this.#page(query) ?? this.sweep().then(() => this.page(query))
  }

  /** @param {PageQuery} query @returns {Page | undefined} undefined: too many expired registrations would have to be skipped */
  #page({ ns, after = 0, limit, maxBytes }) {
    const now = this.#now()
    const order = ns === undefined ? this.#order : this.#namespaces.find(ns)?.order
    /** @type {number[]} */
    const results = []
    let bytes = 0
    let skipped = 0
    order?.visitAfter(Number(after), registration => {
      if (this.#expiry.timeOf(registration) <= now) return ++skipped <= MAX_SKIPPED
      const bodyLength = this.#slab.length(this.#bodies.get(registration))
      const more = computeEntryBytes(bodyLength, this.#secondsLeft(registration, now))
      if (results.length > 0 && bytes + more > maxBytes) return false
      bytes += more
      return results.push(registration) < limit
    })
    if (skipped > MAX_SKIPPED) return undefined
    const last = results.at(-1)
    return {
      count: results.length,
      registrations: this.#encode(results, bytes, now),
      cursor: last === undefined ? after : this.#seqs.get(last)
    }
  }

  async counts() {
    this.#expire()
    await this.#sweeping
    return { registrations: this.#ids.used, namespaces: this.#namespaces.size, peers: this.#peers.size }
  }

  /** @param {number[]} registrations @param {number} bytes @param {number} now */
  #encode(registrations, bytes, now) {
    const target = Buffer.allocUnsafe(bytes)
    let at = 0
    for (const registration of registrations) {
      const body = this.#bodies.get(registration)
      at = writeEntry(target, at, {
        bodyLength: this.#slab.length(body),
        ttlSeconds: this.#secondsLeft(registration, now),
        copyBody: (to, start) => this.#slab.copyTo(body, to, start)
      })
    }
    return target
  }

  /** @param {number} registration @param {number} now */
  #secondsLeft(registration, now) {
    return Math.max(1, Math.ceil((this.#expiry.timeOf(registration) - now) / 1000))
  }

  /** @returns {boolean} whether more has expired */
  #expireSome() {
    const now = this.#now()
    for (let removed = 0; removed < EXPIRE_AT_ONCE; removed++) {
      const due = this.#expiry.due(now)
      if (due < 0) return false
      this.#remove(due)
    }
    return this.#expiry.due(now) >= 0
  }

  /** @param {Uint8Array} peerId @param {string} ns @returns {number} a registration, or -1 */
  #find(peerId, ns) {
    const peer = this.#peers.find(peerId)
    const namespace = this.#namespaces.find(ns)?.id
    if (peer < 0 || namespace === undefined) return -1
    const now = this.#now()
    const matches = (/** @type {number} */ pair) =>
      this.#peerOf.get(pair) === peer &&
      this.#namespaceOf.get(pair) === namespace &&
      this.#expiry.timeOf(pair) > now
    let pair = this.#pairs.first(this.#pairHash(peer, namespace))
    while (pair >= 0 && !matches(pair)) pair = this.#pairs.next(pair)
    return pair
  }

  /** @param {number} peer @param {number} namespace */
  #pairHash(peer, namespace) {
    return mixBits(mixBits(peer + this.#seed) + namespace)
  }

  /** @param {NewRegistration} registration */
  #insert({ peerId, ns, signedPeerRecord, recordSeq, ttlSeconds, group }) {
    const body = encodeBody(ns, signedPeerRecord)
    const registration = this.#ids.take()
    this.#seqs.set(registration, ++this.#lastSeq)
    const bytes = body.length + REGISTRATION_BYTES
    this.#registrationBytes += bytes
    const peer = this.#peers.hold(peerId, bytes, recordSeq)
    const namespace = this.#namespaces.append(ns, registration).id
    const ref = this.#slab.allocate(body.length, registration)
    this.#slab.write(ref, 0, body)
    this.#bodies.set(registration, ref)
    this.#peerOf.set(registration, peer)
    this.#groupOf.set(registration, group === undefined ? -1 : this.#groups.hold(Buffer.from(group), bytes))
    this.#namespaceOf.set(registration, namespace)
    this.#order.append(registration)
    this.#pairs.add(registration, this.#pairHash(peer, namespace))
    this.#expiry.add(registration, this.#now() + ttlSeconds * 1000)
  }

  /** @param {number} registration */
  #remove(registration) {
    const bytes = this.#bytesAt(registration)
    this.#registrationBytes -= bytes
    this.#pairs.remove(registration)
    this.#expiry.remove(registration)
    this.#order.remove(registration)
    this.#namespaces.remove(this.#namespaceOf.get(registration), registration)
    this.#peers.release(this.#peerOf.get(registration), bytes)
    const group = this.#groupOf.get(registration)
    if (group >= 0) this.#groups.release(group, bytes)
    this.#slab.free(this.#bodies.get(registration))
    this.#ids.release(registration)
  }
}
