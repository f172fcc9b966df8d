import { DEFAULT_STACK, serverStackOf } from '../../../libp2p/stacks.js'
import { ownMachines } from '../../own-machines.js'

/**
 * Settings of our own server beside hostile peers: elsewhere loopback has no limits, and here all peers are there; a small store is filled
 * within a short run.
 */
const HOSTILE_SERVER_SETTINGS = Object.freeze({ unlimitedFrom: '', maxStoreBytes: '48MiB' })

/**
 * serverSettings gives the options that our own server is started with beside its defaults, because the plan asks for them or a
 * load test on one host needs them. They are recorded with the result.
 *
 * @param {import('../../../plan/plan.js').Plan} plan
 * @param {{ minTtlSeconds: number, maxRegistrations: number }} defaults - of the server
 * @param {import('../../../workers/fleet.js').Fleet} [fleet] - machines that hold the clients; none: this one does
 * @returns {Record<string, string | number | boolean>}
 */
export function serverSettings(plan, defaults, fleet) {
  const { maxPeerRegistrations, ttlSeconds, initialRegistrations, nClients, seed, network } = plan
  const most = initialRegistrations + (nClients + 1) * maxPeerRegistrations
  return {
    // libp2p admits 5 connections a second from one host, and here all clients are on a few
    ...ownMachines(fleet, network),
    ...(plan.hostile !== undefined && HOSTILE_SERVER_SETTINGS),
    // a stall leaves many streams open on one connection; hostile peers have the limit that strangers have
    ...(plan.hostile === undefined && { maxStreams: 1000 }),
    maxPeerRegistrations,
    ...(serverStackOf(plan) !== DEFAULT_STACK && { stack: serverStackOf(plan) }),
    ...(plan.stock && { stock: true }),
    // one that is started again must be the same peer
    ...(plan.faults.some(({ kind }) => kind === 'restart') && { keySeed: seed }),
    ...(ttlSeconds < defaults.minTtlSeconds && { minTtl: `${ttlSeconds}s` }),
    ...(most > defaults.maxRegistrations && { maxRegistrations: most })
  }
}
