import { asCsv } from '../../../report/csv.js'

/**
 * @typedef {import('../../gossip/gossip-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../rotate-rendezvous-types.js').PeerLife} PeerLife
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvousPoint} RotateRendezvousPoint
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../report/csv.js').Cell} Cell
 */

/** @type {readonly (keyof PeerLife)[]} */
const LIFE = Object.freeze([
  'node',
  'slot',
  'startDueMs',
  'startedMs',
  'connectedMs',
  'registeredMs',
  'firstDiscoveryMs',
  'killDueMs',
  'killedMs',
  'error'
])

/**
 * peerLivesCsv has a row for each ephemeral peer.
 *
 * @param {RotateRendezvousResult} result
 */
export const peerLivesCsv = ({ outcome: { rotation } }) =>
  asCsv([[...LIFE], ...(rotation?.lives.listed ?? []).map(life => LIFE.map(key => life[key]))])

/** @type {readonly (keyof RotateRendezvousPoint)[]} */
const POINT = Object.freeze(['atMs', 'server', 'living', 'dead', 'replies', 'records', 'stale'])

/**
 * registrationsCsv has a row for each point of the time line.
 *
 * @param {RotateRendezvousResult} result
 */
export const registrationsCsv = ({ outcome: { rotation } }) =>
  asCsv([[...POINT], ...(rotation?.series ?? []).map(point => POINT.map(key => point[key]))])

/** @param {string} path @param {Summary} summary @returns {[string, Cell][]} */
const times = (path, { count, avg, p50, p99, max }) => [
  [`${path}.count`, count],
  ...Object.entries({ avg, p50, p99, max }).map(
    ([key, figure]) => /** @type {[string, Cell]} */ ([`${path}.${key}.ms`, figure?.ms])
  )
]

/** @param {string} path @param {Record<string, any>} values @returns {[string, Cell][]} */
const numbers = (path, values) =>
  Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'number' ? [/** @type {[string, Cell]} */ ([`${path}.${key}`, value])] : []
  )

/**
 * peerRotationCsv has one row with the figures of the rotation, each under its path in `outcome.rotation`.
 *
 * @param {RotateRendezvousResult} result
 */
export function peerRotationCsv({ outcome: { rotation } }) {
  if (rotation === null) return asCsv([[]])
  const { lives, visible, left, discovered } = rotation
  const entries = [
    ...numbers('lives', lives),
    /** @type {[string, Cell]} */ (['operationsPerMinute', rotation.operationsPerMinute]),
    /** @type {[string, Cell]} */ (['cutOff', rotation.cutOff]),
    ...times('connect', rotation.connect),
    ...times('register', rotation.register),
    ...times('firstDiscovery', rotation.firstDiscovery),
    ...numbers('visible', visible),
    ...times('visible.delay.all', visible.delay.all),
    ...times('visible.delay.known', visible.delay.known),
    ...numbers('left', left),
    ...times('left.lastSeenAfterKill', left.lastSeenAfterKill),
    ...numbers('left.expiryLag', left.expiryLag ?? {}),
    ...numbers('discovered', discovered),
    ...numbers('discovered.withDuplicates', discovered.withDuplicates),
    ...numbers('discovered.withoutDuplicates', discovered.withoutDuplicates),
    ...numbers('discovered.duplicates', discovered.duplicates)
  ]
  return asCsv([entries.map(([name]) => name), entries.map(([, cell]) => cell)])
}
