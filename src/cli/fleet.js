// Reserves agents, which run workers on other machines, for the run or study of a command.
import { randomUUID } from 'node:crypto'
import { countWantedAgents, parseBusAddress } from '../plan/agents.js'

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../plan/plan.js').Problem} Problem
 *
 * @typedef {object} OpenFleet
 * @property {{ fleet?: import('../run/fleet.js').Fleet }} components - of the run
 * @property {() => Promise<void>} close
 *
 * @typedef {object} OpenFleets
 * @property {{ fleets?: import('../run/fleet.js').FleetPool }} components - of the study
 * @property {() => Promise<void>} close
 *
 * @typedef {Omit<import('../agents/fleet.js').StudyAgentsOptions, 'plans' | 'say'>} AgentsOptions
 */

const THIS_MACHINE = { components: {}, close: async () => {} }

/**
 * openFleet reserves agents for the workers of a run, if its options ask for agents.
 *
 * @param {import('./scenario-command.js').PlannedRun} planned
 * @param {Pick<import('./index.js').ProcessIo, 'version' | 'stderr'>} io
 * @returns {Promise<OpenFleet | { problem: Problem }>} why nothing was started
 */
export const openFleet = ({ plan, output }, io) =>
  openFor([plan], output, io, async ({ wanted, ...options }) => {
    const { Fleet } = await import('../agents/fleet.js')
    const run = randomUUID().slice(0, 8)
    const fleet = await Fleet.open({ ...options, from: wanted, run, plan, say: sayTo(io) })
    return { components: { fleet }, close: () => fleet.close() }
  })

/**
 * openFleets reserves agents for all runs of a study, if its options ask for agents.
 *
 * @param {readonly AnyPlan[]} plans - of its runs, as far as they are known
 * @param {Readonly<Output>} output
 * @param {Pick<import('./index.js').ProcessIo, 'version' | 'stderr'>} io
 * @returns {Promise<OpenFleets | { problem: Problem }>} why nothing was started
 */
export const openFleets = (plans, output, io) =>
  openFor(plans, output, io, async options => {
    const { StudyAgents } = await import('../agents/fleet.js')
    const fleets = await StudyAgents.open({ ...options, plans, say: sayTo(io) })
    return { components: { fleets }, close: () => fleets.close() }
  })

/** @param {Pick<import('./index.js').ProcessIo, 'stderr'>} io */
const sayTo =
  ({ stderr }) =>
  (/** @type {string} */ text) =>
    void stderr.write(`${text}\n`)

/**
 * @template T
 * @param {readonly AnyPlan[]} plans
 * @param {Readonly<Output>} output
 * @param {{ version: string }} io
 * @param {(options: AgentsOptions) => Promise<T>} open
 * @returns {Promise<T | typeof THIS_MACHINE | { problem: Problem }>}
 */
async function openFor(plans, output, { version }, open) {
  const { bus: url, busCredentials, busCa, agents: wanted, address = null, onLostAgent = 'stop' } = output
  if (url == null || wanted == null) return THIS_MACHINE
  const count = countWantedAgents(wanted)
  /** @param {string} flag @param {string} value @param {string} allowed */
  const problem = (flag, value, allowed) => ({ problem: { flag, value, allowed } })
  const { countWorkers } = await import('../agents/placement.js')
  const workers = Math.min(...plans.map(plan => countWorkers(/** @type {any} */ (plan))))
  if (count > workers)
    return problem('--agents', String(count), `must be at most the ${workers} workers of the plan`)
  const bus = parseBusAddress(url, { credentials: busCredentials, ca: busCa })
  try {
    return await open({ bus, address, wanted, onLostAgent, version })
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error)
    if (code === 'NO_AGENTS') return problem('--agents', String(count), message)
    if (code === 'NO_ADDRESS') return problem('--address', address ?? '', message)
    if (code === 'BUS') return problem('--bus', bus.url, message)
    throw error
  }
}
