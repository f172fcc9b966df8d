/** Of `@libp2p/gossipsub`, and of the specification. */
const LIBRARY_HEARTBEAT_MS = 1000

/**
 * heartbeatMsOf is how long it is from one heartbeat of a node to the next.
 *
 * @param {Readonly<Record<string, unknown>>} gossipsub - parameters that a plan sets
 */
export const heartbeatMsOf = gossipsub => Number(gossipsub.heartbeatInterval ?? LIBRARY_HEARTBEAT_MS)
