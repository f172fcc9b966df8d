import { asCsv, csvOf, timesUnder, under } from '../../../report/csv.js'

/** @typedef {import('../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult */

/**
 * peerLivesCsv has a row for each ephemeral peer.
 *
 * @param {RotateRendezvousResult} result
 */
export const peerLivesCsv = ({ outcome: { rotation } }) =>
  csvOf(
    [
      ...['node', 'slot', 'startDueMs', 'startedMs', 'connectedMs', 'registeredMs', 'firstDiscoveryMs'],
      ...['killDueMs', 'killedMs', 'error']
    ],
    rotation?.lives.listed ?? []
  )

/**
 * registrationsCsv has a row for each point of the time line.
 *
 * @param {RotateRendezvousResult} result
 */
export const registrationsCsv = ({ outcome: { rotation } }) =>
  csvOf(['atMs', 'server', 'living', 'dead', 'replies', 'records', 'stale'], rotation?.series ?? [])

/** @param {string} path */
const times = path => [`${path}.count`, ...timesUnder(path, ['avg', 'p50', 'p99', 'max'])]

/**
 * peerRotationCsv has one row with the figures of the rotation, each under its path in `outcome.rotation`.
 *
 * @param {RotateRendezvousResult} result
 */
export function peerRotationCsv({ outcome: { rotation } }) {
  if (rotation === null) return asCsv([[]])
  /** @param {string} path */
  const numbers = path => under(rotation, path, value => typeof value === 'number')
  const paths = [
    ...[...numbers('lives'), 'operationsPerMinute', 'cutOff'],
    ...['connect', 'register', 'firstDiscovery'].flatMap(times),
    ...[...numbers('visible'), ...times('visible.delay.all'), ...times('visible.delay.known')],
    ...[...numbers('left'), ...times('left.lastSeenAfterKill'), ...numbers('left.expiryLag')],
    ...numbers('discovered'),
    ...['withDuplicates', 'withoutDuplicates', 'duplicates'].flatMap(key => numbers(`discovered.${key}`))
  ]
  return csvOf(paths, [rotation])
}
