import { Lives } from '../../../measure/lives.js'

/**
 * @typedef {import('../../../load/rotation-schedule.js').Life} Life
 * @typedef {import('../rotate-rendezvous-types.js').PeerLife} PeerLife
 *
 * @typedef {object} PeerChange - what became of a peer; all times in ns on the monotonic clock of the host
 * @property {number} node
 * @property {number} [startedNs]
 * @property {number} [connectedNs]
 * @property {number} [registeredNs]
 * @property {number} [killedNs]
 * @property {string} [error]
 */

/** PeerLives follows what became of the ephemeral peers of a rendezvous server. */
export class PeerLives {
  #lives

  /** @param {readonly Life[]} lives @param {number} startNs - of the measurement */
  constructor(lives, startNs) {
    this.#lives = new Lives(lives.map(begun), startNs)
  }

  /** change takes what a process did. @param {readonly PeerChange[]} changes */
  change(changes) {
    for (const { node, startedNs, connectedNs, registeredNs, killedNs, error } of changes) {
      const life = this.#lives.of(node)
      if (life === undefined) continue
      if (startedNs !== undefined) life.startedMs = this.#lives.ms(startedNs)
      if (connectedNs !== undefined) life.connectedMs = this.#lives.ms(connectedNs)
      if (registeredNs !== undefined) life.registeredMs ??= this.#lives.ms(registeredNs)
      if (killedNs !== undefined) life.killedMs = this.#lives.ms(killedNs)
      if (error !== undefined) life.error = error
    }
  }

  /** discover notes that a peer was given the record of a living one. @param {number} node @param {number} atNs */
  discover(node, atNs) {
    const life = this.#lives.of(node)
    if (life !== undefined) life.firstDiscoveryMs ??= this.#lives.ms(atNs)
  }

  /** result so far. @param {number | null} endNs - of the measurement; null: it goes on */
  result(endNs) {
    const untilMs = endNs === null ? null : this.#lives.ms(endNs)
    return {
      lives: this.#lives.counts(),
      connect: this.#lives.sinceStart(({ connectedMs }) => connectedMs, untilMs).summary,
      register: this.#lives.sinceStart(({ registeredMs }) => registeredMs, untilMs).summary,
      firstDiscovery: this.#lives.sinceStart(({ firstDiscoveryMs }) => firstDiscoveryMs, untilMs)
    }
  }
}

/** @param {Life} life @returns {PeerLife} */
const begun = ({ node, slot, startMs, killMs }) => ({
  node,
  slot,
  startDueMs: startMs,
  startedMs: null,
  connectedMs: null,
  registeredMs: null,
  firstDiscoveryMs: null,
  killDueMs: killMs,
  killedMs: null,
  error: null
})
