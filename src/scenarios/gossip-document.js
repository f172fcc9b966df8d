import { GossipMeasurement } from './gossip-measurement.js'
import { gossipOutcome, gossipWarnings, topologyResult } from './gossip-result.js'
import { RunHeader } from './run-header.js'

/**
 * @typedef {import('../plan/gossip/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../result/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('./gossip-result.js').GossipKnown} GossipKnown
 */

const PACKAGES = Object.freeze([
  'libp2p',
  '@libp2p/gossipsub',
  '@libp2p/tcp',
  '@libp2p/identify',
  '@libp2p/utils',
  '@chainsafe/libp2p-noise',
  '@chainsafe/libp2p-yamux',
  '@libp2p/mplex',
  '@libp2p/plaintext'
])

/** GossipDocument is everything known of a gossip run so far; `result` can be asked for at any time. */
export class GossipDocument {
  #plan
  #id
  #subscriptions
  header
  /** @type {GossipMeasurement} */
  measurement
  /** @type {Omit<GossipKnown, 'brokeOff' | 'dialled'>} */
  known = {
    rendezvous: null,
    mesh: { formedAfterMs: null, missing: [], degrees: {} },
    publishEnds: [],
    meshPeersWithoutStream: 0,
    deliveries: null
  }
  #topology

  /**
   * @param {GossipPlan} plan
   * @param {object} run
   * @param {string} run.id
   * @param {import('./run-log.js').RunLog} run.log
   * @param {readonly (readonly number[])[]} run.subscriptions
   */
  constructor(plan, { id, log, subscriptions }) {
    this.#plan = plan
    this.#id = id
    this.#subscriptions = subscriptions
    this.header = new RunHeader(id, log, PACKAGES)
    this.#topology = topologyResult(plan, [])
    this.measurement = this.#measurementFrom(0, null)
  }

  /** dialled keeps the connections of the network. @param {GossipKnown['dialled']} dialled */
  dialled(dialled) {
    this.#topology = topologyResult(this.#plan, dialled)
  }

  /** begin begins the measurement. @param {number} startNs @param {number | null} planned - messages */
  begin(startNs, planned) {
    this.measurement = this.#measurementFrom(startNs, planned)
    return this.measurement
  }

  /** @param {number} startNs @param {number | null} planned */
  #measurementFrom(startNs, planned) {
    const { workers, nodes } = this.#plan
    return new GossipMeasurement({
      workers,
      nodes,
      subscriptions: this.#subscriptions,
      startNs,
      planned
    })
  }

  /** @returns {import('../result/types.js').StartRecord} */
  startRecord() {
    return { type: 'start', id: this.#id, plan: this.#plan, run: this.header.run([], []) }
  }

  /** @returns {GossipResult} */
  result() {
    const { measurement, header, known } = this
    const health = measurement.usage.map((usage, worker) => usage.health(worker))
    const { brokeOff } = header
    const outcome = gossipOutcome(this.#plan, measurement, {
      ...known,
      brokeOff,
      dialled: [],
      topology: this.#topology
    })
    return {
      ...header.ending(),
      scenario: 'gossip',
      plan: this.#plan,
      outcome,
      run: header.run(health, gossipWarnings(outcome, health, known))
    }
  }
}
