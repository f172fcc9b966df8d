import { startForkedProcess } from '../../../workers/forked-process.js'
import { waysOf } from '../plan/ways.js'
import { foreignServer } from './foreign-server.js'

/**
 * @typedef {import('../perf-plan.js').PerfPlan} PerfPlan
 * @typedef {import('./perf-client.js').TransferAsked} TransferAsked
 * @typedef {import('./perf-client.js').Transferred} Transferred
 *
 * @typedef {object} ServerSide - the other end, ours or a target
 * @property {Record<string, unknown>} addresses - by way
 * @property {(expectedBytes: number) => Promise<void>} begin - counts anew
 * @property {() => Promise<Partial<import('./perf-server.js').ServerCount>>} count - what is known since
 * @property {() => Promise<unknown>} stop
 */

const ENTRIES = {
  server: new URL('./perf-server-entry.js', import.meta.url),
  client: new URL('./perf-client-entry.js', import.meta.url)
}

/** @param {'server' | 'client'} side @param {unknown} setup @param {(error: Error) => void} onDied */
const startSide = (side, setup, onDied) =>
  startForkedProcess({
    entry: ENTRIES[side],
    name: `the ${side === 'server' ? 'server' : 'client'} process`,
    setup,
    handlers: {},
    onDied
  })

/**
 * startServer starts the servers of all ways in a process of their own, or looks at the target.
 *
 * @param {PerfPlan} plan
 * @param {(error: Error) => void} onDied
 * @returns {Promise<ServerSide>}
 */
export async function startServer(plan, onDied) {
  if (plan.target !== null) {
    const { target } = plan
    const addresses = Object.fromEntries(waysOf(plan).map(({ name }) => [name, target]))
    return { addresses, ...foreignServer(plan.targetPid) }
  }
  const server = await startSide('server', plan, onDied)
  try {
    return {
      addresses: await server.call('start'),
      begin: expectedBytes => server.call('begin', expectedBytes),
      count: () => server.call('count'),
      stop: () => server.stop()
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * startClient starts the clients of all ways in a process of their own.
 *
 * @param {PerfPlan} plan
 * @param {Record<string, unknown>} addresses - by way
 * @param {(error: Error) => void} onDied
 */
export const startClient = (plan, addresses, onDied) => startSide('client', { plan, addresses }, onDied)
