import { gossipPackages } from '../../../libp2p/stack-packages.js'
import { clockErrorOf } from '../../../measure/clock-error.js'
import { componentOfEach } from '../../../network/topology/count-components.js'
import { RunHeader } from '../../run-header.js'
import { DeliveryRows } from '../measure/delivery-rows.js'
import { Groups } from '../measure/groups.js'
import { limitedNetwork } from '../measure/limited-network.js'
import { UsageByPhase } from '../measure/usage-by-phase.js'
import { processesOf } from '../plan/processes-of.js'
import { GossipMeasurement } from './gossip-measurement.js'
import { gossipOutcome, gossipWarnings, simulatorOf, topologyResult } from './gossip-result.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('./gossip-result.js').GossipKnown} GossipKnown
 * @typedef {import('./gossip.js').Companion} Companion
 * @typedef {Pick<ConstructorParameters<typeof GossipMeasurement>[0], 'startNs' | 'planned'>} Stretch
 */

/** @param {GossipPlan} plan */
const packagesOf = ({ stack, pubsub }) => [
  ...gossipPackages(stack),
  ...(pubsub === 'floodsub' ? ['@libp2p/floodsub'] : [])
]

/** GossipDocument is everything known of a gossip run so far; `result` can be asked for at any time. */
export class GossipDocument {
  #plan
  #id
  #subscriptions
  #companion
  header
  phases
  /** @type {GossipMeasurement} */
  measurement
  /** Of the topology, by node. @type {import('../measure/evidence.js').Reach['components']} */
  components = null
  /** @type {Omit<GossipKnown, 'brokeOff' | 'dialled'>} */
  known = {
    settings: {},
    rendezvous: null,
    traceErrors: [],
    mesh: { formedAfterMs: null, missing: [], degrees: {} },
    publishEnds: [],
    meshPeersWithoutStream: 0,
    deliveries: null,
    windows: [],
    /** @type {import('../../namespaces/namespace-network.js').NamespaceNetwork | null} */
    joinedBy: null,
    /** @type {import('./gossip-result.js').GossipKnown['carried']} */
    carried: null,
    /** @type {import('./gossip-rendezvous.js').RendezvousServer | null} null: nodes did not find one another at one */
    server: null,
    /** @type {import('../../containers/node-containers.js').NodeContainers | null} */
    containers: null
  }
  #topology
  #begun = false
  #deliveriesFile

  /**
   * @param {GossipPlan} plan
   * @param {object} run
   * @param {string} run.id
   * @param {import('../../run-log.js').RunLog} run.log
   * @param {readonly (readonly number[])[]} run.subscriptions
   * @param {Companion} run.companion
   * @param {string | null} [run.deliveries] - path of a file with a row for each delivery; null: there is none
   */
  constructor(plan, { id, log, subscriptions, companion, deliveries = null }) {
    this.#deliveriesFile = deliveries
    this.#plan = plan
    this.#companion = companion
    this.#id = id
    this.#subscriptions = subscriptions
    this.phases = new UsageByPhase(processesOf(plan))
    this.header = new RunHeader(id, log, packagesOf(plan))
    this.#topology = topologyResult(plan, [])
    this.measurement = this.#measurementOf({ startNs: 0, planned: null })
  }

  /** dialled keeps the connections of the network. @param {GossipKnown['dialled']} dialled */
  dialled(dialled) {
    const { topology, nodes } = this.#plan
    this.#topology = topologyResult(this.#plan, dialled)
    // nodes that find one another, or are replaced, have no edges that stay
    if (topology.kind !== 'rendezvous' && this.#subscriptions.length === nodes)
      this.components = componentOfEach(
        nodes,
        dialled.map(({ from, to }) => [from, to])
      )
  }

  /** begin begins the measurement. @param {Stretch} stretch */
  begin(stretch) {
    this.#begun = true
    const [path, plan, nodes] = [this.#deliveriesFile, this.#plan, this.#subscriptions.length]
    const rows = path === null ? null : new DeliveryRows(path, { plan, nodes, startNs: stretch.startNs })
    this.measurement = this.#measurementOf({ ...stretch, rows, groups: Groups.of(plan) })
    return this.measurement
  }

  /** @param {Stretch & { rows?: DeliveryRows | null, groups?: Groups | null }} stretch */
  #measurementOf(stretch) {
    const { network } = this.#plan
    return new GossipMeasurement({
      workers: processesOf(this.#plan),
      nodes: this.#subscriptions.length,
      simulated: network === 'simulated',
      subscriptions: this.#subscriptions,
      ...stretch,
      ...this.#companion.measurement?.(stretch)
    })
  }

  /** @returns {import('../../../result/types.js').StartRecord} */
  startRecord() {
    return { type: 'start', id: this.#id, plan: this.#plan, run: this.header.run([], []) }
  }

  /** @returns {GossipResult} */
  result() {
    const { measurement, header, known } = this
    // who waits for what never comes is idle, which says nothing of the time in which it published
    const health = this.phases.health('publish')
    const { brokeOff } = header
    const clockErrorMs = clockErrorOf(header.fleet?.agents(() => 0) ?? [])
    const outcome = gossipOutcome(this.#plan, measurement, {
      ...known,
      clockErrorMs,
      brokeOff,
      phases: this.phases,
      dialled: [],
      topology: this.#topology
    })
    const run = header.run(health, [], known.containers?.versions)
    const limitedBy = limitedNetwork({ plan: this.#plan, outcome, run })
    const warnings = this.#companion.warnings(
      gossipWarnings(outcome, health, {
        limitedBy,
        ...known,
        clockErrorMs,
        rowsError: measurement.rows?.error,
        publishMs: this.#publishMs,
        begun: this.#begun
      })
    )
    return /** @type {GossipResult} */ ({
      ...header.ending(),
      scenario: this.#plan.scenario,
      plan: this.#plan,
      outcome: { ...outcome, ...(limitedBy !== undefined && { limitedBy }), ...this.#companion.outcome() },
      run: {
        ...run,
        warnings: [...run.warnings, ...warnings],
        ...simulatorOf(this.#plan, measurement, known.windows)
      }
    })
  }

  /** How long it was published for; 0: that is not over. */
  get #publishMs() {
    const { publishEnds } = this.known
    const endNs = Math.max(this.measurement.startNs, ...publishEnds.map(({ endedNs }) => endedNs))
    return (endNs - this.measurement.startNs) / 1e6
  }
}
