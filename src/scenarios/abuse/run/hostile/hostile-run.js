import { PREPARE } from './kinds.js'

/**
 * @typedef {object} Done - of what was due
 * @property {number} notSent - share of it that this process was too late for
 * @property {string | null} failure - the abuse ended by itself with it
 *
 * @typedef {{ end: AbortController, ended: Promise<string | null>, tally: import('./pace.js').Run['tally'] }} Running
 */

/** HostileRun does one kind of abuse, and stops, as often as it is told to. */
export class HostileRun {
  #target
  #kind
  #times
  /** @type {import('./pace.js').Act | undefined} */
  #act
  /** @type {Running | undefined} */
  #running

  /** @param {{ target: Omit<import('./peers.js').Target, 'peers'>, kind: string, times: number }} setup */
  constructor({ target, kind, times }) {
    this.#target = { ...target, peers: new Set() }
    this.#kind = kind
    this.#times = times
  }

  /** prepare connects those that need it. */
  async prepare() {
    this.#act = await PREPARE[this.#kind](this.#target, this.#times)
  }

  begin() {
    if (this.#act === undefined) throw new Error('an abuse is prepared before it begins')
    const end = new AbortController()
    const tally = { due: 0, skipped: 0 }
    const ended = this.#act({ signal: end.signal, tally }).then(
      () => null,
      error => String(error?.stack ?? error)
    )
    this.#running = { end, ended, tally }
  }

  /** end stops it. @returns {Promise<Done>} */
  async end() {
    if (this.#running === undefined) return { notSent: 0, failure: null }
    const { end, ended, tally } = this.#running
    this.#running = undefined
    end.abort()
    const failure = await ended
    return { notSent: tally.due === 0 ? 0 : tally.skipped / tally.due, failure }
  }

  /** stop ends it with all its connections, for a process that goes on. */
  async stop() {
    await this.end()
    await Promise.all([...this.#target.peers].map(peer => peer.stop()))
  }

  close() {
    this.#running?.end.abort()
  }
}
