import { present } from '../kit/lists.js'

/**
 * @typedef {object} Container - that the server under test runs in
 * @property {string} id
 * @property {string} name
 * @property {string} image
 * @property {string} imageId
 * @property {number | null} cpus - that it may use; null: not limited
 * @property {number | null} memoryBytes - that it may use; null: not limited
 *
 * @typedef {object} Target - the server under test
 * @property {'process' | 'docker' | 'address'} kind
 * @property {string} multiaddr - with its peer id
 * @property {number | null} pid - of its main process on this machine, just now; null: not known
 * @property {Container | null} container
 * @property {Record<string, string>} versions - of what it runs on, where that is not what the load generator runs on
 * @property {Record<string, unknown>} settings - changed from the server's defaults
 * @property {import('../libp2p/node-settings.js').Settings} nodeSettings - what the node of our own server has other than what libp2p
 *   takes by itself, as it said when it was ready
 * @property {import('./server-control.js').ServerControl | null} control - of our own server
 * @property {(() => Promise<import('../measure/resource-series.js').Reading>) | null} reading - null: cannot be sampled
 * @property {string | null} memoryCountedAs - what a reading's memory is; figures counted differently cannot be compared
 * @property {FaultHandles | null} faults - of our own server
 * @property {readonly import('../measure/process-profile.js').ProcessProfile[]} [profiles] - of its processes; none: they cannot be sampled
 * @property {readonly Member[]} [members] - of several servers and their store: each
 * @property {() => Promise<import('./run-store.js').DatabaseWork | null>} [databaseWork] - what a database of the run has
 *   written so far
 * @property {{ whose: string, left: readonly string[], watch: import('./postgres/database-watch.js').DatabaseWatch }} [database] - of
 *   its store, in words; `left`: lines that drop schemas in it of runs that are gone
 * @property {() => Promise<void>} stop
 *
 * @typedef {Pick<Target, 'control' | 'reading' | 'faults'> & { name: string, multiaddr: string | null }} Member - a server, or the database;
 *   `control` is null while a fault has it down
 *
 * @typedef {object} FaultHandles - what can be done to our server while it is under load
 * @property {() => Promise<void>} pause - it stands still
 * @property {() => Promise<void>} resume
 * @property {() => Promise<void>} kill - it ends at once, as if nobody had asked for it
 * @property {() => Promise<void>} down - it ends at once, and that is no failure
 * @property {(signal: AbortSignal) => Promise<void>} up - starts it again with the same address and identity
 * @property {((cpus: number | null) => Promise<void>) | null} limitCpus - null: gives back what it had; there is none where nothing
 *   limits it
 */

/**
 * addressesOf gives the multiaddrs of all servers under test.
 *
 * @param {Pick<Target, 'multiaddr' | 'members'>} target
 * @returns {string[]}
 */
export function addressesOf({ multiaddr, members = [] }) {
  const several = members.flatMap(member => member.multiaddr ?? [])
  return several.length > 0 ? several : [multiaddr]
}

/**
 * serversOf gives each server under test, with its control port if it is ours.
 *
 * @param {Pick<Target, 'control' | 'members'>} target
 * @returns {readonly { name?: string, control: Target['control'] }[]}
 */
export const serversOf = ({ control, members = [] }) => (members.length > 0 ? members : [{ control }])

/** controlsOf gives the control ports of servers of ours. @param {Pick<Target, 'control' | 'members'>} target */
export const controlsOf = target => present(serversOf(target).map(({ control }) => control))
