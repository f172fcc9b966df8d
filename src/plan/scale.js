/** @typedef {import('./plan.js').Plan} Plan */

const SHORTEST_MS = 100

/**
 * scalePlan gives a plan with fewer operations and less time, and never another concurrency: every client still has an
 * operation.
 *
 * @param {Readonly<Plan>} plan
 * @param {number} scale - above 0, at most 1
 * @param {Set<string>} [kept] - options that stay as they are, because somebody gave them on the command line
 * @returns {Readonly<Plan>}
 */
export function scalePlan(plan, scale, kept = new Set()) {
  const { benchmarkRuns, durationMs, minDurationMs, nClients } = plan
  const runs =
    benchmarkRuns === null
      ? null
      : Math.max(Math.min(nClients, benchmarkRuns), Math.ceil(benchmarkRuns * scale))
  const duration = durationMs === null ? null : Math.max(SHORTEST_MS, Math.ceil(durationMs * scale))
  return Object.freeze({
    ...plan,
    benchmarkRuns: kept.has('benchmarkRuns') ? benchmarkRuns : runs,
    durationMs: kept.has('duration') ? durationMs : duration,
    minDurationMs: kept.has('minDuration') ? minDurationMs : Math.ceil(minDurationMs * scale)
  })
}
