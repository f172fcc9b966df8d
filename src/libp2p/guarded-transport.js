import { changedTransport } from './changed-transport.js'

/**
 * guardedTransport makes a transport whose guard is asked about each connection that comes in, before anything is done for it. Who is
 * refused is closed by the listener, as after any other failure.
 *
 *     transports: [guardedTransport(tcp(), guard)]
 *
 * @template C
 * @param {(components: C) => import('@libp2p/interface').Transport} transport
 * @param {import('./types.js').Guard} guard
 */
export const guardedTransport = (transport, guard) =>
  changedTransport(transport, { inbound: connection => guard.enter(connection) })
