import { totalmem } from 'node:os'
import { usableCores } from '../../../kit/control-group.js'
import { PROFILE_CALLS } from '../../../measure/process-profile.js'
import { startForkedProcess } from '../../../workers/forked-process.js'
import { HOST_CALLS } from './host-calls.js'

/**
 * @typedef {import('../../../network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 *
 * @typedef {Pick<Parameters<typeof startForkedProcess>[0], 'through' | 'begin' | 'readyMs'>} Place - where a process runs: in a namespace, or in
 *   a container
 *
 * @typedef {NodeHost & Required<Pick<NodeHost, 'churn' | 'admit' | 'settings' | 'refresh' | 'endRefreshing'>> & import('../../../measure/process-profile.js').ProcessProfile
 *   & { pid: number, kill: () => Promise<void> }} GossipProcess - a host whose nodes are in a process of their own, which can be profiled.
 *   `stop` ends the process, hard after a grace period, `kill` at once; calls to one that ended fail with WorkerDiedError
 */

/** What runs in the process, and with which flags of Node, by what joins the nodes. */
const REAL = { entry: new URL('./gossip-entry.js', import.meta.url), flags: () => [] }
const PROGRAMS = {
  loopback: REAL,
  namespaces: REAL,
  docker: REAL,
  simulated: { entry: new URL('./simulated-entry.js', import.meta.url), flags: simulatorFlags }
}
/** Nodes close each of their connections, and wait up to half a second for the other end. */
const GRACE_MS = 5000

/**
 * startGossipProcess starts a process that holds nodes of the gossip scenario.
 *
 * @param {object} options
 * @param {string} options.name - for messages
 * @param {import('../../../network/node-host.js').HostSetup} options.setup
 * @param {(interval: HostInterval) => Promise<void> | void} options.onInterval
 * @param {(done: number) => void} options.onProgress - of provision and connect
 * @param {(atNs: number) => void} [options.onAlive]
 * @param {import('../../../network/node-host.js').HostComponents['meet']} [options.onMeet] - it meets the others of its simulation
 * @param {(error: import('../../../workers/forked-process.js').WorkerDiedError) => void} options.onDied - it ended without being asked
 * @param {Place} [options.place] - default: beside this process
 * @param {AbortSignal} [options.signal] - ends it at once while it starts
 * @param {(options: import('../../../workers/fleet.js').StartOptions) => Promise<import('../../../workers/fleet.js').HeldProcess>} [options.start] -
 *   default: on this machine
 * @returns {Promise<GossipProcess>} when it is ready for calls
 */
export async function startGossipProcess({
  name,
  setup,
  onInterval,
  onProgress,
  onAlive = () => {},
  onMeet,
  onDied,
  place,
  signal,
  start = startForkedProcess
}) {
  const { entry, flags } = PROGRAMS[setup.plan.network]
  const { pid, call, stop, kill } = await start({
    entry,
    execArgv: flags(setup.workers ?? 1),
    name,
    setup,
    handlers: {
      interval: onInterval,
      progress: onProgress,
      alive: onAlive,
      ...(onMeet !== undefined && { meet: onMeet })
    },
    onDied,
    graceMs: GRACE_MS,
    ...place,
    signal
  })
  const calls = [...HOST_CALLS, ...PROFILE_CALLS].map(name => [
    name,
    (/** @type {unknown[]} */ ...args) => call(name, ...args)
  ])
  // one on another machine has none here, and nobody looks at it
  return {
    .../** @type {GossipProcess} */ (Object.fromEntries(calls)),
    pid: /** @type {number} */ (pid),
    stop,
    kill
  }
}

/**
 * A simulation holds a whole network in one heap, which may be as large as the machine allows. What it makes is mostly gone before the
 * next message: room for young objects saves a tenth of its CPU time. Where processes of one take all cores, threads that collect garbage beside
 * them only make others wait, and those wait for each other.
 *
 * @param {number} processes - of the simulation
 */
function simulatorFlags(processes) {
  const heapMb = Math.floor((totalmem() * 0.8) / 2 ** 20)
  const takesAll = processes > 1 && processes >= usableCores()
  return [
    '--max-semi-space-size=256',
    `--max-old-space-size=${heapMb}`,
    ...(takesAll ? ['--single-threaded-gc'] : [])
  ]
}
