import { atAddressOf } from '../../listening-at.js'
import { hostOf } from '../perf-plan.js'
import { waysOf } from '../plan/ways.js'
import { foreignServer } from './foreign-server.js'

/**
 * @typedef {import('../perf-plan.js').PerfPlan} PerfPlan
 * @typedef {import('./perf-client.js').TransferAsked} TransferAsked
 * @typedef {import('./perf-client.js').Transferred} Transferred
 *
 * @typedef {object} ServerSide - the other end, ours or a target
 * @property {Record<string, unknown>} addresses - by way
 * @property {number | null} [pid] - of ours
 * @property {(expectedBytes: number) => Promise<void>} begin - counts anew
 * @property {() => Promise<Partial<import('./perf-server.js').ServerCount>>} count - what is known since
 * @property {() => Promise<import('../../../libp2p/node-settings.js').SettingsByKind>} [settings] - of nodes of ours, by way
 *
 * @typedef {object} Starting
 * @property {import('../../../workers/process-group.js').ProcessGroup} processes
 * @property {(error: Error) => void} onDied
 * @property {import('../../namespaces/joined.js').Joined} joined - the server is in namespace 0, the client in 1
 * @property {import('../../../workers/fleet.js').Fleet} [fleet] - a machine that holds the client; none: this one does
 */

const ENTRIES = {
  server: new URL('./perf-server-entry.js', import.meta.url),
  client: new URL('./perf-client-entry.js', import.meta.url)
}

/** Over a bus, whose load is not to grow with what is measured: times of a repeat, which are enough for its quartiles. */
const MOST_TIMES_OVER_BUS = 500

/**
 * startServer starts the servers of all ways in a process of their own, or looks at the target.
 *
 * @param {PerfPlan} plan
 * @param {Starting} starting
 * @returns {Promise<ServerSide>}
 */
export async function startServer(plan, starting) {
  if (plan.target !== null) {
    const { target } = plan
    const addresses = Object.fromEntries(waysOf(plan).map(({ name }) => [name, target]))
    return { addresses, ...foreignServer(plan.targetPid) }
  }
  const at = atAddressOf(starting.fleet, hostOf(plan))
  const server = await startSide('server', { plan, at }, starting)
  return {
    addresses: await server.call('start'),
    pid: server.pid,
    begin: expectedBytes => server.call('begin', expectedBytes),
    count: () => server.call('count'),
    settings: () => server.call('settings')
  }
}

/**
 * startClient starts the clients of all ways in a process of their own.
 *
 * @param {PerfPlan} plan
 * @param {Record<string, unknown>} addresses - by way
 * @param {Starting} starting
 */
export const startClient = (plan, addresses, starting) => {
  const { fleet } = starting
  /** @type {import('../../../workers/process-group.js').Start | undefined} */
  const start = fleet && (options => fleet.start(0, options))
  const mostTimes = fleet === undefined ? Number.POSITIVE_INFINITY : MOST_TIMES_OVER_BUS
  return startSide('client', { plan, addresses, mostTimes }, starting, start)
}

/**
 * @param {'server' | 'client'} side
 * @param {unknown} setup
 * @param {Starting} starting
 * @param {import('../../../workers/process-group.js').Start} [start] - default: on this machine
 */
const startSide = (side, setup, { processes, onDied, joined }, start) =>
  processes.start(
    {
      entry: ENTRIES[side],
      name: `the ${side} process`,
      setup,
      handlers: {},
      onDied,
      through: joined.through(side === 'server' ? 0 : 1)
    },
    start
  )
