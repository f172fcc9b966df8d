import { serviceCapabilities, transportSymbol } from '@libp2p/interface'

/**
 * @typedef {import('@libp2p/interface').Transport} Transport
 * @typedef {import('@libp2p/interface').Upgrader} Upgrader
 * @typedef {(connection: any) => any} Change - gives what is to be used in place of a connection, or throws
 */

const asItIs = (/** @type {any} */ connection) => connection

/**
 * changedTransport makes a transport that hands other connections to libp2p than it opened.
 *
 * @template C
 * @param {(components: C) => Transport} transport
 * @param {{ inbound?: Change, outbound?: Change }} changes - default: as they are
 * @returns {(components: C) => Transport}
 */
export const changedTransport = (transport, changes) => components => {
  const inner = transport(components)
  /** @template {{ upgrader: Upgrader }} T @param {T} options @returns {T} */
  const changed = options => ({ ...options, upgrader: changedUpgrader(options.upgrader, changes) })
  return {
    [Symbol.toStringTag]: inner[Symbol.toStringTag],
    [transportSymbol]: true,
    [serviceCapabilities]: ['@libp2p/transport'],
    dial: (address, options) => inner.dial(address, changed(options)),
    createListener: options => inner.createListener(changed(options)),
    listenFilter: addresses => inner.listenFilter(addresses),
    dialFilter: addresses => inner.dialFilter(addresses)
  }
}

/** @param {Upgrader} upgrader @param {{ inbound?: Change, outbound?: Change }} changes @returns {Upgrader} */
const changedUpgrader = (upgrader, { inbound = asItIs, outbound = asItIs }) => ({
  upgradeInbound: async (connection, options) =>
    upgrader.upgradeInbound(inbound(connection), /** @type {any} */ (options)),
  upgradeOutbound: async (connection, options) =>
    upgrader.upgradeOutbound(outbound(connection), /** @type {any} */ (options)),
  createInboundAbortSignal: signal => upgrader.createInboundAbortSignal(signal),
  getStreamMuxers: () => upgrader.getStreamMuxers(),
  getConnectionEncrypters: () => upgrader.getConnectionEncrypters()
})
