import { DEFAULT_STACK, serverStackOf } from '../../../libp2p/stacks.js'

/**
 * serverSettings gives the options that our own server is started with beside its defaults, because the plan asks for them or a
 * load test on one host needs them. They are recorded with the result.
 *
 * @param {import('../../../plan/plan.js').Plan} plan
 * @param {{ minTtlSeconds: number, maxRegistrations: number }} defaults - of the server
 * @returns {Record<string, string | number | boolean>}
 */
export function serverSettings(plan, defaults) {
  const { maxPeerRegistrations, maxDiscoverLimit, ttlSeconds, initialRegistrations, nClients, seed } = plan
  const most = initialRegistrations + (nClients + 1) * maxPeerRegistrations
  return {
    // libp2p admits 5 connections a second from one host, and here all clients are on one
    unlimitedFrom: '/ip4/127.0.0.0/ipcidr/8',
    // a stall leaves many streams open on one connection
    maxStreams: 1000,
    maxPeerRegistrations,
    maxDiscoverLimit,
    ...(serverStackOf(plan) !== DEFAULT_STACK && { stack: serverStackOf(plan) }),
    // one that is started again must be the same peer
    ...(plan.faults.some(({ kind }) => kind === 'restart') && { keySeed: seed }),
    ...(ttlSeconds < defaults.minTtlSeconds && { minTtl: `${ttlSeconds}s` }),
    ...(most > defaults.maxRegistrations && { maxRegistrations: most })
  }
}
