import { Account } from './account.js'
import { addressOf, groupOf, isOneOf, networkOf, networks } from './addresses.js'
import { LoopTime, UNTIMED } from './loop-time.js'
import { Rate, Rates } from './rate.js'

/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 *
 * @typedef {object} Accounts
 * @property {Account} requests - bytes of requests that wait
 * @property {Account} replies - bytes of replies that wait
 *
 * @typedef {object} CallerRates
 * @property {Pick<Rate, 'take' | 'wait'>} requests
 * @property {Pick<Rate, 'take' | 'wait'>} requestBytes - with those of its neighbours
 * @property {Pick<Rate, 'take' | 'wait'>} replyBytes
 * @property {import('./loop-time.js').LoopShare} loop
 *
 * @typedef {import('./turns.js').Caller & {
 *   peerId: Uint8Array,
 *   limitedGroup?: string,
 *   accounts: Accounts,
 *   rates: CallerRates,
 *   held: boolean,
 *   stalls: number
 * }} CallerState - `peerId`: multihash bytes. `held`: what its connection sent had to wait for a limit since its last request. `limitedGroup`: the group, unless its limits are lifted. `stalls`: streams that took nothing since one of the connection took something
 *
 * @typedef {object} Place - an address from which there are connections
 * @property {Accounts} accounts
 * @property {number} connections
 */

// what may come at once, in time
const REQUESTS_AHEAD_MS = 100
const REQUEST_BYTES_AHEAD_MS = 2000
const REPLIES_AHEAD_MS = 4000

/** It is asked several times for each request. */
const ANY = { take: () => {}, wait: () => undefined }
/** @type {CallerRates} */
const UNBOUNDED = { requests: ANY, requestBytes: ANY, replyBytes: ANY, loop: UNTIMED }

/**
 * Callers knows who is behind each connection, and what is held for them.
 */
export class Callers {
  #limits
  #unlimited
  #all
  #rates
  #loopTime
  /** @type {WeakMap<Connection, CallerState>} */
  #known = new WeakMap()
  /** @type {Map<string, Place>} */
  #places = new Map()

  /**
   * @param {import('./limits.js').Limits} limits
   * @param {object} [parts]
   * @param {readonly string[]} [parts.unlimitedFrom] - networks as multiaddrs, whose addresses have no limit of their own
   * @param {() => number} [parts.now] - ms
   * @param {LoopTime} [parts.loopTime]
   */
  constructor(limits, { unlimitedFrom = [], now, loopTime } = {}) {
    this.#limits = limits
    this.#unlimited = networks(unlimitedFrom)
    this.#loopTime = loopTime ?? new LoopTime(limits.maxGroupLoopMsPerSecond, { now })
    this.#all = {
      requests: new Account(limits.maxWaitingBytes),
      replies: new Account(limits.maxWaitingBytes)
    }
    const rates = (/** @type {number} */ perSecond, /** @type {number} */ aheadMs) =>
      new Rates(() => new Rate(perSecond, aheadMs, now))
    this.#rates = {
      requests: rates(limits.maxAddressRequestsPerSecond, REQUESTS_AHEAD_MS),
      requestBytes: rates(limits.maxGroupRequestBytesPerSecond, REQUEST_BYTES_AHEAD_MS),
      replyBytes: rates(limits.maxAddressReplyBytesPerSecond, REPLIES_AHEAD_MS)
    }
  }

  /** waitingBytes are those of requests and replies that wait, in all. */
  get waitingBytes() {
    return this.#all.requests.bytes + this.#all.replies.bytes
  }

  /** of is who is behind a connection. @param {Connection} connection @returns {CallerState} */
  of(connection) {
    const known = this.#known.get(connection)
    if (known !== undefined) return known
    const address = addressOf(connection.remoteAddr)
    const network = networkOf(address)
    const unlimited = isOneOf(this.#unlimited, address)
    const { accounts } = this.#enter(network, unlimited, connection)
    const { maxConnectionWaitingBytes, maxConnectionReplyBytes } = this.#limits
    const caller = {
      group: groupOf(network),
      address: network,
      peer: String(connection.remotePeer),
      peerId: connection.remotePeer.toMultihash().bytes,
      limitedGroup: unlimited ? undefined : groupOf(network),
      accounts: {
        requests: new Account(maxConnectionWaitingBytes, accounts.requests),
        // pages are dear to make, and two at a time are as many as a connection that is read needs
        replies: new Account(
          unlimited ? maxConnectionWaitingBytes : maxConnectionReplyBytes,
          accounts.replies
        )
      },
      rates: unlimited ? UNBOUNDED : this.#ratesOf(network, connection),
      held: false,
      stalls: 0
    }
    this.#known.set(connection, caller)
    return caller
  }

  /** @param {string} network @param {boolean} unlimited @param {Connection} connection */
  #enter(network, unlimited, connection) {
    const place = this.#places.get(network) ?? { accounts: this.#accountsOf(unlimited), connections: 0 }
    this.#places.set(network, place)
    place.connections++
    const leave = () => {
      if (--place.connections === 0) this.#places.delete(network)
    }
    connection.addEventListener('close', leave, { once: true })
    return place
  }

  /** @param {boolean} unlimited @returns {Accounts} */
  #accountsOf(unlimited) {
    const limit = unlimited ? Infinity : this.#limits.maxAddressWaitingBytes
    return {
      requests: new Account(limit, this.#all.requests),
      replies: new Account(limit, this.#all.replies)
    }
  }

  /** @param {string} network @param {Connection} connection @returns {CallerRates} */
  #ratesOf(network, connection) {
    const { requests, requestBytes, replyBytes } = this.#rates
    const group = groupOf(network)
    return {
      requests: requests.of(network, connection),
      requestBytes: requestBytes.of(group, connection),
      replyBytes: replyBytes.of(network, connection),
      loop: this.#loopTime.of('requests', group, connection)
    }
  }
}
