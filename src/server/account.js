import { Waiting } from './waiting.js'

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
   * @param {import('./waiting.js').Waiter} [who] - waits, until it closes
   * @returns {Promise<void> | undefined} undefined: there is room
   */
  room(who) {
    return this.hasRoom() ? undefined : this.#change(who)
  }

  /** @param {import('./waiting.js').Waiter} [who] @returns {Promise<void>} */
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
