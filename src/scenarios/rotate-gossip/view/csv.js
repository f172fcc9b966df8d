import { asCsv, csvOf, timesUnder, under } from '../../../report/csv.js'

/** @typedef {import('../rotate-gossip-types.js').RotateGossipResult} RotateGossipResult */

/**
 * livesCsv has a row for each ephemeral node.
 *
 * @param {RotateGossipResult} result
 */
export const livesCsv = ({ outcome: { rotation } }) =>
  csvOf(
    [
      ...['node', 'slot', 'startDueMs', 'startedMs', 'connectedMs', 'firstDeliveryMs', 'killDueMs'],
      ...['killedMs', 'dialsFailed', 'error']
    ],
    rotation?.lives.listed ?? []
  )

/**
 * peersCsv has a row for each step of the peers over time.
 *
 * @param {RotateGossipResult} result
 */
export const peersCsv = ({ outcome: { rotation } }) =>
  csvOf(
    [
      'atMs',
      ...['stable', 'ephemeral'].flatMap(group =>
        ['nodes', 'min', 'avg', 'max'].map(key => `${group}.${key}`)
      )
    ],
    rotation?.peers ?? []
  )

/**
 * rotationCsv has one row with the figures of the rotation, each under its path in `outcome.rotation`.
 *
 * @param {RotateGossipResult} result
 */
export function rotationCsv({ outcome: { rotation } }) {
  if (rotation === null) return asCsv([[]])
  const paths = [
    ...['started', 'killed', 'failed', 'latestMs'].map(key => `lives.${key}`),
    'deliveriesPerMinute',
    ...['connect', 'firstDelivery'].flatMap(path => timesUnder(path, ['avg', 'max'])),
    ...['joining', 'leaving', 'earlier', 'gone'].flatMap(state => under(rotation, `apart.${state}`)),
    ...['observations', 'afterRestart', 'again', 'tooLongAgo'].map(key => `duplicates.${key}`)
  ]
  return csvOf(paths, [rotation])
}
