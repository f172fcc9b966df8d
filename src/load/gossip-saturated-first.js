import { FULL } from './saturated-first.js'

/**
 * @typedef {import('../result/saturation/gossip-point.js').GossipPoint} GossipPoint
 * @typedef {import('./saturated-first.js').SaturatedFirst} SaturatedFirst
 *
 * @typedef {'processes' | 'cores' | 'publishedLate' | 'memoryCeiling' | 'streams' | 'processing' | 'network' |
 *   import('../result/saturation/gossip-point.js').Line} GossipLimit - of a gossip network. The first four are those of the processes
 *   that nodes and load generator share; `processing` and lines are parts of the model of a simulated network; `network`: none of
 *   these
 */

/** FULL_ON_AVERAGE: where all nodes together use so much of what they have, the busiest ones use all of theirs. */
export const FULL_ON_AVERAGE = 0.5
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
  const checks = point.simulated ? MODEL : REAL
  const found = checks.map(check => check(point)).find(limit => limit !== null)
  return found ?? { limit: 'network', value: null, of: null }
}

/** @type {readonly ((point: GossipPoint) => SaturatedFirst | null)[]} */
const REAL = Object.freeze([
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
])

/** What is used most. @param {GossipPoint} point @returns {SaturatedFirst | null} */
function modelLimit({ model }) {
  const { lines, processing } = model ?? { lines: {}, processing: 0 }
  const shares = Object.entries({ ...lines, processing })
  const [[limit, share]] = shares.sort(([, a], [, b]) => b - a)
  return share >= FULL_ON_AVERAGE
    ? { limit: /** @type {GossipLimit} */ (limit), value: 100 * share, of: 100 }
    : null
}

const MODEL = Object.freeze([modelLimit])
