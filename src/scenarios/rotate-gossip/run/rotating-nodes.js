import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { present } from '../../../kit/lists.js'
import { rotationSchedule } from '../../../load/rotation-schedule.js'
import { subscriptionsOf } from '../../../load/subscriptions.js'
import { gossipKeyOf } from '../../../network/gossip/identity.js'
import { RotateGossipMeasurement } from './rotate-gossip-measurement.js'

/**
 * @typedef {import('../plan/rotate-gossip-options.js').RotateGossipPlan} RotateGossipPlan
 * @typedef {import('../../gossip/run/companion.js').Companion} Companion
 * @typedef {import('../../gossip/run/gossip-pool.js').GossipPool} GossipPool
 * @typedef {import('../../../result/types.js').Warning} Warning
 */

/** Later than this, a node was not where the schedule has it. */
const LATE_MS = 1000

/**
 * RotatingNodes has the hosts kill and start nodes while messages are published.
 *
 * @implements {Companion}
 */
export class RotatingNodes {
  #plan
  #lives
  /** @type {{ pool: GossipPool, peers: { node: number, peerId: string }[] } | null} */
  #hosts = null
  /** @type {Promise<void>} */
  #rotating = Promise.resolve()
  /** @type {RotateGossipMeasurement | null} */
  #measured = null
  #begun = false
  subscriptions

  /** @param {RotateGossipPlan} plan */
  constructor(plan) {
    this.#plan = plan
    this.#lives = rotationSchedule(plan)
    const own = subscriptionsOf(plan)
    // who takes a place subscribes to what the one before it did
    const later = this.#later.map(({ slot }) => own[slot])
    this.subscriptions = { all: [...own, ...later], publishing: own.slice(0, plan.stable) }
  }

  /** What was measured; null: nothing was published. */
  get #result() {
    return this.#begun ? (this.#measured?.result() ?? null) : null
  }

  /** Lives that begin later. */
  get #later() {
    return this.#lives.filter(({ startMs }) => startMs !== null)
  }

  /** start makes the identities of the nodes to come. @param {GossipPool} pool */
  async start(pool) {
    const peers = await Promise.all(
      this.#later.map(async ({ node }) => ({
        node,
        peerId: peerIdFromPrivateKey(await gossipKeyOf(this.#plan, node)).toString()
      }))
    )
    this.#hosts = { pool, peers }
  }

  /** @param {{ startNs: number, planned: number | null }} stretch */
  measurement(stretch) {
    const measured = new RotateGossipMeasurement(this.#plan, {
      lives: this.#lives,
      subscriptions: this.subscriptions.all,
      stretch
    })
    this.#measured = measured
    return {
      lens: measured,
      isThere: (/** @type {number} */ node, /** @type {number} */ us) => measured.isThere(node, us)
    }
  }

  /** begin lets the hosts begin. @param {number} startNs */
  begin(startNs) {
    if (this.#hosts === null) return
    this.#begun = true
    const { pool, peers } = this.#hosts
    // a worker that dies is noticed elsewhere
    this.#rotating = pool.rotate({ lives: this.#lives, startNs, peers }).catch(() => {})
  }

  /** stop waits until the last node was killed or started. */
  async stop() {
    await this.#rotating
  }

  /** @returns {{ rotation: import('../rotate-gossip-types.js').RotateGossip | null }} */
  outcome() {
    return { rotation: this.#result }
  }

  /** @param {Warning[]} ofRun @returns {Warning[]} */
  warnings(ofRun) {
    const { latestMs = 0, failed = 0 } = this.#result?.lives ?? {}
    return present([
      ...ofRun,
      failed > 0 && { code: 'STARTS_FAILED', values: { count: failed } },
      latestMs > LATE_MS && { code: 'ROTATION_LATE', values: { latestMs } }
    ])
  }
}
