import { processProfile } from './process-profile.js'

/**
 * @typedef {import('../../../network/node-host.js').NodeHost} NodeHost
 * @typedef {import('../../../network/node-host.js').HostSetup} HostSetup
 * @typedef {import('../../../network/node-host.js').HostComponents} HostComponents
 */

/**
 * hostHandlers are what a process that holds a host serves: NodeHost's calls, and those about the process itself.
 *
 * @template {NodeHost} H
 * @param {() => import('../../../workers/channel.js').Channel} channel - to the main process
 * @param {(setup: HostSetup, components: HostComponents) => H} makeHost
 * @returns {{ handlers: import('../../../workers/channel.js').Handlers, host: () => H }}
 */
export function hostHandlers(channel, makeHost) {
  /** @type {H} */
  let host
  const components = {
    onInterval: (/** @type {unknown} */ interval) => channel().call('interval', interval),
    onProgress: (/** @type {number} */ done) =>
      channel()
        .call('progress', done)
        .catch(() => {}),
    onAlive: (/** @type {number} */ atNs) =>
      channel()
        .call('alive', atNs)
        .catch(() => {})
  }
  const handlers = {
    setup: (/** @type {HostSetup} */ setup) => {
      host = makeHost(setup, components)
    },
    provision: () => host.provision(),
    connect: (/** @type {Parameters<NodeHost['connect']>} */ ...args) => host.connect(...args),
    register: (/** @type {Parameters<NodeHost['register']>} */ ...args) => host.register(...args),
    meet: (/** @type {Parameters<NodeHost['meet']>} */ ...args) => host.meet(...args),
    awaitMesh: (/** @type {Parameters<NodeHost['awaitMesh']>} */ ...args) => host.awaitMesh(...args),
    schedule: (/** @type {Parameters<NodeHost['schedule']>} */ ...args) => host.schedule(...args),
    drain: (/** @type {Parameters<NodeHost['drain']>} */ ...args) => host.drain(...args),
    snapshot: () => host.snapshot(),
    collect: () => host.collect(),
    abort: (/** @type {Parameters<NodeHost['abort']>} */ ...args) => host.abort(...args),
    close: () => host.stop(),
    ...processProfile()
  }
  return { handlers, host: () => host }
}
