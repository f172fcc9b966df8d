import { performance } from 'node:perf_hooks'

/**
 * generatorUsage reads how busy a process that generates load is. What its pacer spins is no work.
 *
 * @param {Pick<import('../load/pacer.js').Pacer, 'spunNs'>} pacer
 * @param {import('../measure/own-memory.js').OwnMemoryWatch} memory - of this process
 * @returns {() => import('../measure/meter.js').Usage} takes the usage since the last time
 */
export function generatorUsage(pacer, memory) {
  let before = reading(pacer)
  return () => {
    const after = reading(pacer)
    const usage = {
      wallMs: after.wallMs - before.wallMs,
      activeMs: after.activeMs - before.activeMs,
      cpuMicros: after.cpuMicros - before.cpuMicros,
      memory: memory.read()
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
