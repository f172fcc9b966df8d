import { sumOf } from '../../kit/lists.js'
import { Distribution } from '../../measure/distribution.js'
import { deviceCounts } from '../../network/namespaces/device-counts.js'

/**
 * @typedef {import('../../network/namespaces/router.js').RouterUsage} RouterUsage
 * @typedef {import('../gossip/gossip-types.js').NamespaceFigures} NamespaceFigures
 * @typedef {Pick<NamespaceFigures, 'router' | 'dropped'>} CarriedFigures
 */

/** Carried is what went over a network of namespaces since it is measured. */
export class Carried {
  #droppedAt
  /** @type {readonly number[]} */
  #pids = []
  #droppedBefore = 0
  /** @type {RouterUsage | null} */
  #usage = null
  /** @type {CarriedFigures | null} */
  #kept = null

  /** @param {(pid: number) => number} [droppedAt] - packets that left the namespace of a process in vain, since it is there */
  constructor(droppedAt = droppedByDevice) {
    this.#droppedAt = droppedAt
  }

  /** hold is told the processes in the namespaces. @param {readonly number[]} pids - one of each */
  hold(pids) {
    this.#pids = pids
  }

  /** begin counts anew. */
  begin() {
    this.#kept = null
    this.#usage = null
    this.#droppedBefore = this.#dropped
  }

  /** tell is told what the router has counted. @param {RouterUsage} usage */
  tell(usage) {
    this.#usage = usage
  }

  /** keep keeps the figures as they are now, until it begins anew. */
  keep() {
    this.#kept = this.figures
  }

  /** @returns {CarriedFigures} */
  get figures() {
    if (this.#kept !== null) return this.#kept
    return {
      router: this.#usage === null ? null : routerFigures(this.#usage),
      dropped: Math.max(0, this.#dropped - this.#droppedBefore)
    }
  }

  get #dropped() {
    return sumOf(this.#pids, this.#droppedAt)
  }
}

/** @param {number} pid */
function droppedByDevice(pid) {
  try {
    return deviceCounts(pid).dropped
  } catch {
    return 0 // it has ended
  }
}

/** @param {RouterUsage} usage @returns {NonNullable<NamespaceFigures['router']>} */
function routerFigures({ wallMs, cpuMicros, waitedMs, lateness, ...counts }) {
  const late = new Distribution()
  late.known.merge(lateness)
  return {
    ...counts,
    packetsPerSecond: wallMs > 0 ? (1000 * counts.packets) / wallMs : null,
    cpuMicrosPerPacket: counts.packets > 0 ? cpuMicros / counts.packets : null,
    waitedShare: waitedMs === null || wallMs <= 0 ? null : waitedMs / wallMs,
    lateness: late.knownSummary()
  }
}
