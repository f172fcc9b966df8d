import { FULL, firstOf, used } from '../../rendezvous/saturation/saturated-first.js'

/**
 * @typedef {import('./gossip-point.js').GossipPoint} GossipPoint
 * @typedef {import('../../rendezvous/saturation/saturated-first.js').SaturatedFirst} SaturatedFirst
 *
 * @typedef {'processes' | 'cores' | 'publishedLate' | 'memoryCeiling' | 'streams' | 'network' | 'model' |
 *   import('./gossip-point.js').Part} GossipLimit - of a gossip network. The first four are those of the processes
 *   that nodes and load generator share; `network`: none that is watched; `model`: none of the parts of a simulated network
 */

/**
 * FULL_BY_ESTIMATE: what the busiest nodes use of a simulated network is an estimate, by their neighbours. Where it says so much, they may
 * have used all of it.
 */
const FULL_BY_ESTIMATE = 0.5
const CORE = 100

/**
 * gossipSaturatedFirst says what was used up at a load that a gossip network did not carry. What nodes share with the load generator
 * goes first: a figure that it may have made is none of the network.
 *
 * @param {GossipPoint} point
 * @returns {SaturatedFirst}
 */
export const gossipSaturatedFirst = point =>
  point.simulated ? modelLimit(point) : (firstOf(REAL, point) ?? used('network', null))

/** @type {readonly ((point: GossipPoint) => SaturatedFirst | false)[]} */
const REAL = [
  // who is held back is busy for want of cores, whatever it does
  ({ throttled, cpuPercent, cores }) => Boolean(throttled) && used('cores', cpuPercent, CORE * cores),
  ({ utilization }) =>
    utilization !== null && utilization > FULL && used('processes', 100 * utilization, 100),
  ({ cpuPercent, cores }) =>
    cpuPercent !== null && cpuPercent >= FULL * CORE * cores && used('cores', cpuPercent, CORE * cores),
  ({ memoryCeilings }) => memoryCeilings > 0 && used('memoryCeiling', memoryCeilings),
  ({ lateMs }) => lateMs > 0 && used('publishedLate', lateMs),
  ({ streamsAborted }) => streamsAborted > 0 && used('streams', streamsAborted)
]

/** What the busiest use most of. @param {GossipPoint} point @returns {SaturatedFirst} */
function modelLimit({ model }) {
  const [most] = Object.entries(model ?? {}).sort(([, a], [, b]) => b.busiest - a.busiest)
  if (most === undefined || most[1].busiest < FULL_BY_ESTIMATE) return used('model', null)
  const [limit, { average }] = most
  return used(/** @type {GossipLimit} */ (limit), 100 * average, 100)
}
