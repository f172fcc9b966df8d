// The calls that a worker process with gossip nodes answers to its parent, such as connect, schedule or collect.
import { makeProcessProfile } from '../../../measure/process-profile.js'
import { serveParent } from '../../../run/worker-process.js'

/**
 * @typedef {import('../../../network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../../../network/node-host.js').HostSetup} HostSetup
 * @typedef {import('../../../network/node-host.js').HostComponents} HostComponents
 */

/**
 * serveHost answers the calls to a process with a host: NodeHost's calls, and those about the process itself.
 *
 * @param {(setup: HostSetup, components: HostComponents) => NodeHost} makeHost
 * @param {import('../../../run/channel.js').Port} [port] - of the caller
 */
export function serveHost(makeHost, port) {
  /** @type {NodeHost} */
  let host
  serveParent(
    (setup, { call, say }) => {
      host = makeHost(setup, {
        onInterval: interval => call('interval', interval),
        meet: report => call('meet', report),
        onProgress: done => say('progress', done),
        onAlive: atNs => say('alive', atNs)
      })
      return host
    },
    HOST_CALLS,
    { close: () => host.stop(), ...makeProcessProfile() },
    port
  )
}

/** HOST_CALLS are the calls of NodeHost from another process. */
export const HOST_CALLS = [
  ...['provision', 'connect', 'register', 'meet', 'awaitMesh', 'schedule', 'drain', 'snapshot'],
  ...['collect', 'abort', 'churn', 'admit', 'settings', 'refresh', 'endRefreshing']
]
