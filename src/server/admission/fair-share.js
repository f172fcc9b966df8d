// Fair shares for all clients: memory, requests a second, time of the event loop.
// others are read after twice as many at most
const REQUESTS_PER_TURN = 32
const MS_PER_TURN = 1
// that come first in a turn of the loop, whatever others took of it
const FIRST_COMERS_PER_TURN = 32

/**
 * Turns shares the event loop among those that send requests. One request is served after the other: the next when the one before is
 * done, or waits for something outside. That is at once while little was done in this turn of the loop; what has to wait is
 * served in turn (FairQueue), so much in each turn of the loop that sockets are read in between.
 *
 * Whoever's group had nothing in this turn of the loop does not wait for the next, however long this one is already.
 */
export class Turns {
  #now
  #nextTurn
  /** @type {FairQueue<{ caller: Caller, go: () => void }>} */
  #waiting = new FairQueue()
  /** since a request came, until sockets are read again */
  #open = false
  #began = 0
  #served = 0
  /** groups that were served in this turn @type {Set<string>} */
  #had = new Set()
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
   * take asks for a turn to serve one request; `done` is to be called behind it.
   *
   * @param {Caller} caller
   * @returns {Promise<void> | undefined} undefined: at once
   */
  take(caller) {
    if (!this.#open) this.#openTurn()
    if (!this.#busy && ((this.#waiting.size === 0 && !this.#over) || this.#isFirst(caller))) {
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
  #isFirst({ group }) {
    return this.#had.size < FIRST_COMERS_PER_TURN && !this.#had.has(group)
  }

  /** @param {Caller} caller */
  #begin({ group }) {
    this.#busy = true
    this.#served++
    this.#had.add(group)
  }

  get #over() {
    return this.#served >= REQUESTS_PER_TURN || this.#now() - this.#began >= MS_PER_TURN
  }

  #schedule() {
    if (this.#scheduled || this.#over) return
    this.#scheduled = true
    afterPromises(this.#serveNext)
  }

  #openTurn() {
    this.#open = true
    this.#began = this.#now()
    this.#served = 0
    this.#had.clear()
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
 * @typedef {object} Caller - who is behind a connection
 * @property {string} group - hosts that are likely one another's: see `groupOf`
 * @property {string} address - host it comes from
 * @property {string} peer
 */

/**
 * FairQueue hands out what waits in turn: one of each group of addresses, within it one of each address, and within an address one of each
 * peer, so that neither many requests, nor many connections, identities or neighbouring hosts keep the others waiting.
 *
 * @template T
 */
class FairQueue {
  /** first in, first served; who was served goes to the end @type {Map<string, Map<string, Map<string, T[]>>>} */
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

  /** shift takes out what is next; there must be something. @returns {T} */
  shift() {
    this.#size--
    const [group, addresses] = first(this.#groups)
    const [address, peers] = first(addresses)
    const [peer, items] = first(peers)
    const item = /** @type {T} */ (items.shift())
    toEnd(peers, peer, items.length > 0)
    toEnd(addresses, address, peers.size > 0)
    toEnd(this.#groups, group, addresses.size > 0)
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

/** @template V @param {Map<string, V>} map @param {string} key - of the first @param {boolean} stays - if not, it is taken out */
function toEnd(map, key, stays) {
  // where it is alone, it is the last already
  if (stays && map.size === 1) return
  const value = /** @type {V} */ (map.get(key))
  map.delete(key)
  if (stays) map.set(key, value)
}

/**
 * @typedef {object} LoopShare - of somebody
 * @property {() => void} begin - something is done for it from now on, until its promises have settled or something else begins
 * @property {(who?: Waiter) => Promise<void> | undefined} wait - until it may have more, or who waits has closed; undefined: it may now
 */

// what may be done at once, in time of the event loop
const AHEAD_MS = 50
// nothing is served for longer: what is beyond was a pause of the process, which nobody asked for
const MOST_MS = 4
// what takes less cannot have waited for a core for long, and to ask the system what was worked takes 4 µs
const SHORT_MS = 1

/** UNTIMED is the share of whom nobody limits. @type {LoopShare} */
export const UNTIMED = { begin: () => {}, wait: () => undefined }

/** @type {() => NodeJS.CpuUsage} */
const cpuUsage =
  /** @type {{ threadCpuUsage?: () => NodeJS.CpuUsage }} */ (process).threadCpuUsage ?? process.cpuUsage

/** What this thread has worked, or, on Node 20, all threads of the process, so that it may be too much. */
function cpuMsOfLoop() {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/**
 * LoopTime shares the time of the event loop among groups of addresses, that of requests and that of what is below them (encryption, frames,
 * handshakes) apart, so that what carries no request has less than what does: what is done for one counts, with the promises behind it, and who
 * had its share waits. Waiting for a core does not count. A share is never made smaller because somebody has to
 * wait: who asks for less than it, but had to wait once, would not come out of that again.
 */
export class LoopTime {
  #shares
  #now
  #cpuMs
  /** what was worked until when, at the last time that it was asked */
  #worked = { cpuMs: 0, at: Number.NEGATIVE_INFINITY }
  /** @type {{ share: Rate, since: number, cpuSince: number } | undefined} */
  #running

  /**
   * @param {number} msPerSecond - for each group, of requests, and of what is below them
   * @param {object} [clocks]
   * @param {() => number} [clocks.now] - ms
   * @param {() => number} [clocks.cpuMs] - that the process has worked
   */
  constructor(msPerSecond, { now = () => performance.now(), cpuMs = cpuMsOfLoop } = {}) {
    this.#shares = new Rates(() => new Rate(msPerSecond, AHEAD_MS, now))
    this.#now = now
    this.#cpuMs = cpuMs
  }

  /**
   * of is the share of a group.
   *
   * @param {'requests' | 'connections'} what
   * @param {string} group
   * @param {Holder} connection
   * @returns {LoopShare}
   */
  of(what, group, connection) {
    const share = this.#shares.of(`${what} ${group}`, connection)
    return { begin: () => this.#begin(share), wait: who => share.wait(who) }
  }

  /** @param {Rate} share */
  #begin(share) {
    this.#end()
    const since = this.#now()
    if (since - this.#worked.at > SHORT_MS) this.#worked = { cpuMs: this.#cpuMs(), at: since }
    const running = { share, since, cpuSince: this.#worked.cpuMs }
    this.#running = running
    afterPromises(() => {
      if (this.#running === running) this.#end()
    })
  }

  #end() {
    if (this.#running === undefined) return
    const { share, since, cpuSince } = this.#running
    const now = this.#now()
    const took = Math.min(MOST_MS, now - since)
    if (took > SHORT_MS) this.#worked = { cpuMs: this.#cpuMs(), at: now }
    share.take(took > SHORT_MS ? Math.min(took, this.#worked.cpuMs - cpuSince) : took)
    this.#running = undefined
  }
}

// after which those that wait look again for somebody to be dropped
const LOOK_AGAIN_MS = 250
// who holds so little is let in when all is full, up to so much of the limit: nobody can keep others out by holding everything
const LITTLE_BYTES = 65_536
const FULL_FOR_SMALL = 1.5

/**
 * Account counts bytes that are held for somebody, in a tree: all addresses, an address, a connection, a stream. What a stream
 * holds counts in all the accounts above it, each with a limit of its own.
 */
export class Account {
  #limit
  #parent
  #drop
  #bytes = 0
  /** those that hold something @type {Set<Account>} */
  #children = new Set()
  #waiting = new Waiting()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /**
   * @param {number} limit - bytes; the last that was let in may go beyond
   * @param {Account} [parent]
   * @param {() => void} [drop] - of an account without others under it: removes at once all that was added, if that was long enough
   *   ago
   */
  constructor(limit, parent, drop) {
    this.#limit = limit
    this.#parent = parent
    this.#drop = drop
  }

  /** bytes that are held at this moment. */
  get bytes() {
    return this.#bytes
  }

  /** @param {number} bytes - that are held from now on */
  add(bytes) {
    const parent = this.#parent
    if (this.#bytes === 0 && parent !== undefined) parent.#children.add(this)
    this.#bytes += bytes
    parent?.add(bytes)
  }

  /** @param {number} bytes - that were added, and are held no longer */
  remove(bytes) {
    if (bytes === 0) return
    const parent = this.#parent
    this.#bytes -= bytes
    if (this.#bytes === 0 && parent !== undefined) parent.#children.delete(this)
    parent?.remove(bytes)
    if (this.#bytes < this.#limit) this.#wake()
  }

  /**
   * hasRoom says whether more may be held. When it is all addresses together that hold too much, the largest stream of the largest
   * connection of the largest address is dropped, so that nobody can take the others' share; an address that holds little does not
   * wait for that.
   *
   * @param {number} [held] - by the one below that asks
   * @returns {boolean}
   */
  hasRoom(held = Infinity) {
    if (this.#bytes >= this.#limit) {
      if (this.#parent !== undefined) return false
      while (this.#bytes >= this.#limit && this.#dropLargest());
      return this.#bytes < this.#limit * (held <= LITTLE_BYTES ? FULL_FOR_SMALL : 1)
    }
    return this.#parent?.hasRoom(this.#bytes) ?? true
  }

  /**
   * room says when there may be room; then it must be asked again.
   *
   * @param {Waiter} [who] - waits, until it closes
   * @returns {Promise<void> | undefined} undefined: there is room
   */
  room(who) {
    return this.hasRoom() ? undefined : this.#change(who)
  }

  /** @param {Waiter} [who] @returns {Promise<void>} */
  #change(who) {
    if (this.#bytes < this.#limit && this.#parent !== undefined) return this.#parent.#change(who)
    // others are dropped for those who wait only where all is full
    if (this.#parent === undefined) this.#timer ??= setTimeout(this.#wake, LOOK_AGAIN_MS).unref()
    return this.#waiting.add(who)
  }

  #wake = () => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting.wake()
  }

  /** @returns {boolean} whether that made it less */
  #dropLargest() {
    const before = this.#bytes
    /** @type {Account} */
    let largest = this
    while (largest.#children.size > 0) largest = mostOf(largest.#children)
    largest.#drop?.()
    return this.#bytes < before
  }
}

/** @param {Set<Account>} accounts - not empty */
const mostOf = accounts =>
  [...accounts].reduce((most, account) => (account.bytes > most.bytes ? account : most))

const SECOND_MS = 1000
// what is let in between is done in one go: who waits is not woken for each small part of it
const SHORTEST_WAIT_MS = 10
// of those who wait: the first takes what there is, and all others would have been woken to wait again
const WOKEN_AT_ONCE = 16

/**
 * Rate spreads what somebody takes over time: so much at once, and so much a second. What is beyond is not refused, it comes later. (Generic
 * cell rate algorithm, ITU-T I.371.)
 */
export class Rate {
  #each
  #ahead
  #now
  /** when all that was taken would have come at the rate, ms */
  #due = Number.NEGATIVE_INFINITY
  #waiting = new Waiting()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /**
   * @param {number} perSecond - Infinity: without bound
   * @param {number} aheadMs - at once may come what may come in so long
   * @param {() => number} [now] - ms
   */
  constructor(perSecond, aheadMs, now = () => performance.now()) {
    this.#each = SECOND_MS / perSecond
    this.#ahead = aheadMs
    this.#now = now
  }

  /** take counts what comes now, be it early or not. @param {number} [count] */
  take(count = 1) {
    this.#due = Math.max(this.#due, this.#now()) + count * this.#each
  }

  /** untilMs is how long the next has to wait. */
  get untilMs() {
    return Math.max(0, this.#due - this.#ahead - this.#now())
  }

  /** idle says whether it is as if nothing had ever come. */
  get idle() {
    return this.#due <= this.#now()
  }

  /**
   * wait is until the next may come; then it must be asked again.
   *
   * @param {Waiter} [who] - waits, until it closes
   * @returns {Promise<void> | undefined} undefined: it may now
   */
  wait(who) {
    if (this.untilMs === 0) return undefined
    this.#wakeLater()
    return this.#waiting.add(who)
  }

  #wakeLater() {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(this.#wake, Math.max(SHORTEST_WAIT_MS, Math.ceil(this.untilMs))).unref()
  }

  #wake = () => {
    this.#timer = undefined
    if (this.untilMs === 0) this.#waiting.wake(WOKEN_AT_ONCE)
    if (this.#waiting.size > 0) this.#wakeLater()
  }
}

// beyond which those are forgotten that nobody holds, and that are as if new
const MOST_KEPT = 1024

/** @typedef {{ addEventListener: (type: 'close', listener: () => void) => void }} Holder - until it closes */

/**
 * Rates are those of many, by name: one for all who have a connection under it. Whoever goes and comes again has what was left.
 *
 * @template {{ idle: boolean }} R
 */
export class Rates {
  #make
  /** @type {Map<string, { rate: R, holders: number }>} */
  #kept = new Map()

  /** @param {() => R} make */
  constructor(make) {
    this.#make = make
  }

  get size() {
    return this.#kept.size
  }

  /** @param {string} name @param {Holder} holder @returns {R} */
  of(name, holder) {
    const kept = this.#kept.get(name) ?? this.#add(name)
    kept.holders++
    holder.addEventListener('close', () => kept.holders--)
    return kept.rate
  }

  /** @param {string} name */
  #add(name) {
    if (this.#kept.size >= MOST_KEPT) this.#forget()
    const kept = { rate: this.#make(), holders: 0 }
    this.#kept.set(name, kept)
    return kept
  }

  #forget() {
    for (const [name, { rate, holders }] of this.#kept)
      if (holders === 0 && rate.idle) this.#kept.delete(name)
  }
}

/**
 * @typedef {object} Waiter - until it closes
 * @property {(type: 'close', listener: () => void) => void} addEventListener
 * @property {(type: 'close', listener: () => void) => void} removeEventListener
 */

/** Waiting are those who wait for the same, in the order they came. Who closes waits no longer, and is forgotten. */
export class Waiting {
  /** @type {Set<() => void>} */
  #all = new Set()

  get size() {
    return this.#all.size
  }

  /** add is until wake, or until who waits has closed. @param {Waiter} [who] - open @returns {Promise<void>} */
  add(who) {
    return new Promise(resolve => {
      const go = () => {
        this.#all.delete(go)
        who?.removeEventListener('close', go)
        resolve()
      }
      this.#all.add(go)
      who?.addEventListener('close', go)
    })
  }

  /** wake lets the first go on. @param {number} [most] */
  wake(most = Infinity) {
    let left = most
    for (const go of this.#all) {
      if (left-- <= 0) return
      go()
    }
  }
}

/**
 * afterPromises calls back when all promises of this turn of the event loop have settled: ticks run before microtasks, but one that is
 * queued from a microtask runs behind all of them.
 *
 * @param {() => void} callback
 */
export const afterPromises = callback => queueMicrotask(() => process.nextTick(callback))

/**
 * pacedTurns gives what arrives on a connection its turns, while it has a share of the event loop left. What was read at once must not wait
 * for that too long: meanwhile nobody would see that the other side has gone.
 *
 * @param {object} parts
 * @param {() => Promise<void> | undefined} parts.take - a turn
 * @param {() => void} parts.give - it back
 * @param {LoopShare} parts.share
 * @param {(bytes: import('uint8arraylist').Uint8ArrayList) => boolean} parts.atOnce - what needs no turn
 * @param {number} parts.stallTimeoutMs
 * @returns {Omit<import('./connection-guard.js').Pace, 'cut'>}
 */
export function pacedTurns({ take, give, share, atOnce, stallTimeoutMs }) {
  let taken = false
  let lateSince = Infinity
  const next = () => {
    taken = true
    return take()
  }
  return {
    stallTimeoutMs,
    turn(bytes) {
      const late = share.wait()
      if (late === undefined) return atOnce(bytes) ? undefined : next()
      const now = performance.now()
      lateSince = Math.min(lateSince, now)
      if (now - lateSince > stallTimeoutMs)
        throw new GuardError('ERR_TOO_MUCH_WORK', 'what it sends takes too long')
      return late.then(next)
    },
    began: share.begin,
    done(isAll) {
      if (isAll) lateSince = Infinity
      if (taken) give()
      taken = false
    }
  }
}

/** GuardError is why a connection ends that asks for too much. */
export class GuardError extends Error {
  name = 'GuardError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}
