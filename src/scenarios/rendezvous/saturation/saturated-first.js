/**
 * @typedef {import('./load-point.js').LoadPoint} LoadPoint
 *
 * @typedef {'generator' | 'added' | 'machine' | 'maxInFlight' | 'ports' | 'memory' | 'cpu' | 'eventLoop' | 'unknown'} Limit
 * @typedef {import('../../saturation.js').SaturatedFirst} SaturatedFirst
 */

/** FULL is the share of a resource above which it is taken to be used up. */
export const FULL = 0.9
/** MEMORY_FULL: a container that comes this near to its limit is about to be killed. */
const MEMORY_FULL = 0.95
/** Sending this late is more than timers explain. */
const LATE_MS = 10
/** The generator may add this share of the p99. */
const LATE_SHARE = 0.1
const CORE = 100

/**
 * saturatedFirst says what was used up at a load that was not sustained. What belongs to the load generator goes first: a figure
 * that it may have made is none of the server.
 *
 * @param {LoadPoint} point
 * @returns {SaturatedFirst}
 */
export const saturatedFirst = point => firstOf(CHECKS, point) ?? used('unknown', null)

/**
 * used is what was used up.
 *
 * @param {SaturatedFirst['limit']} limit
 * @param {number | null} value - how far it was used, % or ms
 * @param {number | null} [of] - what there is of it
 * @returns {SaturatedFirst}
 */
export const used = (limit, value, of = null) => ({ limit, value, of })

/**
 * firstOf finds what was used up first.
 *
 * @template P
 * @param {readonly ((point: P) => SaturatedFirst | false | undefined)[]} checks - in the order in which they count
 * @param {P} point
 * @returns {SaturatedFirst | undefined}
 */
export function firstOf(checks, point) {
  for (const check of checks) {
    const limit = check(point)
    if (limit) return limit
  }
}

/** @type {readonly ((point: LoadPoint) => SaturatedFirst | false | undefined)[]} */
const CHECKS = [
  // who is held back is busy for want of cores, whatever it does
  point => point.throttled && used('machine', togetherOf(point), CORE * point.cores),
  ({ utilization }) =>
    utilization !== null && utilization > FULL && used('generator', 100 * utilization, 100),
  ({ lagP99Ms, rt }) =>
    lagP99Ms !== null &&
    lagP99Ms > LATE_MS &&
    lagP99Ms > LATE_SHARE * ((rt.p99 ?? rt.p95 ?? rt.p90 ?? rt.p50)?.ms ?? 0) &&
    used('generator', lagP99Ms),
  ({ portsExhausted }) => portsExhausted > 0 && used('ports', portsExhausted),
  ({ dropped }) => dropped > 0 && used('maxInFlight', dropped),
  ({ serverMemoryBytes, memoryBytes }) =>
    serverMemoryBytes !== null &&
    memoryBytes !== null &&
    serverMemoryBytes >= MEMORY_FULL * memoryBytes &&
    used('memory', serverMemoryBytes, memoryBytes),
  ({ serverCpuPercent, cpus, cores }) => {
    const allowed = CORE * (cpus ?? cores)
    return (
      serverCpuPercent !== null &&
      serverCpuPercent >= FULL * allowed &&
      used('cpu', serverCpuPercent, allowed)
    )
  },
  // each of our servers runs on one event loop: more than one core is of no use to it
  ({ serverCpuPercent, members, ours }) => {
    const busiest = members === undefined ? serverCpuPercent : members.busiestCpuPercent
    return ours && busiest !== null && busiest >= FULL * CORE && used('eventLoop', busiest, CORE)
  },
  point => {
    const [together, all] = [togetherOf(point), CORE * point.cores]
    return point.serverCpuPercent !== null && together >= FULL * all && used('machine', together, all)
  }
]

/** What server, load generator and database used. @param {LoadPoint} point @returns {number} 100 is one core */
const togetherOf = ({ serverCpuPercent, generatorCpuPercent, members }) =>
  (serverCpuPercent ?? 0) + generatorCpuPercent + (members?.databaseCpuPercent ?? 0)
