import { sumOf } from '../../../kit/lists.js'
import { clientPackages, gossipPackages } from '../../../libp2p/stack-packages.js'
import { serverStackOf } from '../../../libp2p/stacks.js'
import { clockErrorOf, withheldBelow } from '../../../measure/clock-error.js'
import { judgeAll } from '../../../result/thresholds/judge.js'
import { packageVersions } from '../../environment.js'
import { namespaceWarnings } from '../../namespaces/namespace-warnings.js'
import { RunHeader } from '../../run-header.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'
import { limitedRun } from '../measure/limited-run.js'
import { Measurement } from '../measure/measurement.js'
import { figuresSoFar } from '../measure/operation-result.js'
import { HOUR_OF_POINTS } from '../measure/points-over-time.js'
import { publishes } from '../plan/full-peers.js'
import { healthOfRun, outcomeOfRun } from './rendezvous-result.js'
import { warningsOfRun } from './run-warnings.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../target/target.js').Target} Target
 */

/** What our server runs on, where clients do not run on the same. @param {Plan} plan @returns {Record<string, string>} */
function serverVersions(plan) {
  const stack = serverStackOf(plan)
  if (plan.target !== null || (plan.stack.length === 1 && plan.stack[0] === stack)) return {}
  const found = Object.entries(packageVersions(clientPackages([stack])))
  return Object.fromEntries(found.map(([name, version]) => [`server ${name}`, version]))
}

/**
 * What is registered at one machine is discovered at another: times that are less than these may be off by say nothing.
 *
 * @param {import('../churn-schema.js').Churned} churn
 * @param {number} errorMs
 */
function withheld({ visible, ...churn }, errorMs) {
  const { all, known } = visible.delay
  const delay = { all: withheldBelow(all, errorMs), known: withheldBelow(known, errorMs) }
  return { ...churn, visible: { ...visible, delay } }
}

/** RunDocument is everything known of a rendezvous run so far; `result` can be asked for at any time. */
export class RunDocument {
  #plan
  #id
  #log
  #header
  measurement
  /** @type {Target | null} */
  target = null
  /** @type {import('../../../libp2p/node-settings.js').Settings} as nodes of clients have them */
  clientSettings = {}
  /** @type {string | null} what --server auto was decided by */
  targetChosenBy = null
  /** @type {Result['outcome']['registrations']} */
  registrations = { before: null, after: null, namespaces: null }
  /** @type {Result['outcome']['lookUp']} */
  lookUp = null
  /** @type {Result['outcome']['warmUp']} */
  warmUp = null
  /** @type {Result['outcome']['floor']} what its clients measured of a null server */
  floor = undefined
  /** @type {import('../../namespaces/joined.js').Joined | null} what joins server and clients */
  joined = null
  /** @type {import('./peer-network.js').PeerNetwork | null} null: clients are no full peers */
  peers = null
  /** @type {import('../../profile/profiles.js').Profiles | null} null: nothing is sampled */
  profiles = null
  /** @type {import('../hostile/hostile-peers.js').HostilePeers | null} null: there are none */
  hostile = null
  /** @type {{ detail: string, count: number }[]} */
  badReplies = []

  /**
   * @param {Plan} plan
   * @param {string} id
   * @param {import('../../run-log.js').RunLog} log
   * @param {import('../../../workers/fleet.js').Fleet} [fleet] - machines that hold the workers
   */
  constructor(plan, id, log, fleet) {
    this.#plan = plan
    this.#id = id
    this.#log = log
    const packagesOf = publishes(plan) ? gossipPackages : clientPackages
    this.#header = new RunHeader(id, log, packagesOf(plan.stack))
    this.#header.fleet = fleet
    // how long a fault was felt is told to the second
    this.measurement = new Measurement(plan.workers, plan.faults.length > 0 ? { points: HOUR_OF_POINTS } : {})
  }

  /** header is how the run ended, when and where. */
  get header() {
    return this.#header
  }

  /** figures are those so far. @returns {import('../../../result/types.js').Figures} */
  figures() {
    const gossip = this.peers?.figures
    const hostile = this.hostile?.outcome()
    return {
      ...figuresSoFar(this.measurement),
      ...(gossip !== undefined && { gossip }),
      ...(hostile !== undefined && { hostile })
    }
  }

  /** @returns {import('../../../result/types.js').StartRecord} */
  startRecord() {
    return { type: 'start', id: this.#id, plan: this.#plan, run: this.#header.run([], []) }
  }

  /**
   * judged are the thresholds of the run, by what was measured.
   *
   * @param {import('../../../result/types.js').Figures} figures
   */
  judged(figures) {
    return judgeAll(this.#plan.thresholds, figures, RENDEZVOUS_FIGURES, this.#header.brokeOff)
  }

  /** By how much times between clients of two machines may be off. */
  get #clockErrorMs() {
    return clockErrorOf(this.#header.fleet?.agents(() => 0) ?? [])
  }

  /** @param {Result['run']} run */
  #withOperations({ agents, ...run }) {
    if (agents === undefined) return run
    const { workerOperations } = this.measurement
    const counted = agents.map(row => ({
      ...row,
      operations: sumOf(row.workers, worker => workerOperations[worker])
    }))
    return { ...run, agents: counted }
  }

  /** @returns {Result} */
  result() {
    const health = healthOfRun(this.measurement)
    const namespaces = this.joined?.figures ?? null
    const outcome = outcomeOfRun(this.#plan, this.measurement, {
      namespaces,
      target: {
        kind: this.target?.kind ?? 'none',
        chosenBy: this.targetChosenBy,
        multiaddr: this.target?.multiaddr ?? null,
        container: this.target?.container ?? null,
        settings: {
          // the options it was started with, and what its node has; of a server of others nothing is known
          server: { ...this.target?.settings, ...this.target?.nodeSettings },
          clients: this.clientSettings
        }
      },
      memoryCountedAs: this.target?.memoryCountedAs ?? null,
      registrations: this.registrations,
      lookUp: this.lookUp,
      warmUp: this.warmUp,
      floor: this.floor,
      gossip: this.peers?.outcome,
      profiles: this.profiles,
      hostile: this.hostile?.outcome(),
      judged: figures => this.judged(figures),
      sinceBegin: ms => this.#log.sinceBegin(ms)
    })
    const known = {
      namespacesUsed: this.measurement.namespacesUsed,
      badReplies: this.badReplies
    }
    const run = this.#header.run(health, [], {
      ...serverVersions(this.#plan),
      ...this.target?.versions
    })
    const limitedBy = limitedRun({ plan: this.#plan, outcome, run })
    const clockErrorMs = this.#clockErrorMs
    const { churn } = outcome
    const warnings = [
      ...warningsOfRun(this.#plan, outcome, health, { ...known, limitedBy, clockErrorMs }),
      ...((outcome.gossip && this.peers?.warnings(outcome.gossip)) ?? []),
      ...((outcome.hostile && this.hostile?.warnings(outcome.hostile)) ?? []),
      ...namespaceWarnings(namespaces),
      ...(this.profiles?.warnings ?? [])
    ]
    return {
      ...this.#header.ending(),
      scenario: 'rendezvous',
      plan: this.#plan,
      outcome: {
        ...outcome,
        ...(churn !== undefined && clockErrorMs > 0 && { churn: withheld(churn, clockErrorMs) }),
        ...(limitedBy !== undefined && { limitedBy })
      },
      run: this.#withOperations({ ...run, warnings: [...run.warnings, ...warnings] })
    }
  }
}
