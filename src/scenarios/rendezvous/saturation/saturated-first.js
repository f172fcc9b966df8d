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
export function saturatedFirst(point) {
  const found = CHECKS.map(check => check(point)).find(limit => limit !== null)
  return found ?? { limit: 'unknown', value: null, of: null }
}

/** @type {readonly ((point: LoadPoint) => SaturatedFirst | null)[]} */
const CHECKS = [
  ({ utilization }) =>
    utilization !== null && utilization > FULL
      ? { limit: 'generator', value: 100 * utilization, of: 100 }
      : null,
  ({ lagP99Ms, rt }) =>
    lagP99Ms !== null && lagP99Ms > LATE_MS && lagP99Ms > LATE_SHARE * (tailOf(rt)?.ms ?? 0)
      ? { limit: 'generator', value: lagP99Ms, of: null }
      : null,
  ({ portsExhausted }) => (portsExhausted > 0 ? { limit: 'ports', value: portsExhausted, of: null } : null),
  ({ dropped }) => (dropped > 0 ? { limit: 'maxInFlight', value: dropped, of: null } : null),
  ({ serverMemoryBytes, memoryBytes }) =>
    serverMemoryBytes !== null && memoryBytes !== null && serverMemoryBytes >= MEMORY_FULL * memoryBytes
      ? { limit: 'memory', value: serverMemoryBytes, of: memoryBytes }
      : null,
  ({ serverCpuPercent, cpus, cores }) => {
    const allowed = CORE * (cpus ?? cores)
    return serverCpuPercent !== null && serverCpuPercent >= FULL * allowed
      ? { limit: 'cpu', value: serverCpuPercent, of: allowed }
      : null
  },
  // our server runs on one event loop: more than one core is of no use to it
  ({ serverCpuPercent, ours }) =>
    ours && serverCpuPercent !== null && serverCpuPercent >= FULL * CORE
      ? { limit: 'eventLoop', value: serverCpuPercent, of: CORE }
      : null,
  ({ serverCpuPercent, generatorCpuPercent, cores }) =>
    serverCpuPercent !== null && serverCpuPercent + generatorCpuPercent >= FULL * CORE * cores
      ? { limit: 'machine', value: serverCpuPercent + generatorCpuPercent, of: CORE * cores }
      : null,
  // what it added to the times in which the load failed may have been what it failed by
  ({ rt }) => {
    const tail = tailOf(rt)
    return tail?.doubtful ? { limit: 'added', value: tail.ms, of: null } : null
  }
]

/** The highest percentile there is. @param {LoadPoint['rt']} rt */
const tailOf = ({ p99, p95, p90, p50 }) => p99 ?? p95 ?? p90 ?? p50
