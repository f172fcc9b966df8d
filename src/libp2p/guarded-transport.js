import { serviceCapabilities, transportSymbol } from '@libp2p/interface'

/**
 * @typedef {import('@libp2p/interface').Transport} Transport
 * @typedef {import('@libp2p/interface').Upgrader} Upgrader
 * @typedef {import('./types.js').Guard} Guard
 */

/**
 * guardedTransport makes a transport whose guard is asked about each connection that comes in, before anything is done for it.
 *
 *     transports: [guardedTransport(tcp(), guard)]
 *
 * @template C
 * @param {(components: C) => Transport} transport
 * @param {Guard} guard
 * @returns {(components: C) => Transport}
 */
export const guardedTransport = (transport, guard) => components => {
  const inner = transport(components)
  return {
    [Symbol.toStringTag]: inner[Symbol.toStringTag],
    [transportSymbol]: true,
    [serviceCapabilities]: ['@libp2p/transport'],
    dial: (address, options) => inner.dial(address, options),
    createListener: options =>
      inner.createListener({ ...options, upgrader: guarding(options.upgrader, guard) }),
    listenFilter: addresses => inner.listenFilter(addresses),
    dialFilter: addresses => inner.dialFilter(addresses)
  }
}

/** @param {Upgrader} upgrader @param {Guard} guard @returns {Upgrader} */
const guarding = (upgrader, guard) => ({
  // who is refused is closed by the listener, as after any other failure
  upgradeInbound: async (connection, options) =>
    upgrader.upgradeInbound(
      guard.enter(connection),
      /** @type {import('@libp2p/interface').UpgraderOptions} */ (options)
    ),
  upgradeOutbound: (connection, options) =>
    upgrader.upgradeOutbound(
      connection,
      /** @type {import('@libp2p/interface').UpgraderOptions} */ (options)
    ),
  createInboundAbortSignal: signal => upgrader.createInboundAbortSignal(signal),
  getStreamMuxers: () => upgrader.getStreamMuxers(),
  getConnectionEncrypters: () => upgrader.getConnectionEncrypters()
})
