// The interface of a fleet, the other machines that run a run's workers. Also limits a server's connections to their
// addresses.
import {
  findLoopbackHost,
  formatSingleAddressNetwork,
  isLoopbackHost,
  LOOPBACK_NETWORKS,
  unmapAddress
} from '../kit/host-address.js'
import { makeConnectionGater } from '../libp2p/node-components.js'

/**
 * The interface between a run and the machines that hold its workers. Without a fleet, workers are forked on this machine.
 *
 * @typedef {Omit<import('./workers.js').ForkedProcess, 'pid'> & MachineOfProcess} WorkerProcess - a process of ours, wherever it is
 *
 * @typedef {object} MachineOfProcess
 * @property {number | null} pid - null: it is on another machine
 * @property {{ there: (ns: bigint) => bigint, here: (ns: bigint) => bigint }} [clock] - of its machine: turns times of our monotonic clock
 *   into its, and back; none: it is the same
 * @property {(lateMs: number) => void} [began] - called with how late it began, by its own clock
 *
 * @typedef {Parameters<typeof import('./workers.js').startForkedProcess>[0]} StartOptions
 *
 * @typedef {object} LostAgent
 * @property {string} name - in messages
 * @property {readonly number[]} workers - that it held
 * @property {Error} error
 * @property {boolean} goesOn - the run continues without it
 *
 * @typedef {object} FleetListeners
 * @property {(lost: LostAgent) => void} onLost
 * @property {(error: Error) => void} onBusLost
 *
 * @typedef {object} Fleet
 * @property {(worker: number, options: StartOptions) => Promise<WorkerProcess>} start - on the machine of a worker; calls to one that is lost
 *   fail with the code AGENT_LOST
 * @property {(worker: number) => NonNullable<WorkerProcess['clock']>} clockOf - a worker's machine
 * @property {string} address - of this machine, at which they reach what listens here
 * @property {readonly string[]} peers - addresses that they come from to this machine, where anything of it listens
 * @property {(worker: number) => string} addressOf - its machine, at which others reach what listens there
 * @property {(worker: number, workers: number) => boolean} hasCoreToSpare - of its machine
 * @property {number} startAfterMs - time until all machines know of a start
 * @property {(listeners: FleetListeners) => void} watch - sets the listeners of losses
 * @property {() => Promise<void>} settle - measures the clocks again
 * @property {(sinceBeginMs: (ns: bigint) => number) => import('../report/schema.js').AgentRow[]} agents
 * @property {() => NonNullable<import('../report/schema.js').Result['run']['starts']> | null} starts - that were agreed in advance; null: there were none
 *
 * @typedef {object} FleetPool - machines that are held for all runs of a study
 * @property {(plan: import('../scenarios/index.js').AnyPlan) => Promise<FleetLease>} forRun - throws an error with a code where they cannot be had
 *   any more
 *
 * @typedef {object} FleetLease - for one run
 * @property {Fleet} fleet
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} ListenAddress - where a process of a run listens; structured clone carries it
 * @property {string} host
 * @property {readonly string[] | null} peers - addresses that may connect; null: any, for it listens on this machine alone
 */

/**
 * chooseListenAddress is the address at which a process of this machine listens for the processes of the agents.
 *
 * @param {Pick<Fleet, 'address' | 'peers'>} [fleet] - none: all are on this machine
 * @param {string} [host] - if all processes are on this machine
 * @returns {ListenAddress}
 */
export const chooseListenAddress = (fleet, host = findLoopbackHost()) =>
  fleet === undefined || isLoopbackHost(fleet.address)
    ? { host: fleet?.address ?? host, peers: null }
    : { host: fleet.address, peers: [fleet.address, ...fleet.peers] }

/** makePeerGater makes a connection gater of libp2p that admits the peers alone. @param {ListenAddress} at */
export const makePeerGater = ({ peers }) =>
  peers === null ? undefined : makeConnectionGater({ isAddress: address => peers.includes(address) })

/**
 * admitOnlyPeers makes a server close connections of other addresses at once. The server must have its listeners of connections already.
 *
 * @template {import('node:net').Server} T
 * @param {T} server
 * @param {ListenAddress} at
 * @returns {T} the server
 */
export function admitOnlyPeers(server, { peers }) {
  if (peers === null) return server
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', socket => {
    if (!peers.includes(unmapAddress(socket.remoteAddress ?? ''))) return void socket.destroy()
    for (const listener of listeners) listener.call(server, socket)
  })
  return server
}

const LOOPBACK_RANGES = LOOPBACK_NETWORKS.join(',')
/** Addresses of network namespaces, see network/namespaces/frames.js. */
const NAMESPACE_RANGE = '/ip4/10.0.0.0/ipcidr/8'

/**
 * makeOwnMachineSettings are options of our server for the machines of a run: its limits do not apply to them. Where others could reach the
 * server, it refuses all other addresses.
 *
 * @param {Pick<Fleet, 'address' | 'peers'>} [fleet] - none: all of the run is on this machine
 * @param {'loopback' | 'namespaces'} [network] - between the processes on it
 * @returns {{ unlimitedFrom: string, onlyFrom?: string }}
 */
export function makeOwnMachineSettings(fleet, network = 'loopback') {
  if (network === 'namespaces') return { unlimitedFrom: `${LOOPBACK_RANGES},${NAMESPACE_RANGE}` }
  if (fleet === undefined) return { unlimitedFrom: LOOPBACK_RANGES }
  const others = [...new Set([fleet.address, ...fleet.peers])].filter(address => !isLoopbackHost(address))
  const all = [LOOPBACK_RANGES, ...others.map(formatSingleAddressNetwork)].join(',')
  return { unlimitedFrom: all, ...(!isLoopbackHost(fleet.address) && { onlyFrom: all }) }
}
