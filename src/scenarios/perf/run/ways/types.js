/**
 * A way as both ends of it are handled. Only types live here.
 *
 * @typedef {import('../../perf-plan.js').PerfPlan} PerfPlan
 * @typedef {import('../../plan/ways.js').Way} Way
 * @typedef {{ latencyMs: number, bytesPerSecond: number | null, both?: boolean }} Line
 *
 * @typedef {object} Amounts - of one exchange
 * @property {number} uploadBytes
 * @property {number} downloadBytes
 * @property {AbortSignal} signal
 * @property {(bytes: number) => void} [onReceived] - is told of each piece that comes back
 *
 * @typedef {Pick<import('../../../../client/perf-request.js').PerfExchange, 'receivedBytes' | 'firstByteNs' | 'endedNs'>} Exchanged
 *
 * @typedef {object} Link - a connection of the client
 * @property {(signal: AbortSignal) => Promise<(amounts: Amounts) => Promise<Exchanged>>} open - gives what makes one exchange, when the
 *   stream for it is open
 * @property {() => unknown} close
 *
 * @typedef {object} Served - what a server has counted of its requests
 * @property {(bytes: number) => void} onReceived - each piece of uploads that arrives
 * @property {(sentBytes: number) => void} onSent - a reply that was handed over
 *
 * @typedef {object} WayServer
 * @property {unknown} address - for its clients; structured clone carries it
 * @property {() => unknown} stop
 *
 * @typedef {object} WayClient
 * @property {(signal: AbortSignal) => Promise<Link>} connect - opens a connection of its own
 * @property {() => unknown} stop
 *
 * @typedef {import('../../../../libp2p/node-settings.js').SettingsReader} SettingsReader
 *
 * @typedef {object} Ends - of one kind of way; `reader` is told of nodes of libp2p
 * @property {(options: { reader: SettingsReader, way: Way, plan: PerfPlan, line: Line | null, at: import('../../../listening-at.js').At, served: Served }) => Promise<WayServer>} serve
 * @property {(options: { reader: SettingsReader, way: Way, plan: PerfPlan, line: Line | null, address: any }) => Promise<WayClient>} client
 */
export {}
