import { startForkedProcess } from './forked-process.js'

/**
 * @typedef {import('../network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../network/node-host.js').HostInterval} HostInterval
 *
 * @typedef {NodeHost & import('./process-profile.js').ProcessProfile & { pid: number }} GossipProcess - a host whose nodes are in a
 *   process of their own, which can be profiled. `stop` ends the process, hard after a grace period; calls to one that ended fail
 *   with WorkerDiedError
 */

/** By what joins the nodes. */
const ENTRIES = Object.freeze({
  loopback: new URL('./gossip-entry.js', import.meta.url),
  simulated: new URL('./simulated-entry.js', import.meta.url)
})
/** Nodes close each of their connections, and wait up to half a second for the other end. */
const GRACE_MS = 5000

/**
 * startGossipProcess starts a process that holds nodes of the gossip scenario.
 *
 * @param {object} options
 * @param {string} options.name - for messages
 * @param {import('../network/node-host.js').HostSetup} options.setup
 * @param {(interval: HostInterval) => Promise<void> | void} options.onInterval
 * @param {(done: number) => void} options.onProgress - of provision and connect
 * @param {(error: import('./forked-process.js').WorkerDiedError) => void} options.onDied - it ended without being asked
 * @returns {Promise<GossipProcess>} when it is ready for calls
 */
export async function startGossipProcess({ name, setup, onInterval, onProgress, onDied }) {
  const { pid, call, stop } = await startForkedProcess({
    entry: ENTRIES[setup.plan.network],
    name,
    setup,
    handlers: { interval: onInterval, progress: onProgress },
    onDied,
    graceMs: GRACE_MS
  })
  return {
    pid,
    provision: () => call('provision'),
    connect: (dials, peers) => call('connect', dials, peers),
    register: meeting => call('register', meeting),
    meet: (meeting, peers) => call('meet', meeting, peers),
    awaitMesh: options => call('awaitMesh', options),
    schedule: start => call('schedule', start),
    drain: options => call('drain', options),
    snapshot: () => call('snapshot'),
    collect: () => call('collect'),
    abort: reason => call('abort', reason),
    startProfile: intervalMicros => call('startProfile', intervalMicros),
    stopProfile: file => call('stopProfile', file),
    stop
  }
}
