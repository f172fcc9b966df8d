/**
 * aLoadPoint is what a server made of a load: 100 a second for 6 s, all achieved, in 5 ms.
 *
 * @param {Partial<import('../../../src/scenarios/rendezvous/saturation.js').LoadPoint>} [parts]
 * @returns {import('../../../src/scenarios/rendezvous/saturation.js').LoadPoint}
 */
export const aLoadPoint = (parts = {}) => ({
  ...{ durationMs: 6000, due: 600, achieved: 600, failed: 0, waiting: [0, 0, 0, 0, 0, 0], rt: times(5) },
  ...{ serverCpuPercent: 40, serverMemoryBytes: 100e6, utilization: 0.2, generatorLimited: false },
  ...parts
})

/**
 * times have an average, and a p99 of twice that.
 *
 * @param {number} ms
 * @returns {import('../../../src/scenarios/rendezvous/saturation.js').Times}
 */
export function times(ms) {
  const figure = (/** @type {number} */ factor) => ({ ms: factor * ms, censored: false })
  return {
    ...{ avg: figure(1), p50: figure(0.9), p90: figure(1.5), p95: figure(1.7), p99: figure(2) },
    max: figure(3)
  }
}
