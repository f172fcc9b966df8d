import { randomUUID } from 'node:crypto'
import { agentsIn } from '../plan/agents-option.js'
import { busAddress } from '../plan/bus-address.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 *
 * @typedef {object} Opened
 * @property {{ fleet?: import('../workers/fleet.js').Fleet }} given - to the run
 * @property {() => Promise<void>} close
 */

/** @type {Opened} */
const THIS_MACHINE = { given: {}, close: async () => {} }

/**
 * fleetFor has agents agree to hold the workers of a run, where it asks for agents.
 *
 * @param {import('./run-plan.js').Planned} planned
 * @param {Pick<import('./surroundings.js').Surroundings, 'version'>} surroundings
 * @returns {Promise<Opened | { problem: Problem }>} why nothing was started
 */
export async function fleetFor({ plan, output }, { version }) {
  const { bus: url, busCredentials, busCa, agents: wanted, address = null, onLostAgent = 'stop' } = output
  if (url == null || wanted == null) return THIS_MACHINE
  const { Fleet, workersOf } = await import('../agents/fleet.js')
  const workers = workersOf(/** @type {any} */ (plan))
  const count = agentsIn(wanted)
  const problem = (
    /** @type {string} */ flag,
    /** @type {string} */ value,
    /** @type {string} */ allowed
  ) => ({
    problem: { flag, value, allowed }
  })
  if (count > workers)
    return problem('--agents', String(count), `must be at most the ${workers} workers of the plan`)
  const bus = busAddress(url, { credentials: busCredentials, ca: busCa })
  try {
    const run = randomUUID().slice(0, 8)
    const fleet = await Fleet.open({ bus, address, wanted, onLostAgent, run, version, plan })
    return { given: { fleet }, close: () => fleet.close() }
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error)
    if (code === 'NO_AGENTS') return problem('--agents', String(count), message)
    if (code === 'NO_ADDRESS') return problem('--address', address ?? '', message)
    if (code === 'BUS') return problem('--bus', bus.url, message)
    throw error
  }
}
