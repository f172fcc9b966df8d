// Default limits of a rendezvous or perf server: registrations of a peer, message sizes, connections, request rates,
// times.
const HOUR_SECONDS = 3600

/**
 * DEFAULT_TTL_SECONDS is granted to a REGISTER without ttl (rendezvous specification), as far as the server's bounds
 * allow it.
 */
export const DEFAULT_TTL_SECONDS = 2 * HOUR_SECONDS

/**
 * LIMITS are the bounds of a rendezvous server; the first five are the recommendation of the specification.
 *
 * @typedef {{ readonly [name in keyof typeof LIMITS]: number }} Limits
 */
export const LIMITS = {
  minTtlSeconds: 2 * HOUR_SECONDS,
  maxTtlSeconds: 72 * HOUR_SECONDS,
  maxNamespaceBytes: 255,
  maxPeerRegistrations: 1000,
  maxDiscoverLimit: 1000,
  maxRegistrations: 1_000_000,
  /** of a request, without its length prefix */
  maxMessageBytes: 16_384,
  /** the registrations of one reply: with the rest below the 1 MiB that other implementations accept */
  maxReplyBytes: (1 << 20) - 1024,
  /** of the rendezvous protocol, on one connection */
  maxStreams: 256,
  /** connections after their handshake: of one address, and in all */
  maxAddressConnections: 64,
  maxConnections: 300,
  /** connections before the end of their handshake */
  maxAddressHandshakes: 8,
  maxHandshakes: 64,
  maxAddressConnectionsPerSecond: 5,
  /** of one address: requests and replies beyond are served later */
  maxAddressRequestsPerSecond: 1000,
  maxAddressReplyBytesPerSecond: 1 << 20,
  /** of a group of neighbouring addresses in all */
  maxGroupRequestBytesPerSecond: 512 << 10,
  maxGroupLoopMsPerSecond: 75,
  /** streams without a protocol so far */
  maxAddressNegotiations: 512,
  maxNegotiations: 2048,
  /** time in which a client must take at least 32 KiB of a reply, or all of it */
  stallTimeoutMs: 10_000,
  /** of waiting requests, and as many of waiting replies: of one connection, of one address, in all */
  maxConnectionWaitingBytes: 4 << 20,
  /** of waiting replies, on a connection from an address that has limits: the last reply may go beyond */
  maxConnectionReplyBytes: 1 << 20,
  maxAddressWaitingBytes: 8 << 20,
  maxWaitingBytes: 32 << 20,
  /** time a stream may pass without a complete request or progress in sending a reply */
  streamIdleTimeoutMs: 60_000
}

/**
 * PERF_LIMITS are the bounds of a perf server: it discards the bytes that it reads, so that a request costs it time alone.
 *
 * @typedef {{ readonly [name in keyof typeof PERF_LIMITS]: number }} PerfLimits
 */
export const PERF_LIMITS = {
  /** in either direction of a request; the specification allows a client to ask for 2^64 − 1 bytes and to close early */
  maxPerfBytes: 64 * 2 ** 30,
  /** of a request, from its first byte to its end */
  perfTimeoutMs: 600_000,
  /** without a byte in either direction */
  perfStallMs: 30_000,
  /** open requests, in all */
  maxPerfStreams: 1024,
  /** open requests on one connection */
  maxStreams: 256
}

/**
 * pickLimits reads limits from options, with defaults for missing ones.
 *
 * @template {Record<string, number>} L
 * @param {L} defaults
 * @param {Partial<L>} options
 * @returns {L}
 */
export const pickLimits = (defaults, options) =>
  /** @type {L} */ (
    Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, options[name] ?? value]))
  )
