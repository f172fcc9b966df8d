import { Joined } from '../../namespaces/joined.js'
import { networkPlan } from '../../namespaces/network-plan.js'
import { roundsOf } from '../plan/rounds.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../transfer-plan.js').Round} Round
 * @typedef {import('../../gossip/gossip-types.js').NamespaceFigures} NamespaceFigures
 * @typedef {Round & NamespaceFigures} RoundFigures - what is known of the links of a round
 */

/** JoinedRounds are the links between the sides, those of one round after the other: at sockets, or between network namespaces. */
export class JoinedRounds {
  #plan
  /** @type {Round} the one that goes on */
  #round
  /** @type {RoundFigures[]} */
  #past = []
  joined = new Joined()

  /** @param {TransferPlan} plan */
  constructor(plan) {
    this.#plan = plan
    this.#round = roundsOf(plan)[0]
  }

  /** start makes what joins the sides in the first round. @param {(error: Error) => void} onTrouble */
  async start(onTrouble) {
    if (this.#plan.network === 'namespaces') await this.joined.start(this.#links(this.#round), onTrouble)
  }

  /** begin is told when it is measured from now on. */
  begin() {
    return this.joined.begin()
  }

  /** go goes on to a round, when nothing is sent. @param {Round} round */
  async go(round) {
    const { network } = this.joined
    const { latencyMs, bytesPerSecond } = this.#round
    const isSame = latencyMs === round.latencyMs && bytesPerSecond === round.bytesPerSecond
    if (network === null || isSame) return
    await this.over()
    this.#past = this.figures
    this.#round = round
    await network.relink(this.#links(round))
    await this.begin()
  }

  /** over keeps what the links of a round were found to be, and what went over them. */
  over() {
    return this.joined.over()
  }

  /** settings of what is between the sides. @param {Round} round @returns {Pick<import('./ways/way.js').NodeSettings, 'line' | 'host'>} */
  settings(round) {
    const free = round.latencyMs === 0 && round.bytesPerSecond === null
    return { host: this.joined.host(0), line: free || this.joined.network !== null ? null : round }
  }

  /** figures of each round so far; none where no namespaces were asked for. @returns {RoundFigures[]} */
  get figures() {
    const { figures } = this.joined
    return figures === null ? this.#past : [...this.#past, { ...this.#round, ...figures }]
  }

  stop() {
    return this.joined.stop()
  }

  /** @param {Round} round */
  #links({ latencyMs, bytesPerSecond }) {
    const { seed, linkLossShare } = this.#plan
    const asked = {
      ...{ seed, linkLossShare },
      linkLatency: latencyMs === 0 ? null : { kind: /** @type {const} */ ('constant'), ms: latencyMs },
      upBandwidthBytesPerSecond: bytesPerSecond
    }
    return networkPlan(asked, 1 + this.#plan.requestors)
  }
}
