// The machines that hold the workers of a run.
import {
  isLoopbackHost,
  LOOPBACK_NETWORKS,
  loopbackHost,
  networkOfOne,
  plainAddress
} from '../kit/host-address.js'
import { gater } from '../libp2p/node-components.js'

/**
 * The interface between a run and the machines that hold its workers. Without a fleet, workers are forked on this machine.
 *
 * @typedef {Omit<import('./workers.js').ForkedProcess, 'pid'> & Placed} HeldProcess - a process of ours, wherever it is
 *
 * @typedef {object} Placed
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
 * @typedef {object} FleetTrouble
 * @property {(lost: LostAgent) => void} onLost
 * @property {(error: Error) => void} onBusLost
 *
 * @typedef {object} Fleet
 * @property {(worker: number, options: StartOptions) => Promise<HeldProcess>} start - on the machine of a worker; calls to one that is lost
 *   fail with the code AGENT_LOST
 * @property {(worker: number) => NonNullable<HeldProcess['clock']>} clockOf - a worker's machine
 * @property {string} address - of this machine, at which they reach what listens here
 * @property {readonly string[]} peers - addresses that they come from to this machine, where anything of it listens
 * @property {(worker: number) => string} addressOf - its machine, at which others reach what listens there
 * @property {(worker: number, workers: number) => boolean} hasCoreToSpare - of its machine
 * @property {number} startAfterMs - time until all machines know of a start
 * @property {(trouble: FleetTrouble) => void} watch - sets the listeners of losses
 * @property {() => Promise<void>} settle - measures the clocks again
 * @property {(sinceBeginMs: (ns: bigint) => number) => import('../report/schema.js').AgentRow[]} agents
 * @property {() => NonNullable<import('../report/schema.js').Result['run']['starts']> | null} starts - that were agreed in advance; null: there were none
 *
 * @typedef {object} Fleets - machines that are held for all runs of a study
 * @property {(plan: import('../scenarios/index.js').AnyPlan) => Promise<Lent>} forRun - throws an error with a code where they cannot be had
 *   any more
 *
 * @typedef {object} Lent - for one run
 * @property {Fleet} fleet
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} At - where a process of a run listens; structured clone carries it
 * @property {string} host
 * @property {readonly string[] | null} peers - addresses that may connect; null: any, for it listens on this machine alone
 */

/**
 * listenAddress is the address at which a process of this machine listens for the processes of the agents.
 *
 * @param {Pick<Fleet, 'address' | 'peers'>} [fleet] - none: all are on this machine
 * @param {string} [host] - if all processes are on this machine
 * @returns {At}
 */
export const listenAddress = (fleet, host = loopbackHost()) =>
  fleet === undefined || isLoopbackHost(fleet.address)
    ? { host: fleet?.address ?? host, peers: null }
    : { host: fleet.address, peers: [fleet.address, ...fleet.peers] }

/** gaterOf makes a connection gater of libp2p that admits the peers alone. @param {At} at */
export const gaterOf = ({ peers }) =>
  peers === null ? undefined : gater({ isAddress: address => peers.includes(address) })

/**
 * onlyPeers makes a server close connections of other addresses at once. The server must have its listeners of connections already.
 *
 * @template {import('node:net').Server} T
 * @param {T} server
 * @param {At} at
 * @returns {T} the server
 */
export function onlyPeers(server, { peers }) {
  if (peers === null) return server
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', socket => {
    if (!peers.includes(plainAddress(socket.remoteAddress ?? ''))) return void socket.destroy()
    for (const listener of listeners) listener.call(server, socket)
  })
  return server
}

const OF_LOOPBACK = LOOPBACK_NETWORKS.join(',')
/** Addresses of network namespaces, see network/namespaces/frames.js. */
const OF_NAMESPACES = '/ip4/10.0.0.0/ipcidr/8'

/**
 * ownMachineSettings are options of our server for the machines of a run: its limits do not apply to them. Where others could reach the
 * server, it refuses all other addresses.
 *
 * @param {Pick<Fleet, 'address' | 'peers'>} [fleet] - none: all of the run is on this machine
 * @param {'loopback' | 'namespaces'} [network] - between the processes on it
 * @returns {{ unlimitedFrom: string, onlyFrom?: string }}
 */
export function ownMachineSettings(fleet, network = 'loopback') {
  if (network === 'namespaces') return { unlimitedFrom: `${OF_LOOPBACK},${OF_NAMESPACES}` }
  if (fleet === undefined) return { unlimitedFrom: OF_LOOPBACK }
  const others = [...new Set([fleet.address, ...fleet.peers])].filter(address => !isLoopbackHost(address))
  const all = [OF_LOOPBACK, ...others.map(networkOfOne)].join(',')
  return { unlimitedFrom: all, ...(!isLoopbackHost(fleet.address) && { onlyFrom: all }) }
}
