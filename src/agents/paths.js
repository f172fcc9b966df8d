import { subStream } from '../kit/random.js'
import { makeTopology } from '../network/topology/make-topology.js'
import { publishes } from '../scenarios/rendezvous/plan/full-peers.js'

/**
 * @typedef {object} Paths - who dials whom in a run. Agents are numbers: worker w is on agent w mod n
 * @property {readonly number[]} here - that dial what listens on the machine of the run
 * @property {readonly string[]} targets - servers of others, multiaddrs: every agent dials each
 * @property {readonly (readonly [from: number, to: number])[]} between - that dial nodes of one another
 */

/**
 * workersOf is how many processes of a plan agents hold.
 *
 * @param {{ workers?: number, requestors?: number }} plan
 */
export const workersOf = ({ workers, requestors }) => workers ?? requestors ?? 1

/** shareOf is how many of them an agent holds. @param {any} plan @param {number} agent @param {number} agents - all */
export const shareOf = (plan, agent, agents) => Math.ceil((workersOf(plan) - agent) / agents)

/**
 * pathsOf says who dials whom in a run.
 *
 * @param {any} plan
 * @param {number} agents
 * @returns {Paths}
 */
export function pathsOf(plan, agents) {
  const all = Array.from({ length: agents }, (_, agent) => agent)
  const { topology = null, target = null } = plan
  const targets = plan.targets ?? (target === null ? [] : [target])
  if (topology === null)
    return { here: targets.length > 0 ? [] : all, targets, between: publishes(plan) ? everyPair(all) : [] }
  // nodes that find one another do so at a server of the run's own
  const here = topology.kind === 'rendezvous' ? all : []
  return { here, targets, between: betweenNodes(plan, all) }
}

/** @param {readonly number[]} agents @returns {[number, number][]} */
const everyPair = agents =>
  agents.flatMap(from =>
    agents.flatMap(to => (from === to ? [] : [/** @type {[number, number]} */ ([from, to])]))
  )

/** @param {any} plan @param {readonly number[]} agents @returns {[number, number][]} each pair once */
function betweenNodes({ scenario, topology, churn, nodes, workers, seed }, agents) {
  // whom a node dials that takes the place of another one, and who finds whom, only the run tells
  if (scenario !== 'gossip' || churn?.asNew || topology.kind === 'rendezvous') return everyPair(agents)
  const agentOf = (/** @type {number} */ node) => (node % workers) % agents.length
  const { edges } = makeTopology(topology, { nodes, random: subStream(seed, 'topology') })
  const pairs = edges.map(([from, to]) => `${agentOf(from)} ${agentOf(to)}`)
  return [...new Set(pairs)]
    .map(pair => /** @type {[number, number]} */ (pair.split(' ').map(Number)))
    .filter(([from, to]) => from !== to)
}
