import { performance } from 'node:perf_hooks'
import { ownMemory } from '../measure/own-memory.js'

/**
 * generatorUsage reads how busy a process that generates load is. What its pacer spins is no work.
 *
 * @param {Pick<import('../load/pacer.js').Pacer, 'spunNs'>} pacer
 * @returns {() => import('../measure/meter.js').Usage} takes the usage since the last time
 */
export function generatorUsage(pacer) {
  let before = reading(pacer)
  return () => {
    const after = reading(pacer)
    const usage = {
      wallMs: after.wallMs - before.wallMs,
      activeMs: after.activeMs - before.activeMs,
      cpuMicros: after.cpuMicros - before.cpuMicros,
      memory: ownMemory()
    }
    before = after
    return usage
  }
}

/** Since the process began. @param {Pick<import('../load/pacer.js').Pacer, 'spunNs'>} pacer */
function reading({ spunNs }) {
  const { user, system } = process.cpuUsage()
  return {
    wallMs: performance.now(),
    activeMs: performance.eventLoopUtilization().active - spunNs / 1e6,
    cpuMicros: user + system
  }
}
