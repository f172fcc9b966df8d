// Schedulers, rate limiters and memory accounts that share a server's time and memory fairly among its clients.

// bounds of one turn of the event loop; sockets are read after twice as many requests at most
const REQUESTS_PER_TURN = 32
const MS_PER_TURN = 1
// groups whose first request in a turn is served at once, whatever others took of the turn
const FIRST_GROUPS_PER_TURN = 32

/**
 * RequestScheduler shares the event loop among the callers that send requests. Requests are served one after the other: the next one starts when the
 * one before is done, or waits for something outside the process. A request starts at once while little was done in this turn of the event
 * loop. Other requests wait in a FairQueue, which is served in portions, so that sockets are read in between.
 *
 * A group without a request in this turn of the event loop does not wait for the next turn, however long this one is already.
 */
export class RequestScheduler {
  #now
  #nextTurn
  /** @type {FairQueue<{ caller: Caller, go: () => void }>} */
  #waiting = new FairQueue()
  /** from the first request of a turn until sockets are read again */
  #open = false
  #began = 0
  #served = 0
  /** groups that were served in this turn @type {Set<string>} */
  #servedGroups = new Set()
  #busy = false
  #scheduled = false

  /**
   * @param {object} [parts]
   * @param {() => number} [parts.now] - ms
   * @param {(next: () => void) => void} [parts.nextTurn] - calls `next` when sockets have been read
   */
  constructor({ now = () => performance.now(), nextTurn = setImmediate } = {}) {
    this.#now = now
    this.#nextTurn = nextTurn
  }

  /**
   * take waits for the turn to serve one request; `done` must be called after the request.
   *
   * @param {Caller} caller
   * @returns {Promise<void> | undefined} undefined: the request may start at once
   */
  take(caller) {
    if (!this.#open) this.#openTurn()
    const isFirst = this.#servedGroups.size < FIRST_GROUPS_PER_TURN && !this.#servedGroups.has(caller.group)
    if (!this.#busy && (isFirst || (this.#waiting.size === 0 && !this.#over))) {
      this.#begin(caller)
      return
    }
    const turn = new Promise(resolve => this.#waiting.push(caller, { caller, go: () => resolve(undefined) }))
    this.#schedule()
    return turn
  }

  done() {
    this.#busy = false
  }

  /** @param {Caller} caller */
  #begin({ group }) {
    this.#busy = true
    this.#served++
    this.#servedGroups.add(group)
  }

  get #over() {
    return this.#served >= REQUESTS_PER_TURN || this.#now() - this.#began >= MS_PER_TURN
  }

  #schedule() {
    if (this.#scheduled || this.#over) return
    this.#scheduled = true
    callAfterPromises(this.#serveNext)
  }

  #openTurn() {
    this.#open = true
    this.#began = this.#now()
    this.#served = 0
    this.#servedGroups.clear()
    this.#nextTurn(this.#endTurn)
  }

  #endTurn = () => {
    this.#open = false
    if (this.#waiting.size === 0) return
    this.#openTurn()
    if (!this.#scheduled) this.#serveNext()
  }

  #serveNext = () => {
    this.#scheduled = false
    const { caller, go } = this.#waiting.shift()
    this.#begin(caller)
    go()
    if (this.#waiting.size > 0) this.#schedule()
  }
}

/**
 * @typedef {object} Caller - the client of a connection
 * @property {string} group - of addresses that likely have one owner: see `getAddressGroup`
 * @property {string} address
 * @property {string} peer
 */

/**
 * FairQueue gives out waiting items round robin: one of each group of addresses, within a group one of each address, within an address one
 * of each peer. So neither many requests nor many connections, identities or neighbouring hosts keep other clients waiting.
 *
 * @template T
 */
class FairQueue {
  /** by group, address, peer; a map's first key is served next and then goes to the end @type {Map<string, Map<string, Map<string, T[]>>>} */
  #groups = new Map()
  #size = 0

  get size() {
    return this.#size
  }

  /** @param {Caller} caller @param {T} item */
  push({ group, address, peer }, item) {
    this.#size++
    const addresses = getOrSet(this.#groups, group, () => new Map())
    const peers = getOrSet(addresses, address, () => new Map())
    getOrSet(peers, peer, () => /** @type {T[]} */ ([])).push(item)
  }

  /** shift takes the next item out; the queue must not be empty. @returns {T} */
  shift() {
    this.#size--
    const [group, addresses] = first(this.#groups)
    const [address, peers] = first(addresses)
    const [peer, items] = first(peers)
    const item = /** @type {T} */ (items.shift())
    moveFirstToEnd(peers, peer, items.length > 0)
    moveFirstToEnd(addresses, address, peers.size > 0)
    moveFirstToEnd(this.#groups, group, addresses.size > 0)
    return item
  }
}

/** @template V @param {Map<string, V>} map @param {string} key @param {() => V} make */
function getOrSet(map, key, make) {
  const value = map.get(key)
  if (value !== undefined) return value
  const made = make()
  map.set(key, made)
  return made
}

/** @template V @param {Map<string, V>} map - not empty @returns {[string, V]} */
const first = map => /** @type {[string, V]} */ (map.entries().next().value)

/** Moves the first entry of a map to its end. @template V @param {Map<string, V>} map @param {string} key @param {boolean} stays - false: removes it */
function moveFirstToEnd(map, key, stays) {
  // the only entry is the last one already
  if (stays && map.size === 1) return
  const value = /** @type {V} */ (map.get(key))
  map.delete(key)
  if (stays) map.set(key, value)
}

/**
 * @typedef {object} LoopShare - event loop time of a group of addresses
 * @property {() => void} begin - work for the group begins; it ends when its promises have settled or other work begins
 * @property {(who?: Waiter) => Promise<void> | undefined} wait - resolves when the group may have more time, or when the waiting stream has
 *   closed; undefined: it may have more now
 */

// event loop time that a group may use at once
const AHEAD_MS = 50
// no work takes longer: a longer time includes a pause of the process, which the client did not cause
const MAX_MS = 4
// shorter work cannot have waited long for a core, and reading the CPU time takes 4 µs
const SHORT_MS = 1

/** UNLIMITED_SHARE is the share of a client without limits. @type {LoopShare} */
export const UNLIMITED_SHARE = { begin: () => {}, wait: () => undefined }

/** @type {() => NodeJS.CpuUsage} */
const cpuUsage =
  /** @type {{ threadCpuUsage?: () => NodeJS.CpuUsage }} */ (process).threadCpuUsage ?? process.cpuUsage

/** CPU time of this thread; on Node 20 of all threads of the process, which may be too much. */
function cpuMsOfLoop() {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/**
 * LoopTimeLimiter shares the time of the event loop among groups of addresses. Time for requests and time for connections (encryption, frames,
 * handshakes) are counted apart, so that bytes without a request cannot use up the time for requests. The work for a group counts together
 * with the promises that it started; a group that used its share waits. Waiting for a core does not count. A share does not shrink while
 * a group waits: a group that needs less than its share, but had to wait once, would never catch up.
 */
export class LoopTimeLimiter {
  #shares
  #now
  #cpuMs
  /** the CPU time when it was last read */
  #worked = { cpuMs: 0, at: Number.NEGATIVE_INFINITY }
  /** @type {{ share: RateLimiter, since: number, cpuSince: number } | undefined} */
  #running

  /**
   * @param {number} msPerSecond - of each group, for requests, and as much for connections
   * @param {object} [clocks]
   * @param {() => number} [clocks.now] - ms
   * @param {() => number} [clocks.cpuMs] - CPU time of the process
   */
  constructor(msPerSecond, { now = () => performance.now(), cpuMs = cpuMsOfLoop } = {}) {
    this.#shares = new RateLimiters(() => new RateLimiter(msPerSecond, AHEAD_MS, now))
    this.#now = now
    this.#cpuMs = cpuMs
  }

  /**
   * of gives the share of a group.
   *
   * @param {'requests' | 'connections'} what
   * @param {string} group
   * @param {CloseEmitter} connection
   * @returns {LoopShare}
   */
  of(what, group, connection) {
    const share = this.#shares.of(`${what} ${group}`, connection)
    return { begin: () => this.#begin(share), wait: who => share.wait(who) }
  }

  /** @param {RateLimiter} share */
  #begin(share) {
    this.#end()
    const since = this.#now()
    if (since - this.#worked.at > SHORT_MS) this.#worked = { cpuMs: this.#cpuMs(), at: since }
    const running = { share, since, cpuSince: this.#worked.cpuMs }
    this.#running = running
    callAfterPromises(() => {
      if (this.#running === running) this.#end()
    })
  }

  #end() {
    if (this.#running === undefined) return
    const { share, since, cpuSince } = this.#running
    const now = this.#now()
    const took = Math.min(MAX_MS, now - since)
    if (took > SHORT_MS) this.#worked = { cpuMs: this.#cpuMs(), at: now }
    share.take(took > SHORT_MS ? Math.min(took, this.#worked.cpuMs - cpuSince) : took)
    this.#running = undefined
  }
}

// after this time those who wait try again to drop the largest
const RETRY_MS = 250
// an address with so few bytes may exceed the limit of all addresses by this factor: no other address can lock it out
const SMALL_BYTES = 65_536
const LIMIT_FACTOR_FOR_SMALL = 1.5

/**
 * ByteAccount counts buffered bytes in a tree: all addresses, an address, a connection, a stream. The bytes of a stream count in all accounts
 * above it, each with a limit of its own.
 */
export class ByteAccount {
  #limit
  #parent
  #drop
  #bytes = 0
  /** children with bytes @type {Set<ByteAccount>} */
  #children = new Set()
  #waiting = new WaitQueue()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /**
   * @param {number} limit - bytes; the last addition may go beyond it
   * @param {ByteAccount} [parent]
   * @param {() => void} [drop] - of an account without children: removes all its bytes at once, unless they were added just now
   */
  constructor(limit, parent, drop) {
    this.#limit = limit
    this.#parent = parent
    this.#drop = drop
  }

  /** bytes that are buffered at this moment. */
  get bytes() {
    return this.#bytes
  }

  /** @param {number} bytes - that are buffered from now on */
  add(bytes) {
    const parent = this.#parent
    if (this.#bytes === 0 && parent !== undefined) parent.#children.add(this)
    this.#bytes += bytes
    parent?.add(bytes)
  }

  /** @param {number} bytes - that were added before */
  remove(bytes) {
    if (bytes === 0) return
    const parent = this.#parent
    this.#bytes -= bytes
    if (this.#bytes === 0 && parent !== undefined) parent.#children.delete(this)
    parent?.remove(bytes)
    if (this.#bytes < this.#limit) this.#wake()
  }

  /**
   * canAccept says whether more bytes may be added. When all addresses together are over the limit, the largest stream of the largest
   * connection of the largest address is dropped, so that no address can take the others' share; an address with few bytes does not wait
   * for that.
   *
   * @param {number} [childBytes] - bytes of the child account that asks
   * @returns {boolean}
   */
  canAccept(childBytes = Infinity) {
    if (this.#bytes < this.#limit) return this.#parent?.canAccept(this.#bytes) ?? true
    if (this.#parent !== undefined) return false
    while (this.#bytes >= this.#limit && this.#dropLargest());
    return this.#bytes < this.#limit * (childBytes <= SMALL_BYTES ? LIMIT_FACTOR_FOR_SMALL : 1)
  }

  /**
   * waitForSpace resolves when more bytes may fit; then the caller must ask again.
   *
   * @param {Waiter} [waiter] - until it closes
   * @returns {Promise<void> | undefined} undefined: more bytes may be added now
   */
  waitForSpace(waiter) {
    return this.canAccept() ? undefined : this.#change(waiter)
  }

  /** @param {Waiter} [waiter] @returns {Promise<void>} */
  #change(waiter) {
    if (this.#bytes < this.#limit && this.#parent !== undefined) return this.#parent.#change(waiter)
    // streams are dropped for those who wait only where the limit of all addresses is reached
    if (this.#parent === undefined) this.#timer ??= setTimeout(this.#wake, RETRY_MS).unref()
    return this.#waiting.add(waiter)
  }

  #wake = () => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting.wake()
  }

  /** @returns {boolean} whether that freed bytes */
  #dropLargest() {
    const before = this.#bytes
    /** @type {ByteAccount} */
    let largest = this
    while (largest.#children.size > 0)
      largest = [...largest.#children].reduce((max, child) => (child.bytes > max.bytes ? child : max))
    largest.#drop?.()
    return this.#bytes < before
  }
}

// those who wait are woken at most this often, not for each small part of the rate
const MIN_WAIT_MS = 10
// the first ones take what there is: the others would only be woken to wait again
const MAX_WOKEN = 16

/**
 * RateLimiter limits a rate: some units at once, then so many a second. Units beyond are not refused, they come later. (Generic cell rate
 * algorithm, ITU-T I.371.)
 */
export class RateLimiter {
  #msPerUnit
  #ahead
  #now
  /** ms; when all units taken so far would have come at the rate */
  #due = Number.NEGATIVE_INFINITY
  #waiting = new WaitQueue()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /**
   * @param {number} perSecond - Infinity: without bound
   * @param {number} aheadMs - the units of so many ms may come at once
   * @param {() => number} [now] - ms
   */
  constructor(perSecond, aheadMs, now = () => performance.now()) {
    this.#msPerUnit = 1000 / perSecond
    this.#ahead = aheadMs
    this.#now = now
  }

  /** take counts units, whether they come early or not. @param {number} [count] */
  take(count = 1) {
    this.#due = Math.max(this.#due, this.#now()) + count * this.#msPerUnit
  }

  /** untilMs is how long the next unit has to wait. */
  get untilMs() {
    return Math.max(0, this.#due - this.#ahead - this.#now())
  }

  /** idle says whether the rate is as if no unit had ever been taken. */
  get idle() {
    return this.#due <= this.#now()
  }

  /**
   * wait resolves when the next unit may come; then the caller must ask again.
   *
   * @param {Waiter} [waiter] - until it closes
   * @returns {Promise<void> | undefined} undefined: it may come now
   */
  wait(waiter) {
    if (this.untilMs === 0) return undefined
    this.#wakeLater()
    return this.#waiting.add(waiter)
  }

  #wakeLater() {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(this.#wake, Math.max(MIN_WAIT_MS, Math.ceil(this.untilMs))).unref()
  }

  #wake = () => {
    this.#timer = undefined
    if (this.untilMs === 0) this.#waiting.wake(MAX_WOKEN)
    if (this.#waiting.size > 0) this.#wakeLater()
  }
}

// with more rates than this, idle ones without a connection are removed
const MAX_RATES = 1024

/** @typedef {{ addEventListener: (type: 'close', listener: () => void) => void }} CloseEmitter - until it closes */

/**
 * RateLimiters holds a rate for each name, shared by all connections under that name. A client that reconnects gets the same rate again.
 *
 * @template {{ idle: boolean }} R
 */
export class RateLimiters {
  #make
  /** @type {Map<string, { rate: R, holders: number }>} */
  #rates = new Map()

  /** @param {() => R} make */
  constructor(make) {
    this.#make = make
  }

  get size() {
    return this.#rates.size
  }

  /** @param {string} name @param {CloseEmitter} holder @returns {R} */
  of(name, holder) {
    if (this.#rates.size >= MAX_RATES && !this.#rates.has(name))
      for (const [other, { rate, holders }] of this.#rates)
        if (holders === 0 && rate.idle) this.#rates.delete(other)
    const entry = getOrSet(this.#rates, name, () => ({ rate: this.#make(), holders: 0 }))
    entry.holders++
    holder.addEventListener('close', () => entry.holders--)
    return entry.rate
  }
}

/**
 * @typedef {object} Waiter - until it closes
 * @property {(type: 'close', listener: () => void) => void} addEventListener
 * @property {(type: 'close', listener: () => void) => void} removeEventListener
 */

/** WaitQueue is a queue of waiters for one event, first in, first out. A waiter that closes leaves the queue. */
export class WaitQueue {
  /** @type {Set<() => void>} */
  #all = new Set()

  get size() {
    return this.#all.size
  }

  /** add resolves with wake, or when the waiter closes. @param {Waiter} [waiter] - open @returns {Promise<void>} */
  add(waiter) {
    return new Promise(resolve => {
      const go = () => {
        this.#all.delete(go)
        waiter?.removeEventListener('close', go)
        resolve()
      }
      this.#all.add(go)
      waiter?.addEventListener('close', go)
    })
  }

  /** wake lets the first waiters continue. @param {number} [max] */
  wake(max = Infinity) {
    let left = max
    for (const go of this.#all) {
      if (left-- <= 0) return
      go()
    }
  }
}

/**
 * callAfterPromises calls back when all promises of this turn of the event loop have settled: ticks run before microtasks, but a tick that is
 * queued from a microtask runs after all microtasks.
 *
 * @param {() => void} callback
 */
export const callAfterPromises = callback => queueMicrotask(() => process.nextTick(callback))

/**
 * makePacing makes the pace of a connection: its pieces have their turns while its share of the event loop is not used up. Received bytes
 * must not wait too long for that: the server would not notice in the meantime that the client has gone.
 *
 * @param {object} parts
 * @param {RequestScheduler} parts.turns
 * @param {Caller} parts.caller
 * @param {LoopShare} parts.share
 * @param {(bytes: import('uint8arraylist').Uint8ArrayList) => boolean} [parts.atOnce] - whether a piece needs no turn
 * @param {number} parts.stallTimeoutMs
 * @returns {Omit<import('./connection-guard.js').StreamPacing, 'cut'>}
 */
export function makePacing({ turns, caller, share, atOnce = () => false, stallTimeoutMs }) {
  let taken = false
  let lateSince = Infinity
  const takeTurn = () => {
    taken = true
    return turns.take(caller)
  }
  return {
    stallTimeoutMs,
    turn(bytes) {
      const late = share.wait()
      if (late === undefined) return atOnce(bytes) ? undefined : takeTurn()
      const now = performance.now()
      lateSince = Math.min(lateSince, now)
      if (now - lateSince > stallTimeoutMs)
        throw new GuardError('ERR_TOO_MUCH_WORK', 'what it sends takes too long')
      return late.then(takeTurn)
    },
    began: share.begin,
    done(isAll) {
      if (isAll) lateSince = Infinity
      if (taken) turns.done()
      taken = false
    }
  }
}

/** GuardError ends a connection that needs more than its share. */
export class GuardError extends Error {
  name = 'GuardError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}
