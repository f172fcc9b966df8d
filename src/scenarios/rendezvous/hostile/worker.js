import { connections, frames, handshakes, http } from './connections.js'
import { identities, invalid, records, requests, slow, store, streams, unread } from './requests.js'

/** @type {Readonly<Record<string, import('./requests.js').Prepare>>} */
export const PREPARE = Object.freeze({
  http,
  requests,
  unread,
  store,
  records,
  handshakes,
  frames,
  invalid,
  connections,
  streams,
  slow,
  identities
})

/**
 * @typedef {object} Done - of a stretch
 * @property {number} notSent - share of what was due that this process was too late for
 * @property {string | null} failure - why hostile peers stopped early
 *
 * @typedef {{ end: AbortController, ended: Promise<string | null>, tally: import('./pace.js').Run['tally'] }} Running
 */

/** HostileWorker starts and stops hostile peers of some kinds, any number of times. */
export class HostileWorker {
  #target
  #hostile
  /** @type {import('./pace.js').Act[] | undefined} */
  #acts
  /** @type {Running | undefined} */
  #running

  /** @param {{ target: Omit<import('./peers.js').Target, 'peers'>, hostile: Readonly<Record<string, number>> }} setup - `hostile`: times their usual rate, by kind */
  constructor({ target, hostile }) {
    this.#target = { ...target, peers: new Set() }
    this.#hostile = hostile
  }

  /** prepare connects the peers that are connected from the start. */
  async prepare() {
    this.#acts = []
    for (const [kind, times] of Object.entries(this.#hostile))
      this.#acts.push(await PREPARE[kind](this.#target, times))
  }

  begin() {
    if (this.#acts === undefined) throw new Error('hostile peers are prepared before they begin')
    const end = new AbortController()
    const tally = { due: 0, skipped: 0 }
    const ended = Promise.all(this.#acts.map(act => act({ signal: end.signal, tally }))).then(
      () => null,
      error => String(error?.stack ?? error)
    )
    this.#running = { end, ended, tally }
  }

  /** end stops them. @returns {Promise<Done>} */
  async end() {
    if (this.#running === undefined) return { notSent: 0, failure: null }
    const { end, ended, tally } = this.#running
    this.#running = undefined
    end.abort()
    const failure = await ended
    return { notSent: tally.due === 0 ? 0 : tally.skipped / tally.due, failure }
  }

  /** stop ends them with all their connections, for a process that goes on. */
  async stop() {
    await this.end()
    await Promise.all([...this.#target.peers].map(peer => peer.stop()))
  }

  close() {
    this.#running?.end.abort()
  }
}
