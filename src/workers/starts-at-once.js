/**
 * STARTS_AT_ONCE is how many processes are started at once on a machine. More that load libp2p only wait for one another, beyond the time
 * that a start may take; and no more sessions than that become nice in time (src/network/namespaces/after-router.js).
 */
export const STARTS_AT_ONCE = 8
