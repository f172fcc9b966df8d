import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { present } from '../../../kit/lists.js'
import { livesOf, nodesLeave, stableOf } from '../../../load/churn.js'
import { subscriptionsOf } from '../../../load/subscriptions.js'
import { gossipKeyOf } from '../../../network/gossip/identity.js'
import { ChurnMeasurement } from '../measure/churn.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('./gossip.js').Companion} Companion
 * @typedef {import('./gossip-pool.js').GossipPool} GossipPool
 * @typedef {import('../../../result/types.js').Warning} Warning
 */

/** Later than this, a node was not where the schedule has it. */
const LATE_MS = 1000

/**
 * ChurnedNodes counts what is received in a network whose nodes leave, or follow a script, while messages are published. Those that return as
 * themselves do so by the schedule of the plan, which their hosts have; new ones are started by the hosts when they are asked to.
 *
 * @implements {Companion}
 */
export class ChurnedNodes {
  #plan
  /** @type {import('../../../load/churn.js').Life[]} none: nodes return as themselves */
  #lives
  /** @type {{ pool: GossipPool, peers: { node: number, peerId: string }[] } | null} */
  #hosts = null
  /** @type {Promise<void>} */
  #replacing = Promise.resolve()
  /** @type {ChurnMeasurement | null} */
  #measured = null
  #begun = false
  subscriptions

  /** @param {GossipPlan} plan */
  constructor(plan) {
    this.#plan = plan
    this.#lives = plan.churn?.asNew ? livesOf(plan) : []
    const own = subscriptionsOf(plan)
    // who takes a place subscribes to what the one before it did
    const later = this.#later.map(({ slot }) => own[slot])
    // where only a group leaves, the others publish
    const publishing = own.slice(0, stableOf(plan) || plan.nodes)
    this.subscriptions = { all: [...own, ...later], publishing }
  }

  /** null: nothing was published. */
  get #measuredSoFar() {
    return this.#begun ? this.#measured : null
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
    const measured = new ChurnMeasurement(this.#plan, { subscriptions: this.subscriptions.all, stretch })
    this.#measured = measured
    return {
      lens: measured,
      subscriptions: measured.subscriptions,
      isThere: (/** @type {number} */ node, /** @type {number} */ us, /** @type {number} */ topic) =>
        measured.isThere(node, us, topic)
    }
  }

  /** begin lets the hosts begin. @param {number} startNs */
  begin(startNs) {
    this.#begun = true
    if (this.#hosts === null || this.#lives.length === 0) return
    const { pool, peers } = this.#hosts
    // a worker that dies is noticed elsewhere
    this.#replacing = pool.churn({ lives: this.#lives, startNs, peers }).catch(() => {})
  }

  /** stop waits until the last node was killed or started. */
  async stop() {
    await this.#replacing
  }

  /** @returns {Pick<import('../gossip-types.js').GossipOutcome, 'churn' | 'script'>} */
  outcome() {
    const measured = this.#measuredSoFar
    return {
      ...(nodesLeave(this.#plan) && { churn: measured?.result() ?? null }),
      ...(this.#plan.networkFile?.script.length && { script: measured?.script().script ?? null })
    }
  }

  /** @param {Warning[]} ofRun @returns {Warning[]} */
  warnings(ofRun) {
    const { latestMs = 0, failed = 0 } = this.#measuredSoFar?.result().lives ?? {}
    const { script, error = null } = this.#measuredSoFar?.script() ?? {}
    const notDone = script?.failed ?? 0
    const scriptLatestMs = script?.latestMs ?? 0
    return present([
      ...ofRun,
      failed > 0 && { code: 'STARTS_FAILED', values: { count: failed } },
      latestMs > LATE_MS && { code: 'ROTATION_LATE', values: { latestMs } },
      notDone > 0 && { code: 'ACTIONS_FAILED', values: { count: notDone, error } },
      scriptLatestMs > LATE_MS && { code: 'SCRIPT_LATE', values: { latestMs: scriptLatestMs } }
    ])
  }
}
