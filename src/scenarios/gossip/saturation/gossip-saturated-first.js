import { FULL } from '../../rendezvous/saturation/saturated-first.js'

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
/** Publishing this late is more than timers explain. */
const LATE_MS = 10
const CORE = 100

/**
 * gossipSaturatedFirst says what was used up at a load that a gossip network did not carry. What nodes share with the load generator
 * goes first: a figure that it may have made is none of the network.
 *
 * @param {GossipPoint} point
 * @returns {SaturatedFirst}
 */
export function gossipSaturatedFirst(point) {
  if (point.simulated) return modelLimit(point)
  const found = REAL.map(check => check(point)).find(limit => limit !== null)
  return found ?? { limit: 'network', value: null, of: null }
}

/** @type {readonly ((point: GossipPoint) => SaturatedFirst | null)[]} */
const REAL = [
  ({ utilization }) =>
    utilization !== null && utilization > FULL
      ? { limit: 'processes', value: 100 * utilization, of: 100 }
      : null,
  ({ cpuPercent, cores }) =>
    cpuPercent !== null && cpuPercent >= FULL * CORE * cores
      ? { limit: 'cores', value: cpuPercent, of: CORE * cores }
      : null,
  ({ memoryCeilings }) =>
    memoryCeilings > 0 ? { limit: 'memoryCeiling', value: memoryCeilings, of: null } : null,
  ({ lateMs }) => (lateMs > LATE_MS ? { limit: 'publishedLate', value: lateMs, of: null } : null),
  ({ streamsAborted }) => (streamsAborted > 0 ? { limit: 'streams', value: streamsAborted, of: null } : null)
]

/** What the busiest use most of. @param {GossipPoint} point @returns {SaturatedFirst} */
function modelLimit({ model }) {
  const [most] = Object.entries(model ?? {}).sort(([, a], [, b]) => b.busiest - a.busiest)
  if (most === undefined || most[1].busiest < FULL_BY_ESTIMATE)
    return { limit: 'model', value: null, of: null }
  const [limit, { average }] = most
  return { limit: /** @type {GossipLimit} */ (limit), value: 100 * average, of: 100 }
}
