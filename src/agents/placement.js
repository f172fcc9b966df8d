// Placement of a run on agents: which of them take part, which workers each holds, who dials whom.
import { formatCount } from '../kit/numbers.js'
import { makeSubStream } from '../kit/random.js'
import { makeTopology } from '../network/topology.js'
import { publishesMessages } from '../scenarios/rendezvous/peer-options.js'

/**
 * @typedef {import('./agent.js').AgentCard} AgentCard
 * @typedef {{ agent: string, why: string }} AgentRefusal
 */

/** FleetError is thrown where agents cannot be had. */
export class FleetError extends Error {
  name = 'FleetError'
  code = 'NO_AGENTS'

  /** @param {readonly AgentRefusal[]} refusals */
  constructor(refusals) {
    super(refusals.map(({ agent, why }) => `${agent}: ${why}`).join('; '))
    this.refusals = refusals
  }
}

/**
 * chooseAgents takes as many as are wanted, free ones of this release.
 *
 * @param {readonly AgentCard[]} cards
 * @param {import('../plan/agents.js').WantedAgents} wanted
 * @param {Release} own
 * @returns {AgentCard[]}
 * @throws {FleetError}
 */
export function chooseAgents(cards, wanted, own) {
  const left = new Set(cards.filter(card => compareReleases(card, own) === null && card.busy === null))
  return wanted.flatMap(({ tag, count }) => {
    const fits = [...left].filter(({ tags }) => tag === null || tags.includes(tag)).slice(0, count)
    if (fits.length < count) throw new FleetError(tooFew({ tag, count }, fits.length, cards, own))
    for (const card of fits) left.delete(card)
    return fits
  })
}

/**
 * @param {import('../plan/agents.js').WantedAgents[number]} wanted
 * @param {number} freeCount
 * @param {readonly AgentCard[]} cards
 * @param {Release} own
 * @returns {AgentRefusal[]}
 */
function tooFew({ tag, count }, freeCount, cards, own) {
  const what = `${formatCount(count, 'agent')}${tag === null ? '' : ` with the tag ${tag}`}`
  const others = cards.flatMap(card => {
    const name = `agent ${card.id} (${card.host})`
    const other = compareReleases(card, own)
    if (other !== null) return [{ agent: name, why: `is ${other.theirs}, and this is ${other.ours}` }]
    return card.busy === null ? [] : [{ agent: name, why: `is busy with run ${card.busy}` }]
  })
  return [
    {
      agent: what,
      why: `requested, but ${freeCount} free on the bus: start more, or list them with the command agents`
    },
    ...others
  ]
}

/**
 * @typedef {object} AgentPaths - who dials whom in a run. Agents are numbers: worker w is on agent w mod n
 * @property {readonly number[]} here - that dial what listens on the machine of the run
 * @property {readonly string[]} targets - servers of others, multiaddrs: every agent dials each
 * @property {readonly (readonly [from: number, to: number])[]} between - that dial nodes of one another
 */

/**
 * countWorkers is how many processes of a plan agents hold.
 *
 * @param {{ workers?: number, requestors?: number }} plan
 */
export const countWorkers = ({ workers, requestors }) => workers ?? requestors ?? 1

/** countAgentWorkers is how many of them an agent holds. @param {any} plan @param {number} agent @param {number} agents - all */
export const countAgentWorkers = (plan, agent, agents) => Math.ceil((countWorkers(plan) - agent) / agents)

/**
 * findPaths says who dials whom in a run.
 *
 * @param {any} plan
 * @param {number} agents
 * @returns {AgentPaths}
 */
export function findPaths(plan, agents) {
  const all = Array.from({ length: agents }, (_, agent) => agent)
  const { topology = null, target = null } = plan
  const targets = plan.targets ?? (target === null ? [] : [target])
  if (topology === null)
    return {
      here: targets.length > 0 ? [] : all,
      targets,
      between: publishesMessages(plan) ? everyPair(all) : []
    }
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
  const { edges } = makeTopology(topology, { nodes, random: makeSubStream(seed, 'topology') })
  const pairs = edges.map(([from, to]) => `${agentOf(from)} ${agentOf(to)}`)
  return [...new Set(pairs)]
    .map(pair => /** @type {[number, number]} */ (pair.split(' ').map(Number)))
    .filter(([from, to]) => from !== to)
}

/**
 * @typedef {Pick<import('./messages.js').AgentCard, 'version' | 'format'>} Release - of whoever speaks on the bus; `format` was not told before there was a
 *   second one
 */

/**
 * compareReleases says how another release differs from ours; null: it does not.
 *
 * @param {Release} theirs
 * @param {Release} ours
 * @returns {{ theirs: string, ours: string } | null}
 */
export function compareReleases(theirs, ours) {
  const [their, own] = [`version ${theirs.version}`, `version ${ours.version}`]
  if (their !== own) return { theirs: their, ours: own }
  const [theirFormat, ownFormat] = [theirs, ours].map(
    ({ format = '1' }) => `with format ${format} of the bus`
  )
  return theirFormat === ownFormat ? null : { theirs: `${their} ${theirFormat}`, ours: `${own} ${ownFormat}` }
}
