import { afterPromises } from './after-promises.js'

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
