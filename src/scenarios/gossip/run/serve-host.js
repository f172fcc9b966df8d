import { serveParent } from '../../../workers/serve-parent.js'
import { processProfile } from './process-profile.js'

/**
 * @typedef {import('../../../network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../../../network/node-host.js').HostSetup} HostSetup
 * @typedef {import('../../../network/node-host.js').HostComponents} HostComponents
 */

const CALLS = [
  ...['provision', 'connect', 'register', 'meet', 'awaitMesh', 'schedule', 'drain', 'snapshot'],
  ...['collect', 'abort']
]

/**
 * serveHost serves what a process that holds a host is asked for: NodeHost's calls, and those about the process itself.
 *
 * @param {(setup: HostSetup, components: HostComponents) => NodeHost} makeHost
 * @param {readonly (keyof NodeHost)[]} [more] - calls that not every host has
 */
export function serveHost(makeHost, more = []) {
  /** @type {NodeHost} */
  let host
  serveParent(
    (setup, { call, say }) => {
      host = makeHost(setup, {
        onInterval: interval => call('interval', interval),
        onProgress: done => say('progress', done),
        onAlive: atNs => say('alive', atNs)
      })
      return host
    },
    [...CALLS, ...more],
    { close: () => host.stop(), ...processProfile() }
  )
}
