import { asCsv } from '../../../report/csv.js'

/**
 * @typedef {import('../../gossip/gossip-types.js').RotateGossipResult} RotateGossipResult
 * @typedef {import('../rotate-gossip-types.js').LifeResult} LifeResult
 * @typedef {import('../../../report/csv.js').Cell} Cell
 */

/** @type {readonly (keyof LifeResult)[]} */
const LIFE = Object.freeze([
  'node',
  'slot',
  'startDueMs',
  'startedMs',
  'connectedMs',
  'firstDeliveryMs',
  'killDueMs',
  'killedMs',
  'dialsFailed',
  'error'
])

/**
 * livesCsv has a row for each ephemeral node.
 *
 * @param {RotateGossipResult} result
 */
export const livesCsv = ({ outcome: { rotation } }) =>
  asCsv([[...LIFE], ...(rotation?.lives.listed ?? []).map(life => LIFE.map(key => life[key]))])

const SPREAD = Object.freeze(/** @type {const} */ (['nodes', 'min', 'avg', 'max']))
const GROUPS = Object.freeze(/** @type {const} */ (['stable', 'ephemeral']))

/**
 * peersCsv has a row for each step of the peers over time.
 *
 * @param {RotateGossipResult} result
 */
export const peersCsv = ({ outcome: { rotation } }) =>
  asCsv([
    ['atMs', ...GROUPS.flatMap(group => SPREAD.map(key => `${group}.${key}`))],
    ...(rotation?.peers ?? []).map(point => [
      point.atMs,
      ...GROUPS.flatMap(group => SPREAD.map(key => point[group]?.[key]))
    ])
  ])

/**
 * rotationCsv has one row with the figures of the rotation, each under its path in `outcome.rotation`.
 *
 * @param {RotateGossipResult} result
 */
export function rotationCsv({ outcome: { rotation } }) {
  if (rotation === null) return asCsv([[]])
  const { lives, apart, duplicates, deliveriesPerMinute, connect, firstDelivery } = rotation
  /** @type {[string, Cell][]} */
  const entries = [
    ['lives.started', lives.started],
    ['lives.killed', lives.killed],
    ['lives.failed', lives.failed],
    ['lives.latestMs', lives.latestMs],
    ['deliveriesPerMinute', deliveriesPerMinute],
    ['connect.avg.ms', connect.avg?.ms],
    ['connect.max.ms', connect.max?.ms],
    ['firstDelivery.avg.ms', firstDelivery.avg?.ms],
    ['firstDelivery.max.ms', firstDelivery.max?.ms],
    ['apart.joining.expected', apart.joining.expected],
    ['apart.joining.delivered', apart.joining.delivered],
    ['apart.leaving.expected', apart.leaving.expected],
    ['apart.leaving.delivered', apart.leaving.delivered],
    ['apart.earlier.delivered', apart.earlier.delivered],
    ['apart.gone.delivered', apart.gone.delivered],
    ['duplicates.observations', duplicates.observations],
    ['duplicates.afterRestart', duplicates.afterRestart],
    ['duplicates.again', duplicates.again],
    ['duplicates.tooLongAgo', duplicates.tooLongAgo]
  ]
  return asCsv([entries.map(([name]) => name), entries.map(([, cell]) => cell)])
}
