import { Lives } from '../../../measure/lives.js'

/**
 * @typedef {import('../../../load/rotation-schedule.js').Life} Life
 * @typedef {import('../../../network/node-host.js').NodeChange} NodeChange
 * @typedef {import('../../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {import('../rotate-gossip-types.js').LifeResult} LifeResult
 */

/** LifeTimes follows what became of the ephemeral nodes. */
export class LifeTimes {
  #lives

  /**
   * @param {readonly Life[]} lives
   * @param {number} startNs - of the publish phase
   */
  constructor(lives, startNs) {
    this.#lives = new Lives(lives.map(begun), startNs)
  }

  /** change takes what a host did. @param {readonly NodeChange[]} changes */
  change(changes) {
    for (const { node, startedNs, connectedNs, killedNs, dialsFailed, error } of changes) {
      const life = this.#lives.of(node)
      if (life === undefined) continue
      if (startedNs !== undefined) life.startedMs = this.#lives.ms(startedNs)
      if (connectedNs !== undefined) life.connectedMs = this.#lives.ms(connectedNs)
      if (killedNs !== undefined) life.killedMs = this.#lives.ms(killedNs)
      if (dialsFailed !== undefined) life.dialsFailed = dialsFailed
      if (error !== undefined) life.error = error
    }
  }

  /** receive takes all receipts. @param {ReceivedRows} rows */
  receive({ node, atNs }) {
    for (let i = 0; i < node.length; i++) {
      const life = this.#lives.of(node[i])
      if (life === undefined) continue
      const ms = this.#lives.ms(atNs[i])
      life.firstDeliveryMs = Math.min(life.firstDeliveryMs ?? Infinity, ms)
    }
  }

  /** result so far. @param {number} endNs - of the publish phase, or up to which all is known */
  result(endNs) {
    const untilMs = this.#lives.ms(endNs)
    return {
      lives: this.#lives.counts(),
      connect: this.#lives.sinceStart(({ connectedMs }) => connectedMs, untilMs).summary,
      firstDelivery: this.#lives.sinceStart(({ firstDeliveryMs }) => firstDeliveryMs, untilMs)
    }
  }
}

/** @param {Life} life @returns {LifeResult} */
const begun = ({ node, slot, startMs, killMs }) => ({
  node,
  slot,
  startDueMs: startMs,
  startedMs: null,
  connectedMs: null,
  firstDeliveryMs: null,
  killDueMs: killMs,
  killedMs: null,
  dialsFailed: 0,
  error: null
})
